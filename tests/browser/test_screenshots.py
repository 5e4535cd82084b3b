"""The pictures of the documents are taken at any address, so that two scripts can take them at one time."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser

from tests import screenshots
from tests.casino.nights import PASSWORD


def test_a_picture_is_taken_at_the_address_of_its_demo(
    chromium: Browser, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(screenshots, "IMAGES", tmp_path)
    picture = screenshots.Picture("queue", "Dana", "/queue/", shows="main")
    screenshots.take(chromium, address, [picture], {"Dana": ("v-101", PASSWORD)})
    with Image.open(tmp_path / "queue.png") as image:
        assert (image.width, image.height) == (1280, 800)

"""If the property requires cameras, an open table without a camera is reported."""

from __future__ import annotations

from typing import Any

import pytest

from tests.audit.checks.ledgers import Book

Step = tuple[str, dict[str, Any]]
DOWN: Step = ("camera-down", {"camera": "cam-1", "reason": "x", "by": "v-1"})
UP: Step = ("camera-up", {"camera": "cam-1", "reason": "x", "by": "v-1"})
OPEN: Step = ("open", {})
CLOSE: Step = ("table-closed", {})
CASES: dict[str, tuple[dict[str, list[str]], list[Step], list[str]]] = {
    "a camera shows it": ({"cam-1": ["EOU-01"]}, [OPEN], []),
    "no camera": ({}, [OPEN], ["the register has no camera for it on 2026-11-27"]),
    "another table's": ({"cam-1": ["EOU-02"]}, [OPEN], ["the register has no camera for it on 2026-11-27"]),
    "the camera is down": ({"cam-1": ["EOU-01"]}, [DOWN, OPEN], ["cam-1 is down"]),
    "it is up again": ({"cam-1": ["EOU-01"]}, [DOWN, UP, OPEN], []),
    "another camera": ({"cam-1": ["EOU-01"], "cam-2": ["EOU-01"]}, [DOWN, OPEN], []),
    "it goes down": ({"cam-1": ["EOU-01"]}, [OPEN, DOWN, DOWN], ["the last one that showed EOU-01"]),
    "one of two goes down": ({"cam-1": ["EOU-01"], "cam-2": ["EOU-01"]}, [OPEN, DOWN], []),
    "it goes down after the close": ({"cam-1": ["EOU-01"]}, [OPEN, CLOSE, DOWN], []),
}


@pytest.mark.parametrize("name", CASES)
def test_an_open_table_without_a_camera_is_found(name: str) -> None:
    cameras, steps, expected = CASES[name]
    for is_demanded in (True, False):
        book = Book()
        book.enter("thresholds", "camera-coverage", {"demand": is_demanded})
        for camera, tables in cameras.items():
            book.enter("cameras", camera, {"tables": tables})
        for kind, fields in steps:
            if kind == "open":
                book.open()
            else:
                book.add(kind, *(["house"] if "camera" in kind else []), **fields)
        says = [finding.says for finding in book.findings() if finding.code == "table-without-camera"]
        assert len(says) == (len(expected) if is_demanded else 0), says
        assert all(part in sentence for part, sentence in zip(expected, says, strict=False))

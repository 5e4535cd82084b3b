"""The running demo, in which the modules of this package record rows."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, BrowserContext

from tests import screenshots
from tests.every_page import Place, links


class Office(NamedTuple):
    """The running demo: a browser context for each user by name, and the password of each staff ID."""

    browser: Browser
    contexts: dict[str, BrowserContext]
    address: str
    data: Path
    passwords: dict[str, str]

    def sign_in(self, name: str, id: str) -> BrowserContext:
        """Sign in another user, and add the user's context to the contexts."""
        context = screenshots.sign_in(self.browser, self.address, id, self.passwords[id])
        self.contexts[name] = context
        return context

    def signed(self, **signers: str) -> dict[str, str]:
        """Return the fields with which these people sign: {name of the field: staff ID}."""
        fields = dict(signers)
        return fields | {f"{name}_password": self.passwords[id] for name, id in signers.items()}

    def links(self, user: str, path: str, pattern: str) -> list[str]:
        """Return the links of a page that match a pattern, each once."""
        answer = self.contexts[user].request.get(path)
        addresses = links(answer.body(), answer.url, self.address)
        return list(dict.fromkeys(address for address in addresses if re.search(pattern, address)))

    def wait_for(self, user: str, path: str, text: str, seconds: int = 60) -> None:
        """Wait until a page has this text, because a worker has done its part."""
        deadline = time.monotonic() + seconds
        while text not in self.contexts[user].request.get(path).text():
            assert time.monotonic() < deadline, f"{path} has no “{text}” after {seconds} s"
            time.sleep(0.5)


def page(name: str, user: str, path: str, keys: tuple[str, ...] = ()) -> Place:
    """Return a page to which no link leads, or which is looked at after some keys were pressed."""
    return Place(("with rows", "", path), f"rows-{name}", user, path, keys)

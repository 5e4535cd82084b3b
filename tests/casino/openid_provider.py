"""A real OpenID Connect provider: oidc-provider for Node.js, a certified implementation, pinned in
`tests/tools/package.json`.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urljoin

import requests
from msgspec import json

from tests.manage import free_port
from tests.tools import install

PROGRAM = Path(install.HERE) / "openid_provider.mjs"
CLIENT, SECRET = "catwalk", "a-secret-that-only-the-tests-know"


class Provider(NamedTuple):
    """A running provider."""

    port: int

    @property
    def issuer(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def sign_in(self, url: str, account: str, session: requests.Session | None = None) -> str:
        """Sign in at the provider as a browser does, beginning at the address to which Catwalk redirects.
        Return the address to which the provider sends the browser back. `session` has the cookies of the
        provider; by default, it is new.
        """
        session = session or requests.Session()
        answer = session.get(url, allow_redirects=False, timeout=20)
        while True:
            while "Location" in answer.headers:
                address = urljoin(url, answer.headers["Location"])
                if not address.startswith(self.issuer):
                    return address
                answer = session.get(address, allow_redirects=False, timeout=20)
            answer.raise_for_status()
            action = re.search(r'<form[^>]* action="([^"]+)"', answer.text)
            assert action, answer.text
            fields = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', answer.text))
            if 'name="login"' in answer.text:
                fields |= {"login": account, "password": "any"}
            if 'name="logout"' in answer.text:
                fields |= {"logout": "yes"}
            answer = session.post(
                urljoin(self.issuer, unescape(action[1])), fields, allow_redirects=False, timeout=20
            )


@contextmanager
def running(
    accounts: dict[str, dict[str, Any]], redirect: str, port: int | None = None, **options: Any
) -> Iterator[Provider]:
    """Start a provider, and stop it at the end.

    Args:
        accounts: the claims of each account, by its subject.
        redirect: the address to which the provider may send browsers back. After a sign-out, it may send them
            to the sign-in page of the same host.
        port: the port of the provider; by default a free one.
        options: changes of the settings that the program gets.
    """
    modules = install.node("tsc").parents[1]
    provider = Provider(port or free_port())
    settings = {"port": provider.port, "modules": str(modules), "accounts": accounts, "redirects": [redirect]}
    settings |= {"alg": "RS256", "secret": SECRET, "seconds": 60, "conform": True}
    settings |= {"ends_sessions": True, "id_token_seconds": 60}
    settings |= {"after_sign_out": [urljoin(redirect, "/login/")]} | options
    process = subprocess.Popen(
        ["node", PROGRAM, json.encode(settings).decode()],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stdout is not None
        lines = iter(process.stdout.readline, "")
        assert any(line.strip() == "ready" for line in lines), "the provider did not start"
        yield provider
    finally:
        process.kill()
        process.communicate()

"""Send the forms of pages as a user does, without a browser window: the page is loaded, its form is filled
in, and the form is posted with the session of the user.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urlencode, urljoin, urlsplit

from playwright.sync_api import APIResponse, BrowserContext

Fields = Mapping[str, Any]
NOT_READY, TRIES = (202, 503), 60
"""The statuses of answers that ask to be requested again, and how often they are: a page still adds its
figures up, or the database of a busy machine did not answer in time.
"""


class Form:
    """A form of a page: its action, and the names and values that a browser would post unchanged."""

    def __init__(self, attributes: dict[str, str | None]) -> None:
        self.method = (attributes.get("method") or "get").lower()
        self.action = attributes.get("action") or ""
        self.values: list[tuple[str, str]] = []
        self.buttons: list[tuple[str, str]] = []

    def filled_in(self, fields: Fields) -> list[tuple[str, str]]:
        """Return the names and values to post: those of the form, with these fields instead of its own."""
        unchanged = [(name, value) for name, value in self.values if name not in fields]
        return unchanged + [
            (name, str(value))
            for name, values in fields.items()
            for value in (values if isinstance(values, list) else [values])
        ]


class _Forms(HTMLParser):
    """Collects the forms of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.is_open = False
        self.text_of = ""
        self.select = ""
        self.options: list[tuple[str, bool]] = []
        self.is_unnamed = False

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        values = dict(attributes)
        name, value = values.get("name") or "", values.get("value") or ""
        if tag == "form":
            self.forms.append(Form(values))
            self.is_open = True
        elif not self.is_open:
            return
        elif tag == "input" and name:
            self._input(values, name, value)
        elif tag == "button" and name:
            self.forms[-1].buttons.append((name, value))
        elif tag == "textarea":
            self.text_of = name
            self.forms[-1].values.append((name, ""))
        elif tag == "select":
            self.select, self.options, self.is_unnamed = name, [], False
        elif tag == "option" and self.select:
            self.options.append((value, "selected" in values))
            self.is_unnamed = "value" not in values

    def _input(self, values: dict[str, str | None], name: str, value: str) -> None:
        kind = values.get("type") or "text"
        if kind == "file" or (kind in ("checkbox", "radio") and "checked" not in values):
            return
        self.forms[-1].values.append((name, value or ("on" if kind == "checkbox" else "")))

    def handle_data(self, data: str) -> None:
        if self.text_of:
            name, text = self.forms[-1].values[-1]
            self.forms[-1].values[-1] = (name, text + data)
        if self.select and self.is_unnamed and data.strip():
            self.options[-1] = (data.strip(), self.options[-1][1])

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea":
            self.text_of = ""
        elif tag == "select" and self.select:
            chosen = [value for value, is_selected in self.options if is_selected]
            first = chosen or [value for value, _ in self.options[:1]]
            self.forms[-1].values += [(self.select, value) for value in first]
            self.select = ""
        elif tag == "form":
            self.is_open = False


def forms(html: str) -> list[Form]:
    """Return the forms of a page that are posted."""
    parser = _Forms()
    parser.feed(html)
    return [form for form in parser.forms if form.method == "post"]


def send(
    context: BrowserContext, page: str, fields: Fields, *, to: str = "", having: Fields | None = None
) -> APIResponse:
    """Fill in a form of a page and send it. Return the answer.

    Args:
        context: a browser context in which the user is signed in.
        page: the address of the page with the form.
        fields: the values of the fields to fill in. A list gives a field several values.
        to: the path to which the form is sent. By default, it is the path of the page.
        having: names and values of buttons or fields by which the form differs from others with this path.

    Raises:
        AssertionError: The page has no such form, or the form was refused.
    """
    loaded = _sent(lambda: context.request.get(page))
    assert loaded.ok, f"{page}: {loaded.status}"
    wanted = set((having or {}).items())
    target = to or urlsplit(page).path
    form = next(
        (
            form
            for form in forms(loaded.text())
            if urlsplit(urljoin(loaded.url, form.action)).path == target
            and wanted <= {*form.values, *form.buttons}
        ),
        None,
    )
    assert form is not None, f"{page} has no form to {target} with {wanted}"
    address = urljoin(loaded.url, form.action or loaded.url)
    return _accepted(post(context, address, form.filled_in(fields)), address)


def post(context: BrowserContext, address: str, values: list[tuple[str, str]]) -> APIResponse:
    """Post these names and values as a form."""
    header = {"Content-Type": "application/x-www-form-urlencoded", "Referer": address}
    return _sent(lambda: context.request.post(address, data=urlencode(values), headers=header))


def upload(context: BrowserContext, page: str, name: str, content: bytes, **fields: str) -> APIResponse:
    """Send the form of a page with a file in its field `file`, and return the answer."""
    loaded = context.request.get(page)
    form = next(form for form in forms(loaded.text()) if not form.action or form.action == page)
    file = {"name": name, "mimeType": "application/octet-stream", "buffer": content}
    values: dict[str, Any] = {**dict(form.values), **fields, "file": file}
    header = {"Referer": loaded.url}
    return _accepted(_sent(lambda: context.request.post(page, multipart=values, headers=header)), page)


def _sent(request: Callable[[], APIResponse]) -> APIResponse:
    """Send a request, and send it again while the answer is not ready."""
    for _ in range(TRIES):
        answer = request()
        if answer.status not in NOT_READY:
            break
        time.sleep(1)
    return answer


def _accepted(answer: APIResponse, address: str) -> APIResponse:
    body = answer.text()
    refusal = body.partition('class="refused"')[2].partition("</p>")[0].partition(">")[2].strip()
    assert answer.ok, f"{address}: {answer.status} {refusal or body[:300]}"
    assert not refusal, f"{address}: {refusal}"
    return answer

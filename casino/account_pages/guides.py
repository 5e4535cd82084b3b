"""The documents in `docs/` as pages under `/help/`: a list of them by role, and each as HTML.

Markdown is rendered without raw HTML. A link to another document becomes a link to its help page, an image is
loaded from `/help/images/`, and a link to a file that has no help page becomes plain text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from django.conf import settings
from django.urls import reverse
from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

DOCUMENTS = Path(settings.BASE_DIR) / "docs"
IMAGES = DOCUMENTS / "images"


class Guide(NamedTuple):
    """One document with a help page."""

    slug: str
    title: str
    file: str
    """The path of the document below `docs/`."""
    roles: tuple[str, ...] = ()
    """The roles for which the document is written, or empty for all roles."""


GUIDES = (
    Guide("surveillance", "Surveillance", "guides/surveillance.md", ("surveillance",)),
    Guide("floor", "Floor", "guides/floor.md", ("supervisor", "table-games", "dealer")),
    Guide("cage", "Cage", "guides/cage.md", ("cage",)),
    Guide("count-room", "Count room", "guides/count-room.md", ("count", "security")),
    Guide("accounting", "Accounting", "guides/accounting.md", ("accounting",)),
    Guide(
        "audit-and-regulator",
        "Audit and regulator",
        "guides/audit-and-regulator.md",
        ("internal-audit", "regulator"),
    ),
    Guide("administrator", "Administrator", "guides/administrator.md", ("administrator",)),
    Guide("reports-and-exports", "Reports and exports", "reports-and-exports.md"),
    Guide("how-figures-are-computed", "How figures are computed", "how-figures-are-computed.md"),
    Guide("how-facts-are-judged", "How facts are judged", "how-facts-are-judged.md"),
    Guide("findings", "Findings by code", "findings.md"),
    Guide("events", "Kinds of fact", "events.md"),
    Guide("api", "REST API", "api.md"),
    Guide("glossary", "Glossary", "glossary.md"),
)
BY_SLUG = {guide.slug: guide for guide in GUIDES}
BY_FILE = {guide.file: guide for guide in GUIDES}
MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")
IDENTIFIER = re.compile(
    r"\b(?:[A-Z]{1,4}[0-9]{0,2}(?:-[A-Z]{1,4}[0-9]{2})?-[0-9]{2,}|[a-z]{1,2}-[0-9]{2,})\b"
)
"""A table such as EOU-02, a serial, a control, a staff ID or a hand. A line must not break at its hyphen."""


def _text(self: RendererHTML, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
    """Return a text as HTML in which a line does not break inside of an identifier."""
    return IDENTIFIER.sub(r'<span class="w">\g<0></span>', escapeHtml(tokens[idx].content))


def _code(self: RendererHTML, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
    """Return code within a sentence as HTML, in the same way."""
    return f"<code>{_text(self, tokens, idx, options, env)}</code>"


def _table(self: RendererHTML, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
    """Return the beginning of a table in a box that scrolls, also by keys."""
    return '<div class="scroll" tabindex="0"><table>'


def _end_of_table(self: RendererHTML, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
    return "</table></div>"


MARKDOWN.add_render_rule("text", _text)
MARKDOWN.add_render_rule("table_open", _table)
MARKDOWN.add_render_rule("table_close", _end_of_table)
MARKDOWN.add_render_rule("code_inline", _code)


def for_roles(roles: set[str]) -> list[Guide]:
    """Return all guides, those written for these roles first."""
    return sorted(GUIDES, key=lambda guide: not roles & set(guide.roles))


def html(guide: Guide) -> str:
    """Return the document as HTML. It is cached until its file changes."""
    path = DOCUMENTS / guide.file
    return _rendered(guide.file, path, path.stat().st_mtime_ns)


@lru_cache(maxsize=2 * len(GUIDES))
def _rendered(file: str, path: Path, changed: int) -> str:
    tokens = MARKDOWN.parse(path.read_text(encoding="utf-8"))
    slugs: dict[str, int] = {}
    for place, token in enumerate(tokens):
        if token.type == "heading_open":
            token.attrSet("id", anchor(tokens[place + 1].content, slugs))
        if token.type == "th_open" and not tokens[place + 1].content:  # a corner is no heading
            token.tag = tokens[place + 2].tag = "td"
        if token.type == "inline":
            token.children = _with_addresses(token.children or [], PurePosixPath(file).parent)
    page: str = MARKDOWN.renderer.render(tokens, MARKDOWN.options, {})
    return page


def anchor(heading: str, counts: dict[str, int] | None = None) -> str:
    """Return the anchor that GitHub gives a heading. If the same heading occurs again, append a number,
    starting with 1.
    """
    slug = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
    if counts is None:
        return slug
    number = counts.get(slug, 0)
    counts[slug] = number + 1
    return f"{slug}-{number}" if number else slug


def _with_addresses(tokens: list[Token], folder: PurePosixPath) -> list[Token]:
    """Return the Markdown tokens of a paragraph. Links and images in `docs/` get addresses under `/help/`."""
    shown: list[Token] = []
    open_links: list[bool] = []
    for token in tokens:
        if token.type == "image":
            picture = reverse("help_image", args=[PurePosixPath(str(token.attrGet("src"))).name])
            token.attrSet("src", picture)
            shown += _in_link(token, picture)
            continue
        if token.type == "link_open":
            address = _address(str(token.attrGet("href")), folder)
            open_links.append(address is not None)
            if address is None:
                continue
            token.attrSet("href", address)
        elif token.type == "link_close" and not open_links.pop():
            continue
        shown.append(token)
    return shown


def _in_link(image: Token, address: str) -> list[Token]:
    """Return an image as a link to its file, because its text is too small to read on a phone."""
    return [Token("link_open", "a", 1, attrs={"href": address}), image, Token("link_close", "a", -1)]


def _address(href: str, folder: PurePosixPath) -> str | None:
    """Return the address under `/help/` for a link in a document, or None if its target has no help page."""
    path, _, fragment = href.partition("#")
    if not path or re.match(r"https?:", href):
        return href
    parts: list[str] = []
    for part in (folder / path).parts:
        if part == ".." and parts:
            parts.pop()
        else:
            parts.append(part)
    guide = BY_FILE.get("/".join(parts))
    if guide is None:
        return None
    return reverse("help_guide", args=[guide.slug]) + (f"#{fragment}" if fragment else "")

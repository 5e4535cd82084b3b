"""Read the figures of a home page: which are links, which are not, and whether a linked page shows the same
figure.
"""

from __future__ import annotations

import re
from decimal import Decimal
from html.parser import HTMLParser
from typing import NamedTuple

from tests.casino.pages import markup, text

VOID = frozenset(
    {"area", "br", "circle", "col", "hr", "img", "input", "line", "link", "meta", "path", "rect", "use"}
)
"""Elements without an end tag."""
NOT_FIGURES = (
    r"\d{1,2} [A-Z][a-z]{2}( \d{4})?",  # a gaming day, such as 27 Nov 2026
    r"\d{1,2}:\d{2}(:\d{2})?",  # a clock time
    r"(\d+ (s|min|h|d)\b ?)+",  # the time since an event
    r"\d+ (gaming )?(days|hours)\b",  # the period of a figure
    r"fact \d+",  # the name of a hand without one
    r"[\w/-]*[A-Za-z][\w/-]*",  # a name of a table, person or report, such as EOU-07
)
"""Patterns of words with digits that are not figures."""
LABELS = frozenset({"line-label", "none", "chart", "month", "month-key", "sentence"})
"""CSS classes of the parts of a card that name figures: the words before a value, sentences, the text of an
empty list, the axes of a chart, and the calendar of a month. Titles and the headings of columns name figures,
too. Their digits are periods, such as `31 days`. The marks of a chart are links with a test of their own.
"""


class FigureLink(NamedTuple):
    """A figure that is a link: the title of its card, the words before it, its text and its address."""

    card: str
    label: str
    text: str
    address: str


class Figures(HTMLParser):
    """Collects the figures of a home page, in two lists: those that are links, and those that are not."""

    def __init__(self) -> None:
        super().__init__()
        self._path: list[tuple[str, dict[str, str]]] = []
        self._card = self._label = ""
        self._link: list[str] = []
        self.links: list[FigureLink] = []
        self.without_link: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in VOID:
            return
        attributes = {name: value or "" for name, value in attrs}
        if "board-card" in attributes.get("class", "").split():
            self._card = ""
        if tag in ("li", "p", "tr"):
            self._label = ""
        self._path.append((tag, attributes))

    def handle_endtag(self, tag: str) -> None:
        if tag == "a" and self._is_figure() and (words := " ".join(" ".join(self._link).split())):
            address = next(attrs["href"] for name, attrs in reversed(self._path) if name == "a")
            if has_figure(words):
                self.links.append(FigureLink(self._card, self._label, words, address))
        if tag == "a":
            self._link = []
        while self._path and self._path.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        tags = [tag for tag, _ in self._path]
        if "h3" in tags and "small" not in tags:
            self._card += data.strip()
        if tags[-2:] in (["li", "span"], ["th"]):
            self._label += data.strip()
        if not self._is_figure():
            return
        if "a" in tags:
            self._link.append(data)
        elif has_figure(data):
            self.without_link.append(f"{self._card}: {data.strip()}")

    def _is_figure(self) -> bool:
        """Return True if the present place is in a card of the home page, and not in a part that names
        figures.
        """
        tags = [tag for tag, _ in self._path]
        classes = {name for _, attrs in self._path for name in attrs.get("class", "").split()}
        is_title = "thead" in tags or ("h3" in tags and "a" not in tags)
        return "board-card" in classes and not classes & LABELS and not is_title


def has_figure(words: str) -> bool:
    """Return True if the words have a digit that belongs to a figure."""
    return bool(tokens(words))


def figures(page: object) -> Figures:
    """Return the figures of a home page."""
    parser = Figures()
    parser.feed(markup(page))
    return parser


def tokens(words: str) -> list[str]:
    """Return the figures in the words, without the separators of thousands."""
    for pattern in NOT_FIGURES:
        words = re.sub(rf"(?<![\w.,]){pattern}(?![\w])", " ", words)
    return re.findall(r"-?\d+(?:\.\d+)?", words.replace("−", "-").replace(",", ""))


def agrees(figure: str, page: object) -> bool:
    """Return True if the page shows each number of this figure: as a number on the page, or as the number of
    rows of its list. A page without a list agrees with 0.
    """
    main = re.sub("^.*?(?=<main|<div id=.content.)", "", markup(page), count=1)
    rows = len(re.findall(r"<tr", main.partition("<tbody")[2]))
    shown = {Decimal(number) for number in [*tokens(text(main)), f"{rows}"]}
    return all(_is_in(Decimal(number), shown) for number in tokens(figure))


def _is_in(number: Decimal, shown: set[Decimal]) -> bool:
    """Return True if the number is shown, perhaps with more decimals."""
    exponent = number.as_tuple().exponent
    is_whole = not isinstance(exponent, int) or exponent >= 0
    return number in shown or (not is_whole and any(longer.quantize(number) == number for longer in shown))

"""The cards of a home page. Every figure leads to the page that lists what it counts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from functools import lru_cache
from typing import Any, NamedTuple
from urllib.parse import quote_plus

from django.urls import get_script_prefix, reverse

from casino.accounts.permissions import can
from casino.presentation.charts.series import Plot

ROWS = 5
"""Maximum number of rows of a list on a home page."""


class Viewer(NamedTuple):
    """The user for whom a home page is made, the property, its current gaming day, and the present time."""

    person: Any
    property: str
    today: date
    now: datetime

    def may(self, act: str) -> bool:
        """Return True if the user has the right `act` at the property."""
        return can(self.person, act, self.property)

    def link(self, act: str, name: str, *parts: str, **query: str) -> str:
        """Return the URL of the page with this name for the property, or empty text if the user may not open
        it. `query` are the parameters of the URL. A parameter with an empty value is not included.
        """
        address = self.address(act, name, *parts)
        if not address:
            return ""
        parameters = {"property": self.property, **{name: value for name, value in query.items() if value}}
        return (
            f"{address}?{'&'.join(f'{_quoted(name)}={_quoted(value)}' for name, value in parameters.items())}"
        )

    def admin_link(self, act: str, name: str, **query: str) -> str:
        """Return the URL of a list of the admin, or empty text if the user may not enter the admin or may not
        see the list.
        """
        return self.link(act, f"admin:{name}_changelist", **query) if self.may("enter-admin") else ""

    def address(self, act: str, name: str, *parts: str) -> str:
        """Return the URL of a page without parameters, or empty text if the user may not open it."""
        return _path(get_script_prefix(), name, parts) if self.may(act) else ""


@lru_cache(maxsize=2048)
def _path(prefix: str, name: str, parts: tuple[str, ...]) -> str:
    """Return the path of a page. It is cached, because a home page has about a hundred links.

    Args:
        prefix: the script prefix of the request, on which the path depends.
    """
    return reverse(name, args=parts)


@lru_cache(maxsize=2048)
def _quoted(text: str) -> str:
    """Return a text as it is written in the parameters of a URL."""
    return quote_plus(text)


class FigureLine(NamedTuple):
    """A line below the figure of a card.

    Attributes:
        kind: empty, or `alarm` or `warn` for what needs attention.
        grade: the grade whose shape is drawn before it.
    """

    label: str
    value: str
    address: str = ""
    kind: str = ""
    grade: str = ""


class Figure(NamedTuple):
    """A card with one large figure.

    Attributes:
        says: the small text after the figure.
        facts: the lines below the figure.
    """

    title: str
    value: str
    says: str = ""
    address: str = ""
    facts: Sequence[FigureLine] = ()
    kind: str = ""

    @property
    def template(self) -> str:
        """Return the template that shows the card."""
        return "home/_figure.html"

    @property
    def linked_facts(self) -> list[FigureLine]:
        """Return the lines below the figure. A line without an address leads to the rows of the figure."""
        return [fact._replace(address=fact.address or self.address) for fact in self.facts]


class Cell(NamedTuple):
    """A cell of a list: its text, a second line, and the URL of its link.

    Attributes:
        is_number: True if it is right aligned.
    """

    text: str
    second: str = ""
    address: str = ""
    kind: str = ""
    is_number: bool = False

    @property
    def is_figure(self) -> bool:
        """Return True if the cell has a number, and not words in place of one."""
        return self.is_number and any(map(str.isdigit, self.text))


class Line(NamedTuple):
    """A row of a list.

    Attributes:
        grade: the grade whose shape is drawn before it.
    """

    cells: Sequence[Cell]
    grade: str = ""

    @property
    def linked_cells(self) -> list[Cell]:
        """Return the cells. A figure without an address leads to the same page as the first cell."""
        address = self.cells[0].address
        return [
            cell._replace(address=cell.address or (address if cell.is_figure else "")) for cell in self.cells
        ]


class Table(NamedTuple):
    """A card with a list of the first rows.

    Attributes:
        heads: the headings of its columns, each with True if the column is right aligned.
        none: the sentence that is shown if there are no rows.
        total: the number of all rows.
    """

    title: str
    says: str
    heads: Sequence[tuple[str, bool]]
    lines: Sequence[Line]
    none: str
    address: str = ""
    link: str = ""
    total: int | None = None
    is_wide: bool = False

    @property
    def template(self) -> str:
        """Return the template that shows the card."""
        return "home/_table.html"

    @property
    def left_out(self) -> int:
        """Return the number of rows that exist but are not in the list."""
        return max(0, (self.total or 0) - len(self.lines))


class Chart(NamedTuple):
    """A card with a chart over time."""

    title: str
    says: str
    plot: Plot
    address: str = ""
    link: str = ""
    is_wide: bool = True

    @property
    def template(self) -> str:
        """Return the template that shows the card."""
        return "home/_chart.html"


DAY_STATES = {
    "closed": "closed",
    "adjusted": "adjusted after the close",
    "partly": "some tables closed",
    "open": "open",
    "no-facts": "no tables",
}
"""For each state of a gaming day in the calendar: the state in words."""


class Day(NamedTuple):
    """A gaming day in the calendar of a card.

    Attributes:
        state: `closed`, `partly`, `open`, `adjusted` or `no-facts`.
    """

    day: date
    state: str
    address: str

    @property
    def words(self) -> str:
        """Return the state in words, as the key below the calendar."""
        return DAY_STATES[self.state]


class Days(NamedTuple):
    """A card with the gaming days of a month.

    Attributes:
        before: the empty places before the first day.
    """

    title: str
    days: Sequence[Day]
    before: range
    address: str = ""
    is_wide: bool = False

    @property
    def states(self) -> Iterable[tuple[str, str]]:
        """Return all states of a day with their words, for the key below the calendar."""
        return DAY_STATES.items()

    @property
    def template(self) -> str:
        """Return the template that shows the card."""
        return "home/_days.html"


Card = Table | Chart | Days
"""A card on the home page that is not a figure. The page shows these cards below the figures."""


class Home(NamedTuple):
    """The home page of one role. The page shows `figures` above `cards`.

    Attributes:
        day: the gaming day that the user can choose, or None if the page has no such day.
    """

    title: str
    figures: Sequence[Figure]
    cards: Sequence[Card]
    day: date | None = None

    @property
    def wide(self) -> list[Card]:
        """Return the cards of the wide column."""
        return [card for card in self.cards if card.is_wide]

    @property
    def narrow(self) -> list[Card]:
        """Return the cards of the narrow column."""
        return [card for card in self.cards if not card.is_wide]


def head(*names: str) -> list[tuple[str, bool]]:
    """Return the headings of a list. A name that begins with `>` is the heading of a right-aligned column."""
    return [(name.removeprefix(">"), name.startswith(">")) for name in names]


def first(lines: Iterable[Line]) -> list[Line]:
    """Return the first ROWS rows."""
    return [line for _, line in zip(range(ROWS), lines, strict=False)]

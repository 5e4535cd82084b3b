"""The parameters of a board: property, gaming days by preset or range, a game, and the row to show
in detail.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from typing import NamedTuple
from urllib.parse import urlencode

from django.http import HttpRequest
from django.urls import reverse

from audit.queries.span import Span
from casino.boards import links
from casino.presentation.formatting import day_label
from casino.reference.calendar import gaming_day
from casino.web import request_params
from casino.web.day_presets import DAYS, PresetLink, preset_links
from games import GAMES

LONGEST = 400
"""Maximum number of gaming days of a board."""


class BoardRequest(NamedTuple):
    """The parameters of a board. `begins` and `last` are inclusive."""

    board: str
    house: str
    today: date
    begins: date
    last: date
    game: str
    chosen: str
    every: bool
    currency: str

    @property
    def span(self) -> Span:
        """Return the gaming days of the board."""
        return Span(self.begins, self.last + timedelta(days=1), self.house)

    @property
    def number_of_days(self) -> int:
        """Return the number of gaming days."""
        return (self.last - self.begins).days + 1

    @property
    def with_days_before(self) -> Span:
        """Return a range: the gaming days of the board, and the same number of days before them."""
        return self.span._replace(begins=self.begins - timedelta(days=self.number_of_days))

    @property
    def days_in_words(self) -> str:
        """Return the range of days: `28 Oct to 27 Nov 2026`."""
        if self.begins == self.last:
            return day_label(self.last)
        year = f" {self.begins:%Y}" if self.begins.year != self.last.year else ""
        return f"{self.begins.day} {self.begins:%b}{year} to {day_label(self.last)}"

    def address(self, **changed: str) -> str:
        """Return the URL of this board with changed parameters. A parameter with an empty value is not
        included.
        """
        board = changed.pop("board", self.board)
        values = {
            "property": self.house,
            "from": self.begins.isoformat(),
            "to": self.last.isoformat(),
            "game": self.game,
            "currency": self.currency,
            "of": self.chosen,
            "all": "1" if self.every else "",
        } | changed
        parameters = {name: value for name, value in values.items() if value}
        return f"{reverse('board', args=[board])}?{urlencode(parameters)}"

    def hands(self, **filters: str | list[str]) -> str:
        """Return the URL of the search for hands on the days of this board and of its game."""
        every: dict[str, str | list[str]] = {"game": self.game, **filters}
        return links.hands(self.house, self.begins, self.last, **every)

    @property
    def presets(self) -> list[PresetLink]:
        """Return the ranges of days that the page offers."""
        return preset_links(
            self.today,
            self.begins,
            self.last,
            lambda begins, last: self.address(**{"from": begins, "to": last, "of": ""}),
        )


def read(request: HttpRequest, board: str, act: str) -> BoardRequest:
    """Return the parameters of a board. Raise PermissionDenied for a property that the user may not see."""
    property, sent = request_params.chosen_property(request, act), request.GET
    today = gaming_day(property)
    begins, last = request_params.day_range(sent, today, DAYS)
    game = request_params.clean_text(sent.get("game"))
    return BoardRequest(
        board=board,
        house=property,
        today=today,
        begins=begins,
        last=last,
        game=game,
        chosen=request_params.clean_text(sent.get("of")),
        every=sent.get("all") == "1",
        currency=request_params.clean_text(sent.get("currency")),
    )


def errors(request: HttpRequest, wanted: BoardRequest) -> Iterator[str]:
    """Yield a sentence for each invalid parameter."""
    yield from request_params.day_errors(request.GET)
    if wanted.number_of_days > LONGEST:
        yield f"A board shows at most {LONGEST} gaming days. Choose a shorter range."
    if wanted.game and wanted.game not in GAMES:
        yield f"Game: “{wanted.game[:40]}” is not a game of this installation."

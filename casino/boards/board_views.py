"""The pages of surveillance's boards. This module checks the right for each board, and adds the choice of
days and the tabs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from casino.accounts import view_log
from casino.accounts.permissions import can
from casino.boards import request as params
from casino.boards.control_views import control_board
from casino.boards.count_views import code_board, exposure_board, officer_board
from casino.boards.error_views import error_board
from casino.boards.request import BoardRequest
from casino.presentation.formatting import game_title
from casino.reference import calendar
from casino.reports.progress import with_progress
from casino.web import request_params
from casino.web.replica import reads_replica
from games import GAMES

Draw = Callable[[HttpRequest, BoardRequest, dict[str, Any]], HttpResponse]


class Board(NamedTuple):
    """One board: its title, what it shows, the right that it needs, and the function that shows it.

    Attributes:
        of_people: True if each view is recorded in the viewing log, because the board is about people.
        in_time: True if the board is about a range of gaming days, False if it shows the present moment.
    """

    title: str
    says: str
    act: str
    draw: Draw
    of_people: bool = False
    in_time: bool = True
    by_game: bool = False


BOARDS = {
    "dealers": Board(
        "Dealers", "errors compared with chance", "see-queue", error_board, of_people=True, by_game=True
    ),
    "tables": Board("Tables", "errors compared with chance", "see-queue", error_board, by_game=True),
    "games": Board("Games", "errors compared with chance", "see-queue", error_board),
    "codes": Board("Codes", "findings and their verdicts", "see-queue", code_board),
    "controls": Board("Controls", "exceptions, and what was not judged", "see-queue", control_board),
    "officers": Board("Officers", "verdicts", "see-findings", officer_board, of_people=True),
    "exposure": Board("Exposure", "now", "see-queue", exposure_board, in_time=False),
}
"""All boards by the last part of their address, in the order of their tabs."""


@require_safe
def boards(request: HttpRequest) -> HttpResponse:
    """Redirect to the first board."""
    request_params.permitted_properties(request, "see-queue")
    return redirect("board", next(iter(BOARDS)))


@require_safe
@with_progress("Boards")
@reads_replica
def board(request: HttpRequest, name: str) -> HttpResponse:
    """Show one board. Parameters: `property`; `from` and `to`, both inclusive; `game`; `of`, the name of the
    row to show in detail; `all=1`, to show all rows; `currency`.
    """
    if name not in BOARDS:
        raise Http404(name)
    chosen = BOARDS[name]
    wanted = params.read(request, name, chosen.act)
    context = {
        "board": chosen,
        "wanted": wanted,
        "places": request_params.permitted_properties(request, chosen.act),
        "tabs": [
            (chosen_board.title, wanted.address(board=tab, of="", currency=""), tab == name)
            for tab, chosen_board in BOARDS.items()
            if can(request.user, chosen_board.act, wanted.house)
        ],
        "games": [(code, game_title(code)) for code in GAMES],
        "zone": calendar.zone(wanted.house, wanted.today),
    }
    if wrong := list(params.errors(request, wanted)):
        return render(request, "boards/board.html", context | {"wrong": wrong}, status=400)
    if chosen.of_people:
        title = f"Board of {chosen.title.lower()}, {wanted.days_in_words}"
        view_log.record_report(request.user, wanted.house, title, wanted.address())
    return chosen.draw(request, wanted, context)

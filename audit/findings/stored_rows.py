"""The database tables that store the results of replay by stream, and the rows that a fold produces for them.

`save` writes these rows. `compare` compares the stored rows with them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import UTC
from functools import lru_cache
from typing import Any

from msgspec import json

from audit.differences import StoredTable
from audit.replay.checks.drop import Drop
from audit.replay.ended_rounds import EndedRound
from audit.replay.fold import Fold
from audit.replay.results import DIVIDED, Finding, Play, Tally
from audit.replay.slips import Slip
from audit.replay.tally import serial_of
from games import GAMES

Row = tuple[Any, ...]
SUMS = ("rounds", "bets", "staked", "paid", "taken", "returned")
BESIDES = ("squared", "together", "voided", "decided", *DIVIDED, "parts")
VOIDS = ("number", "spot", "wager", "round", "shift", "hour", "dealer", "currency", "stake", "refunded")


PLAY = StoredTable(
    "tally",
    ("currency", "shift", "hour", "dealer", "wager", "pay_table", "price_class", "opening"),
    (*SUMS, *BESIDES, "found"),
)
CAGE = StoredTable("cage_tally", ("currency", "shift", "kind"), ("number", "amount"))
PLAYERS = StoredTable("player_tally", ("currency", "player", "wager"), SUMS)
TRAYS = StoredTable("tray_tally", ("place",), ("kind", "currency", "shift", "amount"))
VOIDED = StoredTable("void_tally", VOIDS[:3], (*VOIDS[3:], "worth"))
SLIPS = StoredTable("slip_tally", ("kind", "slip", "currency"), ("shift", "number", "amount", "stands"))
TALLIES = (PLAY, CAGE, PLAYERS, TRAYS, VOIDED)
"""The database tables that store a tally. The table of slips is not in this list, because slips are stored
from the state of the fold.
"""
FINDINGS = StoredTable(
    "finding",
    ("id",),
    (
        "stream",
        "number",
        "uid",
        "reader",
        "round",
        "code",
        "grade",
        "spot",
        "wager",
        "owed",
        "moved",
        "says",
        "cite",
        "slip",
    ),
)
"""The database table of findings. Its key is property and id, and the stream is an ordinary column."""
ROUNDS = StoredTable(
    "round_tally",
    ("number",),
    (
        *(
            "round",
            "table",
            "day",
            "game",
            "shift",
            "dealer",
            "supervisor",
            "opened_at",
            "ended_at",
            "voided",
        ),
        *("currency", "bets", "staked", "paid", "taken", "returned"),
        *("spots", "players", "wagers", "outcomes", "cards"),
    ),
)
"""The database table of finished rounds, with the columns that depend only on the fold. All other columns
depend on the officers' queue: `audit.review.round_columns`.
"""
EXAMINED = (
    "cursor",
    "rules",
    "game",
    "live_dealer",
    "settings",
    "open_boxes",
    "boxes",
    "stays",
    "first_box",
    "state",
)
"""The columns of `examination` that depend only on the fold."""


def tally_rows(tally: Tally, before: Tally) -> Iterator[tuple[StoredTable, list[Row]]]:
    """Yield each database table of a tally, with the rows that differ from those in `before`."""
    yield (
        PLAY,
        [
            (*key, *_sums(row), *(getattr(row, name) for name in BESIDES), row.found)
            for key, row in tally.play.items()
            if before.play.get(key) != row
        ],
    )
    yield (
        CAGE,
        [(*key, row.number, row.amount) for key, row in tally.cage.items() if before.cage.get(key) != row],
    )
    yield (
        PLAYERS,
        [(*key, *_sums(row)) for key, row in tally.players.items() if before.players.get(key) != row],
    )
    known = dict(enumerate(before.trays, 1))
    yield (
        TRAYS,
        [(place, *tray) for place, tray in enumerate(tally.trays, 1) if known.get(place) != tray],
    )
    yield (
        VOIDED,
        [
            (*(getattr(void, name) for name in VOIDS), _text(void.worth))
            for void in tally.voids[len(before.voids) :]
        ],
    )


def slip_rows(slips: dict[str, Slip], before: dict[str, Slip]) -> list[Row]:
    """Return the rows of the slips that differ from those in `before`."""
    return [
        (slip.kind, serial_of(name), slip.currency, slip.shift, slip.number, slip.shown, slip.stands)
        for name, slip in slips.items()
        if before.get(name) != slip
    ]


def finding_rows(reader: str, findings: Iterable[Finding]) -> Iterator[Row]:
    """Yield the rows of the table `finding` for these findings of a fold.

    Args:
        reader: `table` for the fold of a stream, `ledger` for the fold of a property's ledger.
    """
    for finding in findings:
        yield (
            finding.id,
            finding.stream,
            finding.number,
            finding.uid,
            reader,
            finding.round,
            finding.code,
            finding.grade,
            finding.spot,
            finding.wager,
            _text(finding.owed),
            _text(finding.moved),
            finding.says,
            finding.cite,
            finding.slip,
        )


def round_rows(stream: str, rounds: Iterable[EndedRound]) -> Iterator[Row]:
    """Yield the rows of the table `round_tally` for these finished rounds of a stream. Lists are in the form
    in which Postgres prints them.
    """
    table, _, day = stream.rpartition("/")
    for ended in rounds:
        yield (
            ended.number,
            ended.round,
            table,
            day,
            ended.game,
            ended.shift,
            ended.dealer,
            ended.supervisor,
            ended.opened_at.astimezone(UTC),
            ended.ended_at.astimezone(UTC),
            ended.voided,
            ended.currency,
            ended.bets,
            ended.staked,
            ended.paid,
            ended.taken,
            ended.returned,
            *map(_array, (ended.spots, ended.players, ended.wagers, ended.outcomes, ended.cards)),
        )


_ROUND_CASTS = {
    **dict.fromkeys(("number", "bets"), "::bigint"),
    "day": "::date",
    **dict.fromkeys(("opened_at", "ended_at"), "::timestamptz"),
    "voided": "::boolean",
    **dict.fromkeys(("staked", "paid", "taken", "returned"), "::numeric"),
    **dict.fromkeys(("spots", "players", "wagers", "outcomes", "cards"), "::text[]"),
}
ROUND_CELLS = ", ".join(
    f'(j ->> {place}){_ROUND_CASTS.get(name, "")} AS "{name}"' for place, name in enumerate(ROUNDS.columns)
)
"""SQL for the columns of ROUNDS in a row `j` of `round_rows` that was sent as JSON."""


def _array(texts: Iterable[str]) -> str:
    return "{" + ",".join(map(_element, texts)) + "}"


@lru_cache(10_000)
def _element(text: str) -> str:
    """Return a text in the form in which Postgres prints it as an item of an array."""
    if _PLAIN.fullmatch(text) and text.lower() != "null":
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


_PLAIN = re.compile(r'[^ \t\n\v\r\f"\\{},]+')


def examination_row(fold: Fold, rules: str, state: bytes | None) -> Row:
    """Return the values of the columns EXAMINED of the table `examination` for a stream after its fold."""
    game = game_of(fold)
    live_dealer = game in GAMES and GAMES[game].live_dealer
    return (
        fold.number,
        rules,
        game,
        live_dealer,
        json.encode(fold.state.settings).decode(),
        next((len(check.missing()) for check in fold.checks if isinstance(check, Drop)), 0),
        None if live_dealer else _boxes(fold),
        fold.state.boxes.stays and not live_dealer,
        fold.state.boxes.first or "",
        state,
    )


def game_of(fold: Fold) -> str:
    """Return the game of a stream, or an empty text if its table was not opened."""
    opened = fold.state.opened
    return opened.game if opened is not None else ""


def _boxes(fold: Fold) -> int | None:
    """Return the number of drop boxes on the table's day, or None if the cage and the count room recorded no
    facts.
    """
    kinds = {kind for _, _, kind in fold.tally.cage} - {"corrected"}
    return fold.state.boxes.number if kinds else None


def _sums(row: Play) -> tuple[int, ...]:
    return (row.rounds, row.bets, row.staked, row.paid, row.taken, row.returned)


def _text(amount: int | str | None) -> str | None:
    return None if amount is None else str(amount)

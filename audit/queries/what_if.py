"""Compute the payouts under other settings: a period is replayed under another edition, pay table or
house-rule option (reading). Nothing is stored.

The same facts are folded twice: once with the settings of the table's opening, and once with the other
settings. Rounds that are void or have no result are in neither of the two sums.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple

from msgspec import Struct, msgpack, structs

from audit import database
from audit.facts import decode
from audit.jobs import work_units
from audit.jobs.leases import Lease
from audit.jobs.work_units import Progress, Result, Unit
from audit.ledger import store
from audit.queries.span import Span
from audit.replay.fold import Fold
from audit.replay.rules_fingerprint import rules_of_ledger
from games import GAMES
from games.kit import events as e
from games.kit.events import Event
from games.kit.game import Game
from games.kit.round import Round

KIND = "what-if-stream"
"""The kind of the jobs that replay a stream twice: with its own settings and with the others."""


class OtherSettings(NamedTuple):
    """The other settings under which a what-if replay opens tables. A setting that is None or empty stays as
    it was. `pay_tables` is {wager: pay table}. The key `""` means all wagers that have a pay table of
    this name.
    """

    edition: str | None
    pay_tables: dict[str, str]
    readings: dict[str, str]

    def opened(self, event: e.TableOpened) -> e.TableOpened | None:
        """Return the opening with the other settings. Return None if the game does not have these settings,
        or if the opening already uses them.
        """
        game = GAMES.get(event.game)
        if game is None or not self.known_to(game):
            return None
        tables = event.pay_tables | {
            wager: name for wager, name in self.tables_of(game).items() if wager in game.pay_tables
        }
        changed = structs.replace(
            event,
            edition=self.edition or event.edition,
            pay_tables=tables,
            readings=event.readings | self.readings,
        )
        return changed if changed != event else None

    def opened_so(self, event: e.TableOpened) -> bool:
        """Return True if this opening already has the other settings."""
        game = GAMES.get(event.game)
        return game is not None and self.known_to(game) and self.opened(event) is None

    def known_to(self, game: Game) -> bool:
        """Return True if the game has this edition, these pay tables and these options."""
        return (
            self.edition in (None, *game.editions)
            and all(answer in game.options.get(question, ()) for question, answer in self.readings.items())
            and all(
                any(name in known for of, known in game.pay_tables.items() if wager in ("", of))
                for wager, name in self.pay_tables.items()
            )
        )

    def tables_of(self, game: Game) -> dict[str, str]:
        """Return {wager: pay table}. A pay table that is named for one wager has priority over a pay table
        for all wagers.
        """
        every = self.pay_tables.get("")
        general = (
            {wager: every for wager, known in game.pay_tables.items() if every in known}
            if every is not None
            else {}
        )
        return general | {wager: name for wager, name in self.pay_tables.items() if wager}


def read(text: str) -> OtherSettings:
    """Parse `edition=E,pay_tables=spread:B,readings=tie:push`. `pay_tables=B` means all wagers that have a
    table B.

    If the text is invalid, or if no installed game has these settings, raises ValueError with a list of the
    allowed values.
    """
    edition, tables, readings = None, {}, {}
    part = ""
    for piece in text.split(","):
        name, equals, value = piece.strip().partition("=")
        if not equals:
            name, value = part, name  # a further entry of the same setting
        part, (key, colon, answer) = name, value.partition(":")
        if name == "edition" and value and not edition:
            edition = value
        elif name == "pay_tables" and value:
            tables[key if colon else ""] = answer if colon else value
        elif name == "readings" and colon:
            readings[key] = answer
        else:
            raise ValueError(
                f"{piece.strip()!r} must be edition=E, pay_tables=WAGER:TABLE or readings=QUESTION:ANSWER"
            )
    settings = OtherSettings(edition, tables, readings)
    if not any(settings.known_to(game) for game in GAMES.values()):
        known = "; ".join(f"{code}: {', '.join(game.editions)}" for code, game in sorted(GAMES.items()))
        raise ValueError(
            f"no installed game has all of the settings {text!r}; the games and their editions are {known}"
        )
    return settings


class Sums(Struct):
    """The sums of a wager in the period, in minor units. Amounts are positive if the player gains. `owed` and
    `would` (under the other settings) are exact. `moved` is the amount that actually moved.
    """

    lines: int = 0
    staked: int = 0
    owed: Fraction = Fraction(0)
    would: Fraction = Fraction(0)
    moved: int = 0

    @property
    def difference(self) -> Fraction:
        """Return the additional amount that players would have been owed under the other settings."""
        return self.would - self.owed


Key = tuple[str, str, str]
"""The key of a sum: game, currency and wager."""


class _Owing(Fold):
    """A table fold that calls `tell` with each valid round when the round is finished."""

    def __init__(self, stream: str, learned: list[Event], tell: Callable[[Round], None]) -> None:
        super().__init__(stream, learned=learned)
        self.tell = tell

    def end_round(self, round: Round, event: Event) -> None:
        super().end_round(round, event)
        if round.voided is None and not self.learned.is_cancelled(round.name):
            self.tell(round)


class Answer(NamedTuple):
    """The result of a what-if replay. For each affected wager it has the amount that was owed, and the amount
    that would have been owed. It also has the number of gaming days that are in no sum, because their tables
    had the other settings already.
    """

    sums: dict[Key, Sums]
    already: int
    """Number of gaming days of tables that already had the other settings. They are not included in the sums,
    because nothing would have changed.
    """


def replay(settings: OtherSettings, span: Span, progress: Progress | None = None) -> Answer:
    """Replay the tables of a period as they were opened, and again as if they had been opened with other
    settings. Return the amounts owed in both cases.
    """
    report = progress or (lambda facts: None)
    return _sum(_replay_stream(settings, *name, report) for name in _concerned(span))


def replay_on_workers(text: str, span: Span, progress: Progress | None = None) -> Answer:
    """Do the same as `replay` on the Celery workers of all machines. Raise Unfinished if the workers cannot
    do it.

    Args:
        text: the other settings, as `read` parses them.
        span: the period.
        progress: called with the number of facts since the last call.
    """
    rules = rules_of_ledger()
    units = [Unit(number, KIND, *name, rules, text) for number, name in enumerate(_concerned(span))]
    return _sum(map(_from_bytes, work_units.run(units, progress)))


def job(lease: Lease) -> Callable[[], int]:
    """Replay the stream that a job names. Return a function that stores the result in the caller's
    transaction.
    """
    return work_units.job(lease, rules_of_ledger(), _replay_unit)


def _replay_unit(unit: Unit, progress: Progress) -> Result:
    facts = 0

    def count(number: int) -> None:
        nonlocal facts
        facts += number
        progress(number)

    with database.snapshot():
        answer = _replay_stream(read(unit.arguments), unit.property, unit.stream, count)
    return Result(facts, _to_bytes(answer))


def _replay_stream(settings: OtherSettings, property: str, stream: str, progress: Progress) -> Answer:
    """Replay one stream under both settings."""
    sums: dict[Key, Sums] = {}
    ended: list[Round] = []
    learned = store.learned(property, stream)
    usual, changed = _Owing(stream, learned, ended.append), _Owing(stream, learned, ended.append)
    touched = is_unchanged = False
    for number, _, body in store.read_stream(property, stream):
        event = decode(body)
        other = settings.opened(event) if isinstance(event, e.TableOpened) else None
        if isinstance(event, e.TableOpened):
            touched = other is not None
            is_unchanged = is_unchanged or settings.opened_so(event)
        usual.take(number, event)
        changed.take(number, other or event)
        if len(ended) == 2 and touched:
            _add(sums, *ended)
        ended.clear()
        progress(1)
    return Answer(sums, int(is_unchanged))


def _sum(answers: Iterable[Answer]) -> Answer:
    """Add up the results of several streams."""
    sums: dict[Key, Sums] = {}
    unchanged = 0
    for answer in answers:
        unchanged += answer.already
        for key, row in answer.sums.items():
            total = sums.setdefault(key, Sums())
            total.lines += row.lines
            total.staked += row.staked
            total.owed += row.owed
            total.would += row.would
            total.moved += row.moved
    return Answer(sums, unchanged)


_Row = tuple[Key, int, int, str, str, int]
_decoder = msgpack.Decoder(tuple[list[_Row], int])


def _to_bytes(answer: Answer) -> bytes:
    """Return a result as a worker stores it. Fractions are stored as text."""
    rows: list[_Row] = [
        (key, row.lines, row.staked, str(row.owed), str(row.would), row.moved)
        for key, row in answer.sums.items()
    ]
    return msgpack.encode((rows, answer.already))


def _from_bytes(stored: bytes) -> Answer:
    rows, unchanged = _decoder.decode(stored)
    sums = {
        key: Sums(lines, staked, Fraction(owed), Fraction(would), moved)
        for key, lines, staked, owed, would, moved in rows
    }
    return Answer(sums, unchanged)


def _concerned(span: Span) -> Iterator[tuple[str, str]]:
    for row in store.streams():
        day = row.name.rpartition("/")[2]
        after = span.begins is None or span.begins.isoformat() <= day
        before = span.ends is None or day < span.ends.isoformat()
        if after and before and span.property in (None, row.property) and not row.name.startswith("house/"):
            yield row.property, row.name


def _add(sums: dict[Key, Sums], usual: Round, changed: Round) -> None:
    """Add to the sums the amount owed on each line of a round, under the usual and under the changed
    settings. A line is in neither sum if it cannot be judged under one of the two.
    """
    for key, line in usual.lines.items():
        owed, moved = usual.table.settlement(usual, line)
        other = changed.lines.get(key)
        would = changed.table.settlement(changed, other)[0] if other is not None else None
        if owed is None or would is None or line.at_risk == 0 or line.undecided:
            continue
        row = sums.setdefault((usual.table.game.code, usual.table.currency, line.wager), Sums())
        row.lines += 1
        row.staked += line.stake
        row.owed += owed
        row.would += would
        row.moved += moved

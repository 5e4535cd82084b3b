"""One hand as it was recorded: its facts with their hashes, the amounts owed and moved for each wager, and
the facts before and after it.

A table fold computes the amounts owed from the table's last opening, the dealer and the facts of this round
only, without rules about the whole shoe. Findings are read as stored for the whole day.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

from audit import database
from audit.facts import decode
from audit.facts.input_parsing import whole
from audit.ledger import store
from audit.review.hand_wagers import Wager as Wager
from audit.review.hand_wagers import fold_hand, wagers_of
from games import GAMES
from games.kit import events as e
from games.kit.events import Event
from games.kit.round import Round
from games.kit.rules import Rule
from games.kit.table import coverage

AROUND = 4
"""Number of facts that are shown before a hand, and after it."""
LONGEST = 3000
"""Maximum number of facts of a hand that a page shows."""


class Recorded(NamedTuple):
    """A fact with its position and hashes in the ledger."""

    number: int
    position: int
    body: bytes
    leaf: bytes
    chain: bytes
    recorded_at: datetime
    fact: Event


class Played(NamedTuple):
    """A hand. `closed`: True if the hand has ended. `opened`: the table's opening, or None if the stream has
    none.
    """

    property: str
    stream: str
    name: str
    facts: list[Recorded]
    before: list[Recorded]
    after: list[Recorded]
    corrections: list[Recorded]
    opened: e.TableOpened | None
    seated: list[e.DealerSeated]
    wagers: list[Wager]
    closed: bool
    voided: bool
    previous: str
    next: str
    unjudged: list[Rule]
    round: Round | None
    """The round as computed by the fold, or None if the facts do not belong to a round."""
    settings: list[Recorded]
    """The facts before the hand that apply to it: the table's last opening, and the dealer who was seated."""
    learned: list[Event]
    """The corrected readings and cancelled rounds of the whole stream."""

    def currency(self) -> str:
        """Return the currency of the table, otherwise that of the fact, otherwise an empty text."""
        return getattr(self.opened or self.facts[0].fact, "currency", "")

    def has_spot(self, spot: str) -> bool:
        """Return True if this spot has a bet or cards. A player may be named instead of a spot."""
        dealt = any(isinstance(recorded.fact, e.Deal) and recorded.fact.to == spot for recorded in self.facts)
        return (
            dealt
            or any(wager.spot == spot for wager in self.wagers)
            or any(_spots_of(recorded.fact, spot) for recorded in self.facts)
        )

    def people(self) -> frozenset[str]:
        """Return who dealt and who supervised the hand."""
        return frozenset(name for seat in self.seated for name in (seat.dealer, seat.supervisor))


def played(property: str, stream: str, round: str) -> Played | None:
    """Return the hand with this name, or None if the stream has no such hand."""
    start, following = _opened(property, stream, round)
    if start is None and (start := _first_naming(property, stream, round)) is not None:
        following = _next_opening(property, stream, start)
    if start is None:
        return None
    around = _facts(
        property,
        stream,
        "number >= %s AND number < %s",
        [start - AROUND, (following or start + LONGEST) + AROUND],
        limit=LONGEST + 2 * AROUND,
    )
    facts = _of_hand(around, round, start, following)
    return _whole(property, stream, round, facts, around, _named(property, stream, "corrected", round))


def single(property: str, stream: str, number: int) -> Played | None:
    """Return a fact that does not belong to a hand, with the facts around it, or None if there is no such
    fact.
    """
    around = _facts(property, stream, "number >= %s AND number <= %s", [number - AROUND, number + AROUND])
    facts = [recorded for recorded in around if recorded.number == number]
    return _whole(property, stream, "", facts, around, []) if facts else None


def named(property: str, stream: str, name: str) -> Played | None:
    """Return the hand with this name. If the name is `#NUMBER`, return the fact with this number outside all
    hands. Return None if there is no such hand or fact.
    """
    number = whole(name[1:]) if name[:1] == "#" else None
    if number is None:
        return played(property, stream, name)
    return single(property, stream, number) if number < 2**62 else None


class Dealt(NamedTuple):
    """The times of a hand's opening and of its last fact. If `closed` is False, the hand is still open, or
    its end was never reported.
    """

    name: str
    opened: datetime
    ended: datetime
    closed: bool


def near(property: str, stream: str, moment: datetime) -> tuple[Dealt | None, Dealt | None]:
    """Return the last hand opened at or before this moment, and the first hand opened after it."""
    before: Dealt | None = None
    query = f"SELECT number, body FROM fact WHERE property = %s AND stream = %s AND {_KIND} ORDER BY number"
    start = 0
    for number, body in database.rows(query, [property, stream, "round-opened"]):
        opened = decode(bytes(body))
        dealt = Dealt(opened.round or "", opened.at, opened.at, closed=False)
        if opened.at > moment:
            return before and _with_end(property, stream, before, start), dealt
        before, start = dealt, number
    return before and _with_end(property, stream, before, start), None


def _with_end(property: str, stream: str, dealt: Dealt, start: int) -> Dealt:
    following = _next_opening(property, stream, start)
    ends = following or start + LONGEST
    facts = _facts(property, stream, "number >= %s AND number < %s", [start, ends])
    last = _of_hand(facts, dealt.name, start, following)[-1].fact
    return dealt._replace(ended=last.at, closed=isinstance(last, e.RoundClosed))


def betting(
    property: str, stream: str, player: str, moment: datetime, within: timedelta
) -> list[tuple[Dealt, str]]:
    """Return the hands opened near this moment in which this player bets, each with the spot of the bet."""
    query = f"SELECT number, body FROM fact WHERE property = %s AND stream = %s AND {_KIND} ORDER BY number"
    opened = [
        (number, decode(bytes(body)))
        for number, body in database.rows(query, [property, stream, "round-opened"])
    ]
    around = [(number, event) for number, event in opened if abs(event.at - moment) <= within]
    if not around:
        return []
    ends = next((number for number, _ in opened if number > around[-1][0]), around[-1][0] + LONGEST)
    spots: dict[str | None, str] = {}
    for recorded in _facts(
        property,
        stream,
        "kind IN ('bet', 'bets') AND number > %s AND number < %s",
        [around[0][0], ends],
        limit=2**31,
    ):
        for spot in _spots_of(recorded.fact, player):
            spots.setdefault(recorded.fact.round, spot)
    hands = []
    for number, event in around:
        if event.round in spots:
            dealt = _with_end(
                property, stream, Dealt(event.round or "", event.at, event.at, closed=False), number
            )
            hands.append((dealt, spots[event.round]))
    return hands


def _spots_of(fact: Event, player: str) -> list[str]:
    """Return the spots at which this player bets in a fact. An online player's account is the name of the
    spot. At other tables, a bet names its player.
    """
    if isinstance(fact, e.Bets):
        return [spot for spot, _, _ in fact.bets if spot == player]
    return [fact.spot] if isinstance(fact, e.Bet) and player in (fact.spot, fact.player) else []


def stream_of(property: str, table: str, round: str, day: date | None) -> str | None:
    """Return the stream in which a table dealt the hand with this name. If `day` is None, return the latest
    stream that has such a hand.
    """
    query = f"""SELECT stream FROM fact WHERE property = %s AND stream > %s AND stream < %s AND {_KIND}
        AND round = %s AND (%s::text IS NULL OR stream = %s) ORDER BY stream DESC LIMIT 1"""
    named = f"{table}/{day}" if day else None
    values = [property, f"{table}/", f"{table}/:", "round-opened", round, named, named]
    rows = database.rows(query, values)
    if rows:
        return str(rows[0][0])
    last = day or last_day(property, table)
    return f"{table}/{last}" if last and _first_naming(property, f"{table}/{last}", round) else None


def tables_called(property: str, table: str) -> list[str]:
    """Return the table with this name. If no table has it, return the tables whose names differ from it only
    in upper and lower case.
    """
    if last_day(property, table) is not None:
        return [table]
    query = "SELECT name FROM stream WHERE property = %s AND lower(left(name, %s)) = lower(%s)"
    rows = database.rows(query, [property, len(table) + 1, f"{table}/"])
    return sorted({name.rpartition("/")[0] for (name,) in rows})


def last_day(property: str, table: str) -> date | None:
    """Return the latest gaming day on record at a table."""
    rows = database.rows(
        "SELECT max(name) FROM stream WHERE property = %s AND name > %s AND name < %s",
        [property, f"{table}/", f"{table}/:"],
    )
    return date.fromisoformat(rows[0][0].rpartition("/")[2]) if rows[0][0] else None


def _whole(
    property: str,
    stream: str,
    name: str,
    facts: list[Recorded],
    around: list[Recorded],
    corrections: list[Recorded],
) -> Played:
    """Return a hand. `around`: the facts of the hand, and the facts before and after it."""
    first, last = facts[0].number, facts[-1].number
    settings = _settings(property, stream, first)
    opened = next((recorded for recorded in settings if isinstance(recorded.fact, e.TableOpened)), None)
    previous, following = _neighbours(property, stream, first, last)
    learned = store.learned(property, stream)
    fold = fold_hand(stream, learned, [(recorded.number, recorded.fact) for recorded in (*settings, *facts)])
    opening = opened.fact if opened is not None and isinstance(opened.fact, e.TableOpened) else None
    return Played(
        property,
        stream,
        name,
        facts,
        before=[recorded for recorded in around if recorded.number < first],
        after=[recorded for recorded in around if last < recorded.number <= last + AROUND],
        corrections=corrections,
        opened=opening,
        seated=seats_of(settings, facts),
        wagers=wagers_of(fold, [recorded.fact for recorded in corrections]),
        closed=fold.ended is not None,
        voided=fold.round is not None and fold.round.voided is not None,
        previous=previous,
        next=following,
        unjudged=_unjudged(opening),
        round=fold.round,
        settings=settings,
        learned=learned,
    )


def seats_of(settings: Sequence[Recorded], facts: Sequence[Recorded]) -> list[e.DealerSeated]:
    """Return the dealer who was seated when the hand began, and each dealer who was seated during it."""
    return [recorded.fact for recorded in (*settings, *facts) if isinstance(recorded.fact, e.DealerSeated)]


def _unjudged(opened: e.TableOpened | None) -> list[Rule]:
    game = GAMES.get(opened.game) if opened is not None else None
    return (
        [rule for rule, judged in coverage(game, opened.sees) if not judged]
        if game is not None and opened is not None
        else []
    )


def rule_sentences(played: Played) -> dict[tuple[str, str], str]:
    """Return {(code, citation): sentence} for the rules of the game. A rule is not in it if it has no
    function that judges, or if another rule has the same code and citation.
    """
    game = GAMES.get(played.opened.game) if played.opened is not None else None
    named: dict[tuple[str, str], list[Rule]] = {}
    for rule in game.every_rule() if game is not None else ():
        named.setdefault((rule.code, rule.cite), []).append(rule)
    return {key: rule.says for key, (rule, *others) in named.items() if not others and rule.judge is not None}


# -- reading ---------------------------------------------------------------------------------------
# These queries are prepared, because planning one takes ten times as long as reading its rows.

_KINDS = "kind IN ('table-opened', 'dealer-seated', 'round-opened', 'corrected')"
_KIND = f"{_KINDS} AND kind = %s"
"""The condition of an index. Postgres uses the index only if a query repeats this condition exactly."""
_COLUMNS = "number, position, body, leaf, chain, recorded_at"


def _facts(
    property: str, stream: str, condition: str, values: Sequence[Any], limit: int = LONGEST
) -> list[Recorded]:
    query = (
        f"SELECT {_COLUMNS} FROM fact WHERE property = %s AND stream = %s AND {condition} ORDER BY number"
        f" LIMIT {limit}"
    )
    return _recorded(query, [property, stream, *values])


def _recorded(query: str, values: Sequence[Any]) -> list[Recorded]:
    return [
        Recorded(row[0], row[1], bytes(row[2]), bytes(row[3]), bytes(row[4]), row[5], decode(bytes(row[2])))
        for row in database.prepared_rows(query, values)
    ]


def _named(property: str, stream: str, kind: str, round: str) -> list[Recorded]:
    return _facts(property, stream, f"{_KIND} AND round = %s", [kind, round])


def _opened(property: str, stream: str, round: str) -> tuple[int | None, int | None]:
    """Return the number of the fact that opened a round, and the number of the fact that opened the next
    round. A number is None if there is no such fact.
    """
    named = f"SELECT number FROM fact WHERE property = %s AND stream = %s AND {_KIND}"
    query = f"""SELECT o.number, ({named} AND number > o.number ORDER BY number LIMIT 1)
        FROM ({named} AND round = %s ORDER BY number LIMIT 1) o"""
    values = [property, stream, "round-opened"]
    return next(iter(database.prepared_rows(query, [*values, *values, round])), (None, None))


def _next_opening(property: str, stream: str, start: int) -> int | None:
    """Return the number of the first fact after number `start` that opened a round, or None if there is no
    such fact.
    """
    query = f"""SELECT number FROM fact WHERE property = %s AND stream = %s AND {_KIND} AND number > %s
        ORDER BY number LIMIT 1"""
    rows = database.prepared_rows(query, [property, stream, "round-opened", start])
    return next((number for (number,) in rows), None)


def _first_naming(property: str, stream: str, round: str) -> int | None:
    """Return the number of the first fact of a round whose opening was not reported."""
    rows = database.rows(
        "SELECT min(number) FROM fact WHERE property = %s AND stream = %s AND round = %s",
        [property, stream, round],
    )
    return rows[0][0] if rows else None


def _of_hand(facts: Sequence[Recorded], round: str, start: int, following: int | None) -> list[Recorded]:
    """Return the facts of a hand up to its end, including other facts in between. If the end was not
    reported, the last fact that names the hand ends it. `following`: the number of the fact that opened the
    next round.
    """
    end = following or start + LONGEST
    own = [recorded for recorded in facts if start <= recorded.number < end][:LONGEST]
    last = max(
        (
            place
            for place, recorded in enumerate(own)
            if recorded.fact.round == round and not isinstance(recorded.fact, e.Corrected)
        ),
        default=0,
    )
    return own[: last + 1]


def _settings(property: str, stream: str, first: int) -> list[Recorded]:
    """Return the table's last opening and its last seating of a dealer, if any, up to fact `first`."""
    last = (
        f"(SELECT {_COLUMNS} FROM fact WHERE property = %s AND stream = %s AND {_KIND} AND number <= %s"
        " ORDER BY number DESC LIMIT 1)"
    )
    values = [
        value for kind in ("table-opened", "dealer-seated") for value in (property, stream, kind, first)
    ]
    return _recorded(f"{last} UNION ALL {last}", values)


def _neighbours(property: str, stream: str, first: int, last: int) -> tuple[str, str]:
    """Return the names of the rounds opened before and after a hand, or an empty name if there is no such
    round.
    """
    opened = f"SELECT round FROM fact WHERE property = %s AND stream = %s AND {_KIND} AND number"
    values = [value for number in (first, last) for value in (property, stream, "round-opened", number)]
    (names,) = database.prepared_rows(
        f"SELECT ({opened} < %s ORDER BY number DESC LIMIT 1), ({opened} > %s ORDER BY number LIMIT 1)",
        values,
    )
    return names[0] or "", names[1] or ""

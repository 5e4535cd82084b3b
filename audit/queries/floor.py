"""The present state of the floor, read directly from the facts. It includes facts recorded a moment ago, even
if they have not been examined.

All queries find their rows through indexes. Their cost per table does not grow with the age of the ledger or
the length of the day.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from functools import lru_cache
from typing import Any, NamedTuple

from audit import database
from audit import facts as f
from audit.replay.voids import voids
from audit.review.queue import WAITS

AHEAD = 2
"""Maximum number of days after today that a gaming day may have. A stream with a later day is a mistake and
must not hide the table's actual day.
"""
TRAYS = 60
"""Number of a table's gaming days that are searched for its last closer."""
PAGES = "pages"
"""The source of facts that people record on Catwalk's pages. They do not show that the equipment works."""


class Now(NamedTuple):
    """The state of a table on its last gaming day. A field is None if there is no such fact.

    `opener` and `closer` are the counts of this day. `closed` is the closing of the table after its last
    opening. `opener`, `closer`, `fills` and `credits` are in the currency in which the table was last opened.
    `fills` and `credits` were recorded since the last opener and do not include voided slips. `pieces` is the
    tray as {denomination in minor units: pieces}: the last count, plus the fills and less the credits since.
    Play does not change it, because its chips are not counted by denomination. If slips were not read,
    `fills` and `credits` are 0 and `pieces` is the last count. `round` is the round in play. `last` is the
    last fact. `report` is the last fact since the opening that no person recorded on a page, or the opening.
    `boxes` is the number of boxes that were pulled but not counted yet. `flags` is the number of the table's
    hands that need a verdict, on all gaming days, and `rank` is their gravest grade (0 without such hands).
    """

    table: str
    stream: str
    day: date
    sealed: bool
    opened: f.TableOpened
    closed: f.TableClosed | None
    seated: f.DealerSeated | None
    opener: f.OpenerCounted | None
    closer: f.CloserCounted | None
    counted_since: bool
    fills: int
    credits: int
    pieces: dict[int, int]
    boxes: int
    round: str
    last: f.Event
    report: f.Event
    flags: int
    rank: int

    @property
    def counted(self) -> f.OpenerCounted | f.CloserCounted | None:
        """Return the last count of the tray on this day, or None if it was not counted."""
        return self.closer if self.closer is not None and self.counted_since else self.opener

    @property
    def last_report(self) -> f.Event:
        """Return the last fact of the table. If the table has equipment, facts that people recorded on pages
        are left out: they do not show that the equipment works.
        """
        return self.report if self.opened.sees else self.last

    @property
    def is_open(self) -> bool:
        """Return True if the table is open for play."""
        return self.closed is None and not self.sealed


BOXES = ("box-pulled", "drop-counted")
SLIPS = ("fill-sent", "credit-sent", "slip-voided")
LAST = ("table-closed", "dealer-seated", "opener-counted", "closer-counted")
_OF_STREAM = "property = %(property)s AND stream = s.name"


def _last(column: str, kind: str) -> str:
    return f"""(SELECT {column} FROM fact WHERE {_OF_STREAM} AND kind = '{kind}'
            ORDER BY number DESC LIMIT 1)"""


def _query(kinds: Sequence[str]) -> str:
    """Return the query of the board. It reads the openings of a table on its day, all facts of these kinds,
    and the last fact of some other kinds.

    The kinds are a part of the text. If they were a value, Postgres could use the partial indexes only with a
    new plan for each call, and planning takes longer than reading.
    """
    papers = ", ".join(f"'{kind}'" for kind in kinds)
    last = ", ".join(_last("int8send(number) || body", kind) for kind in LAST)
    return f"""WITH RECURSIVE known (prefix) AS (
        (SELECT left(name, -10) FROM stream WHERE property = %(property)s AND name COLLATE "C" >= %(first)s
            ORDER BY name COLLATE "C" LIMIT 1)
        UNION ALL
        SELECT (SELECT left(name, -10) FROM stream WHERE property = %(property)s
            AND name COLLATE "C" > left(k.prefix, -1) || '0'
            ORDER BY name COLLATE "C" LIMIT 1)
        FROM known k WHERE k.prefix IS NOT NULL AND %(many)s)
    SELECT s.name, s.sealed,
        ARRAY (SELECT int8send(number) || body FROM (
            SELECT number, body FROM fact WHERE {_OF_STREAM} AND kind IN ({papers})
            UNION ALL SELECT number, body FROM fact WHERE {_OF_STREAM} AND kind = 'table-opened'
            OFFSET 0) papers ORDER BY number),
        {last},
        (SELECT CASE kind WHEN 'round-closed' THEN '' ELSE round END FROM fact WHERE {_OF_STREAM}
            AND number >= {_last("number", "round-opened")}
            AND round IS NOT NULL ORDER BY number DESC LIMIT 1),
        last.body,
        CASE WHEN last.source <> '{PAGES}' THEN last.body ELSE
            (SELECT body FROM fact WHERE {_OF_STREAM} AND number > {_last("number", "table-opened")}
                AND convert_from(body, 'UTF8')::json->>'source' <> '{PAGES}'
                ORDER BY number DESC LIMIT 1) END,
        (SELECT ARRAY[count(*), coalesce(min(q.rank), 0)] FROM queued q
            WHERE q.property = %(property)s AND q."table" = left(k.prefix, -1) AND {WAITS})
    FROM known k
    CROSS JOIN LATERAL (SELECT name, number, sealed FROM stream WHERE property = %(property)s
        AND name COLLATE "C" > k.prefix AND name COLLATE "C" <= k.prefix || %(upto)s
            ORDER BY name COLLATE "C" DESC LIMIT 1) s
    CROSS JOIN LATERAL (SELECT body, convert_from(body, 'UTF8')::json->>'source' AS source FROM fact
        WHERE {_OF_STREAM} AND number = s.number OFFSET 0) last
    WHERE k.prefix IS NOT NULL AND k.prefix <> %(house)s ORDER BY k.prefix COLLATE "C\""""


_WITH_SLIPS, _WITHOUT_SLIPS = _query(BOXES + SLIPS), _query(BOXES)


def board(property: str, today: date, *, with_slips: bool = True) -> list[Now]:
    """Return the present state of the tables of a property, in alphabetical order. A table that was never
    opened is not in the list.

    Args:
        property: the casino.
        today: its gaming day.
        with_slips: False to read no fills and credits, of which a table has dozens on a busy day.
    """
    query = _WITH_SLIPS if with_slips else _WITHOUT_SLIPS
    return list(_now(query, property, today, f"{property}/", is_whole_property=True))


def table(property: str, code: str, today: date) -> Now | None:
    """Return the present state of one table, or None if it was never opened."""
    return (
        next(_now(_WITH_SLIPS, property, today, f"{property}/{code}/", is_whole_property=False), None)
        if _may_be(property, code)
        else None
    )


def _now(query: str, property: str, today: date, first: str, *, is_whole_property: bool) -> Iterator[Now]:
    values = {
        "property": property,
        "first": first,
        "many": is_whole_property,
        "house": f"{property}/house/",
        "upto": (today + timedelta(days=AHEAD)).isoformat(),
    }
    for row in database.prepared_rows(query, values):  # planning would take longer than reading
        if row[0].startswith(first) and (state := _of(row)) is not None:
            yield state


@lru_cache(maxsize=8_000)
def _decoded(body: bytes) -> f.Event:
    """Return a fact from its bytes. A page that is requested every few seconds reads the same counts and
    slips each time, and facts never change.
    """
    return f.decode(body)


def _of(row: tuple[Any, ...]) -> Now | None:
    """Return the state of a table from its row of the board, or None if it was not opened on that day. Two
    facts that no longer apply are ignored: a closing before the last opening, and a dealer who was seated
    before the last closing.
    """
    stream, sealed, papers, *newest, round, last, report, (flags, rank) = row
    numbered = [_numbered(paper) for paper in papers]
    openings = [(number, paper) for number, paper in numbered if isinstance(paper, f.TableOpened)]
    if not openings:
        return None
    opened_at, opened = openings[-1]
    (closed_at, closed), (seated_at, seated), (opener_at, opener), (closer_at, closer) = (
        (0, None) if paper is None else _numbered(paper) for paper in newest
    )
    since = _in_its_currency_since(openings)
    opener, closer = (tray if at > since else None for at, tray in ((opener_at, opener), (closer_at, closer)))
    slips = _slips(numbered)
    fills, credits = (
        sum(
            slip.amount for number, slip in slips if isinstance(slip, kind) and number > max(since, opener_at)
        )
        for kind in (f.FillSent, f.CreditSent)
    )
    counted = closer if closer is not None and closer_at > opener_at else opener
    counted_at = max(since, opener_at, closer_at)
    pieces = _pieces(counted, [slip for number, slip in slips if number > counted_at])
    last_fact = f.decode(bytes(last))
    return Now(
        stream[:-11],
        stream,
        date.fromisoformat(stream[-10:]),
        sealed,
        opened,
        closed if closed_at > opened_at else None,  # type: ignore[arg-type]
        seated if seated_at > closed_at else None,  # type: ignore[arg-type]
        opener,  # type: ignore[arg-type]
        closer,  # type: ignore[arg-type]
        closer_at > opener_at,
        fills,
        credits,
        pieces,
        _uncounted_boxes(paper for _, paper in numbered),
        round or "",
        last_fact,
        opened if report is None else last_fact if report == last else f.decode(bytes(report)),
        flags,
        rank,
    )


def _numbered(paper: bytes) -> tuple[int, f.Event]:
    """Return the number of a fact, and the fact, from its number in 8 bytes and its own bytes."""
    return int.from_bytes(paper[:8], "big"), _decoded(bytes(paper[8:]))


Papers = list[tuple[int, f.Event]]
"""Facts with their numbers, in order."""


def _in_its_currency_since(openings: Iterable[tuple[int, f.TableOpened]]) -> int:
    """Return the number of the opening since which the table has been open in its present currency. Amounts
    of two currencies must not be added.
    """
    since, currency = 0, ""
    for number, opening in openings:
        if opening.currency != currency:
            since, currency = number, opening.currency
    return since


def _slips(numbered: Papers) -> list[tuple[int, f.FillSent | f.CreditSent]]:
    """Return the fills and credits with their numbers, without voided slips."""
    papers = [paper for _, paper in numbered]
    void = [(place, paper) for place, paper in enumerate(papers) if isinstance(paper, f.SlipVoided)]
    return [
        (number, paper)
        for place, (number, paper) in enumerate(numbered)
        if isinstance(paper, f.FillSent | f.CreditSent)
        and not any(
            voiding.slip == paper.slip and voids(at, voiding.at, place, paper.at) for at, voiding in void
        )
    ]


def _pieces(counted: f.Event | None, slips: Iterable[f.FillSent | f.CreditSent]) -> dict[int, int]:
    """Return {denomination: pieces} of a tray: its count, plus the fills and less the credits. It is empty if
    the tray was not counted.
    """
    if not isinstance(counted, f.OpenerCounted | f.CloserCounted):
        return {}
    pieces = {int(chip): number for chip, number in counted.chips.items()}
    for slip in slips:
        direction = 1 if isinstance(slip, f.FillSent) else -1
        for chip, number in slip.chips.items():
            pieces[int(chip)] = pieces.get(int(chip), 0) + direction * number
    return pieces


def _uncounted_boxes(papers: Iterable[f.Event]) -> int:
    """Return how many boxes of the day have not been counted yet."""
    uncounted: dict[tuple[str, str], int] = {}
    for paper in papers:
        if isinstance(paper, f.BoxPulled | f.DropCounted):
            pulled = 1 if isinstance(paper, f.BoxPulled) else -1
            box = paper.box, paper.shift
            uncounted[box] = uncounted.get(box, 0) + pulled
    return sum(boxes for boxes in uncounted.values() if boxes > 0)


def hands(property: str, stream: str, maximum: int) -> list[str]:
    """Return the names of the last rounds of a table's day, newest first, at most `maximum`."""
    query = """SELECT round FROM fact WHERE property = %s AND stream = %s AND kind = 'round-opened'
        AND round IS NOT NULL
        ORDER BY number DESC LIMIT %s"""
    return [row[0] for row in database.rows(query, [property, stream, maximum])]


class Closer(NamedTuple):
    """The count of a table's tray when it was last closed."""

    stream: str
    number: int
    counted: f.CloserCounted
    currency: str


def last_closer(property: str, code: str, today: date, currency: str | None = None) -> Closer | None:
    """Return the last closer of a table on this gaming day or an earlier one, or None if its last TRAYS days
    have no closer.

    Args:
        currency: the currency of the closer, or None for any.
    """
    if not _may_be(property, code):
        return None
    query = f"""SELECT s.name, closer.number, closer.body, opened.body FROM (
            SELECT name FROM stream WHERE property = %(property)s AND name COLLATE "C" > %(prefix)s
                AND name COLLATE "C" <= %(prefix)s || %(upto)s ORDER BY name COLLATE "C" DESC LIMIT {TRAYS}) s
        CROSS JOIN LATERAL (SELECT number, body FROM fact WHERE property = %(property)s AND stream = s.name
            AND kind = 'closer-counted')
            closer
        CROSS JOIN LATERAL (SELECT body FROM fact WHERE property = %(property)s AND stream = s.name
            AND kind = 'table-opened'
            AND number < closer.number ORDER BY number DESC LIMIT 1) opened
        WHERE %(currency)s::text IS NULL OR convert_from(opened.body,
            'UTF8')::json->>'currency' = %(currency)s
        ORDER BY s.name COLLATE "C" DESC, closer.number DESC LIMIT 1"""
    upto = (today + timedelta(days=AHEAD)).isoformat()
    values = {"property": property, "prefix": f"{property}/{code}/", "upto": upto, "currency": currency}
    for stream, number, closer, opened in database.rows(query, values):
        counted, settings = f.decode(bytes(closer)), f.decode(bytes(opened))
        assert isinstance(counted, f.CloserCounted)
        assert isinstance(settings, f.TableOpened)
        return Closer(stream, number, counted, settings.currency)
    return None


def _may_be(*names: str) -> bool:
    return not any("\0" in name for name in names)

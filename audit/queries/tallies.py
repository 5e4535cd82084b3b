"""All that pages, reports and exports ask of the tallies and findings: the only place with the SQL of
reports.

A span of days is half-open: `begins` is in, `ends` is not; None is no bound. Amounts are whole minor units.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from fractions import Fraction
from typing import Any, Literal, NamedTuple

from msgspec import json

from audit import database
from audit.queries.examination import covered_rows

LAST = 2**63 - 1
"""No position is beyond it."""


CLOSED, RESTATED = "closed", "restated"
BOOKS = (CLOSED, RESTATED)


class Span(NamedTuple):
    """The gaming days, and the property, that are asked about; None = all.

    `books` empty: all that is recorded. `closed`: only days of tables that are closed, which no later fact
    can change. `restated`: the
    same, with what has been adjusted of them since. `until`: of these two, as they stood at this position of
    the property's ledger: under the same rules the same rows for ever. None: as they stand now.
    """

    begins: date | None = None
    ends: date | None = None
    property: str | None = None
    books: str = ""
    until: int | None = None


class TableDay(NamedTuple):
    """What was counted in one stream in one currency; in one shift where shifts are asked for, else `shift`
    is empty.

    A count in `openers`, `closers`, `pulled`, `counted`, `verified` is how many there were. Voided slips are
    taken out of `fills` and
    `credits`. `corrected` is signed, + to the player. `cage` = any fact of cage or count room came. `boxes`:
    how many boxes the whole
    stream has, pulled or counted; -1 at a table that has no drop: a live dealer's, or one without any count.
    `stays`: the last box stayed on its table (`audit.replay.boxes`); `first_box`: the shift of the stream's
    first. In the restated books what was adjusted is in the amounts already, `settled` (+ raises the win) is
    that of its settlements, and `adjusted` says how many there were. `unseen`: what the house has besides
    `taken` - `paid`, exact: kept of a stake in a void round, or owed where no fact tells of chips that move.
    """

    property: str
    stream: str
    table: str
    day: date
    game: str
    live_dealer: bool
    open_boxes: int
    boxes: int
    stays: bool
    first_box: str
    currency: str
    shift: str
    rounds: int
    staked: int
    paid: int
    taken: int
    returned: int
    corrected: int
    openers: int
    opener: int
    closers: int
    closer: int
    fills: int
    credits: int
    pulled: int
    counted: int
    drop: int
    verified: int
    verified_drop: int
    bought: int
    corrections: int
    slips_voided: int
    voided_amount: int
    cage: bool
    settled: int = 0
    adjusted: int = 0
    unseen: int | Fraction = 0


_OF_BOOKS = "(%s OR closed <= %s)"
_DAYS = f"""SELECT property, stream, "table", day, game, live_dealer, open_boxes, coalesce(boxes, -1) AS boxes, stays, first_box, settings
    FROM examination WHERE day >= coalesce(%s, '-infinity'::date) AND day < coalesce(%s, 'infinity'::date)
        AND (%s::text IS NULL OR property = %s) AND {_OF_BOOKS}"""

_OF_STREAM = (
    "LATERAL (SELECT * FROM tally t WHERE t.property = x.property AND t.stream = x.stream OFFSET 0) t"
)
"""The tally of each stream `x` by itself: the planner would rather read that of all days that there ever
were. So has `_TABLE_DAYS` it.
"""
_UNSEEN = """(jsonb_build_array(jsonb_build_array(sum(t.unseen) FILTER (WHERE t.unseen <> 0 AND t.parts = 1), 1))
    || coalesce(jsonb_agg(jsonb_build_array(t.unseen, t.parts)) FILTER (WHERE t.unseen <> 0 AND t.parts > 1), '[]'))::text"""
_TABLE_DAYS = f"""WITH days AS (SELECT * FROM ({_DAYS}) d WHERE %s::text[] IS NULL OR stream = ANY(%s)),
play AS (
    SELECT d.property, d.stream, p.* FROM days d, LATERAL (
    SELECT t.currency, CASE WHEN %s THEN t.shift ELSE '' END AS shift,
           sum(t.rounds) FILTER (WHERE t.wager = '') AS rounds,
           sum(t.staked) AS staked, sum(t.paid) AS paid, sum(t.taken) AS taken, sum(t.returned) AS returned,
           {_UNSEEN} AS unseen
    FROM tally t WHERE t.property = d.property AND t.stream = d.stream AND (%s OR %s AND d.live_dealer) GROUP BY 1, 2 OFFSET 0) p),
cage AS (
    SELECT d.property, d.stream, p.* FROM days d, LATERAL (
    SELECT c.currency, CASE WHEN %s THEN c.shift ELSE '' END AS shift,
           sum(amount) FILTER (WHERE kind = 'corrected') AS corrected,
           sum(number) FILTER (WHERE kind = 'opener-counted') AS openers, sum(amount) FILTER (WHERE kind = 'opener-counted') AS opener,
           sum(number) FILTER (WHERE kind = 'closer-counted') AS closers, sum(amount) FILTER (WHERE kind = 'closer-counted') AS closer,
           sum(CASE kind WHEN 'fill-sent' THEN amount WHEN 'fill-voided' THEN -amount ELSE 0 END) AS fills,
           sum(CASE kind WHEN 'credit-sent' THEN amount WHEN 'credit-voided' THEN -amount ELSE 0 END) AS credits,
           sum(number) FILTER (WHERE kind = 'box-pulled') AS pulled,
           sum(number) FILTER (WHERE kind = 'drop-counted') AS counted, sum(amount) FILTER (WHERE kind = 'drop-counted') AS drop,
           sum(number) FILTER (WHERE kind = 'count-verified') AS verified,
           sum(amount) FILTER (WHERE kind = 'count-verified') AS verified_drop,
           sum(amount) FILTER (WHERE kind = 'chips-bought') AS bought,
           sum(number) FILTER (WHERE kind = 'corrected') AS corrections,
           sum(number) FILTER (WHERE kind LIKE '%%-voided') AS slips_voided,
           sum(amount) FILTER (WHERE kind LIKE '%%-voided') AS voided_amount,
           bool_or(kind <> 'corrected') AS cage
    FROM cage_tally c WHERE c.property = d.property AND c.stream = d.stream GROUP BY 1, 2 OFFSET 0) p)
SELECT property, stream, "table", day, game, live_dealer, open_boxes, boxes, stays, first_box, currency, shift,
       coalesce(rounds, 0), coalesce(staked, 0), coalesce(paid, 0), coalesce(taken, 0), coalesce(returned, 0), coalesce(corrected, 0),
       coalesce(openers, 0), coalesce(opener, 0), coalesce(closers, 0), coalesce(closer, 0), coalesce(fills, 0), coalesce(credits, 0),
       coalesce(pulled, 0), coalesce(counted, 0), coalesce(drop, 0), coalesce(verified, 0), coalesce(verified_drop, 0),
       coalesce(bought, 0), coalesce(corrections, 0), coalesce(slips_voided, 0), coalesce(voided_amount, 0), coalesce(cage, false), unseen
FROM play FULL JOIN cage USING (property, stream, currency, shift) JOIN days USING (property, stream)
ORDER BY "table", day, currency, shift"""


Where = Literal["everywhere", "live", "nowhere"]


def table_days(
    span: Span, *, by_shift: bool = False, streams: Sequence[str] | None = None, play: Where = "everywhere"
) -> Iterator[TableDay]:
    """What every table counted on each of the days, by table and day; of `streams` alone where they are
    named.

    `play`: where play is added up too; it is ten times as many rows as the count. Where it is not, a day
    without any fact of cage or
    count room is not there at all.
    """
    named = None if streams is None else list(streams)
    fetched = database.rows(
        _TABLE_DAYS, [*_wanted(span), named, named, by_shift, play == "everywhere", play == "live", by_shift]
    )
    found = (
        TableDay._make((*row[:12], *map(int, row[12:-2]), row[-2], 0, 0, _exact_sum(row[-1])))
        for row in fetched
    )
    return (
        iter(restate(found, restating(span, named), by_shift=by_shift)) if span.books == RESTATED else found
    )


class Adjustment(NamedTuple):
    """One `adjusted` fact: `day` is the gaming day on which it was made, `of_day` the one that it adjusts.

    `of`: the uid of the fact that it is about, with its kind and its shift; empty where it names none.
    `currency`: that in which the table
    stood open at that fact, of a count at the pull of its box; else last on that day. `live_dealer` is the
    table's.
    """

    property: str
    position: int
    day: date
    table: str
    of_day: date
    stream: str
    what: str
    currency: str
    amount: int
    reason: str
    by: str
    second: str
    uid: str
    of: str
    of_kind: str
    shift: str
    game: str
    live_dealer: bool
    closed: bool


_UID = f"^{'[0-9a-f]' * 8}(-{'[0-9a-f]' * 4}){{3}}-{'[0-9a-f]' * 12}$"
_ADJUSTED = f"""SELECT f.property, position, right(stream, 10)::date AS made, of_table, of_day, body,
        concat_ws('/', of_table, of_day) AS of_stream, CASE WHEN "of" ~* '{_UID}' THEN "of"::uuid END AS "of"
    FROM fact f, LATERAL (SELECT * FROM json_to_record(convert_from(f.body, 'UTF8')::json) AS said (of_table text, of_day date, "of" text)
        OFFSET 0) s
    WHERE kind = 'adjusted' AND position <= %s AND (%s::text IS NULL OR f.property = %s)"""
_PULLED = """CASE WHEN o.kind IN ('drop-counted', 'count-verified') THEN (SELECT max(p.number) FROM fact p WHERE p.property = o.property
        AND p.stream = o.stream AND p.kind = 'box-pulled' AND p.number < o.number AND p.kind IN ('table-closed', 'opener-counted',
        'closer-counted', 'fill-sent', 'credit-sent', 'slip-voided', 'box-pulled', 'drop-counted')
        AND convert_from(p.body, 'UTF8')::json->>'box' = convert_from(o.body, 'UTF8')::json->>'box') END"""
_OF_ADJUSTED = f"""coalesce((SELECT convert_from(t.body, 'UTF8')::json->>'currency' FROM fact t WHERE t.property = a.property
        AND t.stream = a.of_stream AND t.kind IN ('table-opened', 'dealer-seated', 'round-opened', 'corrected') AND t.kind = 'table-opened'
        AND t.number <= coalesce(CASE WHEN o.stream = a.of_stream THEN coalesce({_PULLED}, o.number) END, {LAST})
        ORDER BY t.number DESC LIMIT 1), ''),
    coalesce(o.kind, ''), coalesce(convert_from(o.body, 'UTF8')::json->>'shift', ''), coalesce(x.game, ''), coalesce(x.live_dealer, false),
    coalesce(x.closed <= %s, false)"""


def adjustments(span: Span) -> Iterator[Adjustment]:
    """Every adjustment made in the span, in the order of commit. They stand in no tally; an index holds just
    these facts.
    """
    yield from _adjustments("right(stream, 10)::date", span, None)


def restating(span: Span, streams: Sequence[str] | None = None) -> Iterator[Adjustment]:
    """Every adjustment of the days of the span, whenever it was made; of `streams` alone where they are
    named.
    """
    yield from _adjustments("of_day", span, streams, _named_days(span, streams))


def restated_days(span: Span) -> Iterator[tuple[str, date, int]]:
    """Of each of those adjustments its property, the day that it adjusts, and its position, in the order of
    commit.
    """
    begins, ends, property, _ = _bounds(span)
    naming = _named_days(span, None)
    query = f"""SELECT property, of_day, position FROM ({_ADJUSTED} AND {_NAMED}) a
        WHERE of_day >= coalesce(%s, '-infinity'::date) AND of_day < coalesce(%s, 'infinity'::date) ORDER BY property, position"""
    yield from covered_rows(
        query, [_books(span)[1], property, property, naming, naming, begins, ends]
    )  # a stamp is made of them


FEW = 8
_NAMED = (
    "(%s::bytea[] IS NULL OR EXISTS (SELECT FROM unnest(%s::bytea[]) AS named (day) WHERE position(named.day"
    " IN f.body) > 0))"
)


def _named_days(span: Span, streams: Sequence[str] | None) -> list[bytes] | None:
    """How the facts name the days, or the months or years, that are asked for, where these are few: most are
    passed over unread by it.
    """
    if streams is not None:
        days = {stream[-10:] for stream in streams}
    elif span.begins is not None and span.ends is not None:
        days = {
            str(span.begins + timedelta(days=more))
            for more in range(min((span.ends - span.begins).days, 366 * FEW))
        }
    else:
        return None
    parts = ({day[:letters] for day in days} for letters in (10, 7, 4))
    found = next((names for names in parts if len(names) <= FEW), None)
    return None if found is None else [f'"of_day":"{name}'.encode() for name in sorted(found)]


def _adjustments(
    days: str, span: Span, streams: Sequence[str] | None, naming: list[bytes] | None = None
) -> Iterator[Adjustment]:
    begins, ends, property, _ = _bounds(span)
    until = _books(span)[1]
    # a fact is read once, and then what stands beside it is looked up; a stamp names its position, and the
    # day that it adjusts is closed
    query = f"""WITH a AS MATERIALIZED ({_ADJUSTED}
            AND {days} >= coalesce(%s, '-infinity'::date) AND {days} < coalesce(%s, 'infinity'::date)
            AND {_NAMED} AND (%s::text[] IS NULL OR concat_ws('/', of_table, of_day) = ANY(%s)))
        SELECT a.property, a.position, a.made, a.of_table, a.of_day, a.of_stream, a.body, {_OF_ADJUSTED} FROM a
        LEFT JOIN LATERAL (SELECT * FROM examination x WHERE x.property = a.property AND x.stream = a.of_stream OFFSET 0) x ON true
        LEFT JOIN LATERAL (SELECT * FROM fact o WHERE o.property = a.property AND o.uid = a.of OFFSET 0) o ON true
        ORDER BY a.property, a.position"""
    named = None if streams is None else list(streams)
    for row in covered_rows(
        query, [until, property, property, begins, ends, naming, naming, named, named, until]
    ):
        fact: dict[str, Any] = json.decode(bytes(row[6]))
        said = (
            fact["what"],
            row[7],
            *(fact[name] for name in ("amount", "reason", "by", "second", "uid")),
            fact.get("of") or "",
        )
        yield Adjustment._make((*row[:6], *said, *row[8:]))


def restate(days: Iterable[TableDay], changes: Iterable[Adjustment], *, by_shift: bool) -> list[TableDay]:
    """The days with what was adjusted of them; one that names no shift stands in a row of its own. An open
    day stays as it is.
    """
    found = {(day.stream, day.currency, day.shift): day for day in days}
    for one in changes:
        if one.closed:
            key = (one.stream, one.currency, one.shift if by_shift else "")
            found[key] = _adjusted(found.get(key) or _blank(one, key[2]), one)
    return sorted(found.values(), key=lambda day: (day.table, day.day, day.currency, day.shift))


def _blank(one: Adjustment, shift: str) -> TableDay:
    """A day, or a shift of it, in which nothing else stands."""
    head = (
        one.property,
        one.stream,
        one.table,
        one.of_day,
        one.game,
        one.live_dealer,
        0,
        -1,
        False,
        "",
        one.currency,
        shift,
    )
    sums = TableDay._fields.index("cage") - len(head)
    return TableDay._make((*head, *(0,) * sums, False, 0, 0, 0))


def _adjusted(day: TableDay, one: Adjustment) -> TableDay:
    """`amount` raises the win, whatever it is of: an opener or a fill is lowered by it, a closer, a credit or
    a drop raised.

    What stands in place of a count that never came makes the day whole: of a drop, the fact that it is about
    is the pull of the box; of an opener or closer it names none. Where neither was counted, both are put in
    their place, one after the other.
    """
    day, amount = day._replace(adjusted=day.adjusted + 1), one.amount
    if day.live_dealer or (not day.cage and day.rounds):
        return day._replace(settled=day.settled + amount)
    if one.what == "drop":
        late = one.of_kind == "box-pulled"
        return day._replace(
            drop=day.drop + amount, counted=day.counted + late, open_boxes=max(day.open_boxes - late, 0)
        )
    if one.what == "opener":
        late = not one.of and (day.openers < day.closers or _without_trays(day))
        return day._replace(opener=day.opener - amount, openers=day.openers + late)
    if one.what == "closer":
        late = not one.of and (day.closers < day.openers or _without_trays(day))
        return day._replace(closer=day.closer + amount, closers=day.closers + late)
    if one.what == "fill":
        return day._replace(fills=day.fills - amount)
    if one.what == "credit":
        return day._replace(credits=day.credits + amount)
    return day._replace(settled=day.settled + amount)


def _without_trays(day: TableDay) -> bool:
    """Whether the cage had a part in a day on which no tray was counted."""
    return day.cage and day.openers == day.closers == 0


def grave_findings(streams: Iterable[tuple[str, str]]) -> int:
    """How many findings that are no notices stand in these (property, stream)."""
    properties, names = zip(*streams, strict=True)
    query = """SELECT count(*) FROM finding WHERE grade <> 'notice'
        AND (property, stream) IN (SELECT * FROM unnest(%s::text[], %s::text[]))"""
    return int(database.rows(query, [list(properties), list(names)])[0][0])


TALLY = (
    "property",
    "stream",
    "day",
    "currency",
    "shift",
    "hour",
    "dealer",
    "wager",
    "pay_table",
    "price_class",
    "opening",
    "rounds",
    "bets",
    "staked",
    "paid",
    "taken",
    "returned",
    "squared",
    "voided",
    "found",
)


def tally_rows(span: Span) -> Iterator[tuple[Any, ...]]:
    """The rows of the tally, with the columns of TALLY, by property, stream and key; read as they are taken."""
    columns = _as(
        TALLY,
        day="day::text",
        found="found::text",
        squared="squared::text",
        **{name: f"{name}::bigint" for name in ("rounds", "bets", "voided")},
    )
    query = f"""SELECT {columns} FROM tally JOIN ({_DAYS}) AS days USING (property, stream)
        ORDER BY property, stream, currency, shift, hour, dealer, wager, pay_table, price_class, opening"""
    return database.stream_rows(query, _wanted(span))


FINDING = (
    "id",
    "stream",
    "number",
    "uid",
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
)


def finding_rows(span: Span) -> Iterator[tuple[Any, ...]]:
    """The findings that stand, with the columns of FINDING, in stream and number order. `owed` and `moved`:
    an integer, or `25/2`.
    """
    query = f"""SELECT {_as(FINDING, uid="uid::text")} FROM finding WHERE {_OF_DAYS}
        ORDER BY property, stream, number, code, spot NULLS FIRST, wager NULLS FIRST"""
    owed, moved = FINDING.index("owed"), FINDING.index("moved")
    for row in database.stream_rows(query, _bounds(span)):
        yield tuple(_amount(cell) if place in (owed, moved) else cell for place, cell in enumerate(row))


FACT = ("property", "position", "stream", "number", "kind", "uid", "round", "recorded_at", "body")


def fact_rows(span: Span) -> Iterator[tuple[Any, ...]]:
    """The recorded facts, with the columns of FACT, in the order of commit of each property; read as they are
    taken.
    """
    return database.stream_rows(
        f"SELECT {', '.join(FACT)} FROM fact WHERE {_OF_DAYS} ORDER BY property, position", _bounds(span)
    )


_OF_DAYS = """right(stream, 10)::date >= coalesce(%s, '-infinity'::date) AND right(stream, 10)::date < coalesce(%s, 'infinity'::date)
    AND (%s::text IS NULL OR property = %s)"""


def _as(names: Iterable[str], **casts: str) -> str:
    """The columns, some of them cast to what a sheet shows."""
    return ", ".join(casts.get(name, name) for name in names)


def _amount(text: str | None) -> int | str | None:
    return text if text is None or "/" in text else int(text)


_NOTHING_UNSEEN = "[[null, 1]]"


def _exact_sum(of: str | None) -> int | Fraction:
    """The sum of what `_UNSEEN` gathers, in minor units: the whole amounts first, then each that has a
    fraction.
    """
    if of is None or of == _NOTHING_UNSEEN:
        return 0
    amount = sum(
        (Fraction(up or 0, down) for up, down in json.decode(of, type=list[tuple[int | None, int]])),
        Fraction(0),
    )
    return amount.numerator if amount.denominator == 1 else amount


def _bounds(span: Span) -> list[Any]:
    return [span.begins, span.ends, span.property, span.property]


def _wanted(span: Span) -> list[Any]:
    """What `_DAYS` wants: the bounds, and which of the closed books."""
    return [*_bounds(span), *_books(span)]


def _books(span: Span) -> list[Any]:
    """What `_OF_BOOKS` wants."""
    return [not span.books, LAST if span.until is None else span.until]

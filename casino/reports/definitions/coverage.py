"""Coverage: the rules by which a table is not judged. A rule is not applied if it needs a kind of event that
the equipment of the table does not record.

Some internal-control checks need facts that people record and equipment does not. For such a check, the
column `missing` shows the facts that nobody recorded on the days of the row: `opener, box or slip`, or
`dealer-seated`. The check of opened tables needs the register of tables: if it is empty, the column shows
`register tables`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from typing import NamedTuple

from msgspec import json

from audit.queries.cache.aggregates import Aggregate, aggregate
from audit.queries.equipment import Sight, sights
from audit.queries.span import Span
from audit.replay.checks import CAGE, SEATED, STREAM_CHECKS, StreamCheck
from audit.replay.checks.tables_known import REGISTER, TablesKnown
from casino.reference import standing
from casino.reports.columns import Column, Rows, Sheet
from casino.reports.grouping import name_of_sums
from casino.reports.limits import NO_LIMITS, Limits, chosen
from games import GAMES
from games.kit.rules import reported_kinds
from games.kit.table import coverage

TITLE = "Rules not judged"
DEPARTMENT = "Surveillance and audit"
NEEDED = "Before you rely on findings, to see which rules a table is not judged by."
BY: tuple[str, ...] = ()
DEFAULT_BY: tuple[str, ...] = ()
CHART = "days"
LIMITED_BY = ("table", "game")
Rule = tuple[str, str, str]
"""The code of a rule, its citation, and the kinds of event that the rule needs but the equipment does not
record.
"""

UNREGISTERED: Rule = (TablesKnown.codes[0], TablesKnown.cite, "register tables")
DAYS_OF_MONTH = range(1, 32)


class RegisteredTables:
    """The days on which the register of tables of each property names any table."""

    def __init__(self) -> None:
        self._periods: dict[str, list[tuple[date, date]]] = {}
        self._known: dict[tuple[str, date], bool] = {}
        for row in standing.everywhere(REGISTER):
            if row.value is not None:
                self._periods.setdefault(row.property, []).append((row.begins, row.ends))

    def names_tables(self, property: str, day: date) -> bool:
        """Return True if the register of the property names any table on this day."""
        known = self._known.get((property, day))
        if known is None:
            known = any(begins <= day < ends for begins, ends in self._periods.get(property, ()))
            self._known[property, day] = known
        return known


class NotJudged(NamedTuple):
    """A code for which a table is not judged, the kinds of fact that are missing, and the number of days."""

    table: str
    code: str
    missing: str
    days: int


class DayFigures(NamedTuple):
    """The days of one month, as an integer with one bit for each day: `1 << 27` is the 27th day of the month.
    Rows with the same key have different days, so the sum of the rows has the days of all of them.
    """

    days: int


def sheet(span: Span, by: tuple[str, ...]) -> Sheet:
    """Return one row for each table and each rule by which the table is not judged. A table without a row is
    judged by every rule of its game.
    """
    return limited(span, NO_LIMITS)


def limited(span: Span, limits: Limits) -> Sheet:
    """Return the report limited to a table or a game."""
    days = _days_of_rules(chosen(_cached_sights(span), limits, getattr))
    columns = (
        Column("table", "table"),
        Column("game", "game"),
        Column("code", "not judged"),
        Column("missing", "not reported"),
        Column("days", "days", "count"),
        Column("first", "first", "day"),
        Column("last", "last", "day"),
        Column("rule", "rule"),
    )
    return Sheet(TITLE, columns, Rows(sorted(days.items(), key=lambda item: item[0]), _row))


def _days_of_rules(sights_of_span: Iterable[Sight]) -> dict[tuple[str, str, *Rule], set[date]]:
    """Return {(table, game, rule): days on which the table is not judged by the rule}."""
    rules: dict[tuple[str, frozenset[str], bool, bool], list[Rule]] = {}
    days: dict[tuple[str, str, *Rule], set[date]] = {}
    registered = RegisteredTables()
    for equipment in sights_of_span:
        kind = (equipment.game, equipment.sees, equipment.cage, equipment.seated)
        if kind not in rules:
            rules[kind] = _not_judged(equipment)
        own_days = set(equipment.days)
        property = equipment.table.partition("/")[0]
        without_register = {day for day in own_days if not registered.names_tables(property, day)}
        of_rules = [(rule, own_days) for rule in rules[kind]]
        if without_register:
            of_rules.append((UNREGISTERED, without_register))
        for rule, its_days in of_rules:
            key = (equipment.table, equipment.game, *rule)
            known = days.get(key)
            days[key] = its_days if known is None else known | its_days
    return days


def judged_days(span: Span) -> tuple[int, list[NotJudged]]:
    """Return the number of table days on which the equipment of a table reported any facts, and the rules by
    which a table is not judged. The rules are the rows of the report.
    """
    sights_of_span = list(_cached_sights(span))
    rows = sorted(_days_of_rules(sights_of_span).items(), key=lambda item: item[0])
    return _count(sights_of_span), [NotJudged(key[0], key[2], key[4], len(days)) for key, days in rows]


def days_by_code(span: Span) -> tuple[int, dict[str, int]]:
    """Return the number of table days, as `judged_days` does, and {code: days of its rows in the report}."""
    sights_of_span = list(_cached_sights(span))
    days: dict[str, int] = {}
    for (_, _, code, _, _), of_rule in _days_of_rules(sights_of_span).items():
        days[code] = days.get(code, 0) + len(of_rule)
    return _count(sights_of_span), days


def _count(sights_of_span: Iterable[Sight]) -> int:
    """Return the number of days of all tables."""
    days: dict[str, set[date]] = {}
    for sight in sights_of_span:
        days.setdefault(sight.table, set()).update(sight.days)
    return sum(map(len, days.values()))


def _cached_sights(span: Span) -> Iterator[Sight]:
    """Yield which kinds of facts the equipment of each table reported, with the days. The days are cached by
    month.
    """
    days: dict[tuple[str, ...], list[date]] = {}
    for row in aggregate(name_of_sums("coverage", (), None), span, _read_rows, DayFigures):
        *kind, month = row.key
        year, of_year = map(int, month.split("-"))
        days.setdefault(tuple(kind), []).extend(
            date(year, of_year, day) for day in DAYS_OF_MONTH if row.figures.days >> day & 1
        )
    for (table, game, sees, cage, seated), of_kind in days.items():
        yield Sight(
            table,
            game,
            frozenset(json.decode(sees, type=list[str])),
            bool(cage),
            bool(seated),
            tuple(of_kind),
        )


def _read_rows(span: Span) -> Iterator[Aggregate[DayFigures]]:
    """Yield a row for each table, month, and set of kinds of facts that the equipment reports. Two openings
    of a day that name the same kinds in a different order give one row.
    """
    days: dict[tuple[str, ...], int] = {}
    for equipment in sights(span):
        kind = (
            equipment.table,
            equipment.game,
            json.encode(sorted(equipment.sees)).decode(),
            "yes" if equipment.cage else "",
            "yes" if equipment.seated else "",
        )
        for day in equipment.days:
            in_month = (*kind, f"{day:%Y-%m}")
            days[in_month] = days.get(in_month, 0) | 1 << day.day
    for key, of_month in days.items():
        yield Aggregate(key, DayFigures(of_month))


def _not_judged(equipment: Sight) -> list[Rule]:
    game = GAMES.get(equipment.game)
    every = coverage(game, equipment.sees) if game is not None else ()
    sees = reported_kinds(equipment.sees)
    rules = [(rule.code, rule.cite, rule.needs - sees) for rule, judged in every if not judged]
    for check in STREAM_CHECKS:
        if (
            game is not None
            and (missing := _lacks(check, equipment, sees))
            and not (check.of_tray and game.live_dealer)
        ):
            rules += [(code, check.cites.get(code, check.cite), missing) for code in check.codes]
    return [(code, cite, " ".join(sorted(missing))) for code, cite, missing in rules]


NOT_RECORDED = {CAGE: "opener, box or slip", SEATED: "dealer-seated"}


def _lacks(check: type[StreamCheck], equipment: Sight, sees: frozenset[str]) -> frozenset[str]:
    """Return the kinds of fact that this check needs but that were not recorded on these days."""
    has = {CAGE: equipment.cage, SEATED: equipment.seated or "dealer-seated" in sees}
    lacks = {NOT_RECORDED[check.unless]} if check.unless and not has[check.unless] else set()
    return frozenset(check.needs - sees | lacks)


def _row(item: tuple[tuple[str, str, *Rule], set[date]]) -> tuple[str | int, ...]:
    (table, game, code, cite, missing), days = item
    return (table, game, code, missing, len(days), min(days).isoformat(), max(days).isoformat(), cite)

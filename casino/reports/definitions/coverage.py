"""Coverage: the rules by which a table is not judged, because its equipment does not see a kind that they
need.

A check of the controls that asks what a day lacks is judged only if somebody records it at all: the column
`missing` then names what nobody recorded on these days, `opener, box or slip` or `dealer-seated`.
"""

from __future__ import annotations

from datetime import date

from audit.queries.equipment import Sight, sights
from audit.queries.tallies import Span
from audit.replay.checks import CAGE, SEATED, STREAM_CHECKS, StreamCheck
from casino.reports.columns import Column, Rows, Sheet
from games import GAMES
from games.kit.rules import reported_kinds
from games.kit.table import coverage

TITLE = "Rules not judged"
BY: tuple[str, ...] = ()
DEFAULT_BY: tuple[str, ...] = ()
CHART = "days"
Rule = tuple[str, str, str]
"""Its code, its citation, and what it needs that is not seen."""


def sheet(span: Span, by: tuple[str, ...]) -> Sheet:
    """One row for each table, game and rule that is not judged; a table that is not named is judged by every
    rule of its game.
    """
    rules: dict[tuple[str, frozenset[str], bool, bool], list[Rule]] = {}
    days: dict[tuple[str, str, *Rule], set[date]] = {}
    for seen in sights(span):
        of = (seen.game, seen.sees, seen.cage, seen.seated)
        if of not in rules:
            rules[of] = _not_judged(seen)
        on = set(seen.days)
        for rule in rules[of]:
            before = days.get((seen.table, seen.game, *rule))
            days[seen.table, seen.game, *rule] = on if before is None else before | on
    columns = (
        Column("table", "table"),
        Column("game", "game"),
        Column("code", "not judged"),
        Column("missing", "does not see"),
        Column("days", "days", "count"),
        Column("first", "first", "day"),
        Column("last", "last", "day"),
        Column("rule", "rule"),
    )
    return Sheet(TITLE, columns, Rows(sorted(days.items(), key=lambda one: one[0]), _row))


def _not_judged(seen: Sight) -> list[Rule]:
    game = GAMES.get(seen.game)
    every = coverage(game, seen.sees) if game is not None else ()
    sees = reported_kinds(seen.sees)
    rules = [(rule.code, rule.cite, rule.needs - sees) for rule, judged in every if not judged]
    for check in STREAM_CHECKS:
        if (
            game is not None
            and (missing := _lacks(check, seen, sees))
            and not (check.of_tray and game.live_dealer)
        ):
            rules += [(code, check.cites.get(code, check.cite), missing) for code in check.codes]
    return [(code, cite, " ".join(sorted(missing))) for code, cite, missing in rules]


NOT_RECORDED = {CAGE: "opener, box or slip", SEATED: "dealer-seated"}


def _lacks(check: type[StreamCheck], seen: Sight, sees: frozenset[str]) -> frozenset[str]:
    """What a check of the controls needs and does not have on these days."""
    has = {CAGE: seen.cage, SEATED: seen.seated or "dealer-seated" in sees}
    lacks = {NOT_RECORDED[check.unless]} if check.unless and not has[check.unless] else set()
    return frozenset(check.needs - sees | lacks)


def _row(one: tuple[tuple[str, str, *Rule], set[date]]) -> tuple[str | int, ...]:
    (table, game, code, cite, missing), on = one
    return (table, game, code, missing, len(on), min(on).isoformat(), max(on).isoformat(), cite)

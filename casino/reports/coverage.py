"""Coverage: the rules by which a table is not judged, because its equipment does not see a kind that they need."""

from __future__ import annotations

from datetime import date

from audit import queries
from audit.queries import Span
from casino.reports import Column, Sheet
from games import GAMES
from games.kit.game import sight
from games.kit.table import coverage

TITLE = "Rules not judged"
BY: tuple[str, ...] = ()
DEFAULT_BY: tuple[str, ...] = ()
CHART = "days"


def sheet(span: Span, by: tuple[str, ...]) -> Sheet:
    """One row for each table, game and rule that is not judged; a table that is not named is judged by every rule of its game."""
    days: dict[tuple[str, str, str, str, str], set[date]] = {}
    for seen in queries.sights(span):
        game = GAMES.get(seen.game)
        for rule, judged in coverage(game, seen.sees) if game is not None else ():
            if not judged:
                missing = " ".join(sorted(rule.needs - sight(seen.sees)))
                days.setdefault((seen.table, seen.game, rule.code, rule.cite, missing), set()).add(seen.day)
    columns = (
        Column("table", "table"), Column("game", "game"), Column("code", "not judged"), Column("missing", "does not see"),
        Column("days", "days", "count"), Column("first", "first", "day"), Column("last", "last", "day"), Column("rule", "rule"),
    )  # fmt: skip
    rows = [
        (table, game, code, missing, len(on), min(on).isoformat(), max(on).isoformat(), cite)
        for (table, game, code, cite, missing), on in sorted(days.items())
    ]
    return Sheet(TITLE, columns, rows)

"""What a report's page reads of the tallies: rows of its days, tables or keys, never all rows of a property.
A page that reads all of them becomes slower with each day that is recorded.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from django.db import connection

from casino.reports import catalog
from tests.casino.conftest import Cast
from tests.casino.test_floor import nodes
from tests.casino.test_reports import felt, record

DAYS = "from=2026-11-27&to=2026-11-27"
TALLIES = ("tally", "void_tally", "cage_tally", "round_tally", "finding_tally", "fact")
OF_THE_PROPERTY = re.compile(r"\(?[\w.\"]*property\"? = [^)]*\)")
"""The part of an index condition that all rows of a property meet."""


class Queries:
    """The queries that requests send, with their values."""

    def __init__(self) -> None:
        self.sent = list[tuple[str, Any]]()

    def __call__(self, execute: Callable[..., Any], sql: str, values: Any, *others: Any) -> Any:
        if sql.lstrip(" (").upper().startswith(("SELECT", "WITH")):
            self.sent.append((sql, values))
        return execute(sql, values, *others)


def whole_reads(sql: str, values: Any) -> Iterator[str]:
    """Yield each step of a query's plan that reads a tally without an index, or all rows of a property."""
    with connection.cursor() as cursor:
        cursor.execute("SET enable_seqscan = off")  # with this few rows a scan would be as cheap
        cursor.execute(f"EXPLAIN (FORMAT JSON) {sql}", values)
        (plan,) = cursor.fetchone()
        cursor.execute("RESET enable_seqscan")
    for node in nodes(plan[0]["Plan"]):
        limits = OF_THE_PROPERTY.sub("", node.get("Index Cond", node.get("Recheck Cond", "")))
        if node.get("Relation Name") in TALLIES and "=" not in limits and "<" not in limits:
            yield f"{node['Node Type']} of {node['Relation Name']} in {sql}"


def test_no_page_of_a_report_reads_all_tallies_of_a_property(cast: Cast) -> None:
    record(felt(10_000, 700), felt(10_000, 500, "aurora/T2"))
    boris = cast.browser("Boris")
    paths = ["/hold/", "/hold/where/", "/hold/review/", *(f"/reports/{name}/" for name in catalog.names())]
    for path in paths:
        assert boris.get(f"{path}?{DAYS}").status_code == 200  # the first request builds stored sums
        queries = Queries()
        with connection.execute_wrapper(queries):
            assert boris.get(f"{path}?{DAYS}").status_code == 200
        assert len(queries.sent) > 3
        assert [read for sql, values in queries.sent for read in whole_reads(sql, values)] == [], path

"""A page that reads the fingerprint of a gaming day only once has the sums of the facts, and caches no sums
with the fingerprint of other facts.
"""

from __future__ import annotations

from datetime import timedelta

from audit.queries.cache.stamps import read_ahead, stamps_of, stamps_read_once
from tests.casino.books import felt
from tests.casino.test_cached_runs import DAYS, SPAN, slowly, sums, units, week
from tests.casino.test_reports import record
from tests.counted_queries import counted_queries

__all__ = ["week"]


def test_the_fingerprints_of_a_part_are_those_of_the_database(week: None) -> None:
    parts = [SPAN._replace(begins=DAYS[first], ends=DAYS[last]) for first, last in ((0, 3), (2, 5), (8, 8))]
    parts += [SPAN._replace(ends=None), SPAN._replace(property="other"), SPAN._replace(books="closed")]
    expected = [stamps_of(part) for part in parts]
    with stamps_read_once():
        read_ahead(SPAN)
        assert [stamps_of(part) for part in parts] == expected
        with counted_queries() as queries:
            assert [stamps_of(part) for part in parts] == expected
        assert not queries
    assert len(expected[0]) == 3
    assert not expected[2]
    assert len(expected[3]) == len(DAYS)


def test_sums_of_later_facts_are_not_cached_with_fingerprints_read_before(week: None) -> None:
    with stamps_read_once():
        read_ahead(SPAN)
        record(felt(900, 50, table="aurora/EOU-07", day=str(DAYS[3])))
        assert sums(SPAN, "day") == slowly(SPAN, "day")
    changed = str(DAYS[3])
    assert changed not in units("runs day")
    assert str(DAYS[0]) in units("runs day")
    assert sums(SPAN, "day") == slowly(SPAN, "day")
    assert sums(SPAN._replace(ends=SPAN.ends and SPAN.ends + timedelta(days=1)), "day") == slowly(SPAN, "day")

"""Cached sums that somebody changed are never shown. A row of the cache needs a valid digest. A nightly job
and `verify` compare the rows with the tallies. A row that differs raises an alarm, which lasts until the row
is replaced.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import override_settings

from audit import tasks
from audit.differences import compare_orphans
from audit.jobs import alarms, leases
from audit.models import Job
from audit.proofs import sample
from audit.proofs.registry import selected
from audit.proofs.run import run
from audit.queries import job_alarms
from audit.queries.cache import cached_rows
from audit.queries.cache import compare as caches
from audit.queries.span import Span
from casino.reports import cache_warming, catalog
from casino.runtime.operations.metrics import exposed
from tests.casino.books import counted, map_accounts
from tests.casino.test_reports import felt, record
from tests.casino.test_restated import adjust, close
from tests.furnished import furnishing

YEAR = Span(date(2026, 1, 1), date(2027, 1, 1), "aurora")


@furnishing
def warm() -> None:
    """Record two tables' days, and fill the cache of sums for all reports."""
    map_accounts()
    record(counted(1000, 100), close(), counted(500, 50, table="aurora/T2"), adjust("drop", 25))
    cache_warming.warm()


def rows(query: str, values: Any = ()) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(query, values or None)
        return cursor.fetchall() if cursor.description else []


def win() -> list[str]:
    sheet = catalog.report("hold").sheet(YEAR, ("table",))
    place = [column.key for column in sheet.columns].index("win")
    return [str(row[place]) for row in sheet.rows]


def alarm_of(of: str) -> Job | None:
    return Job.objects.filter(kind=alarms.CHECK, stream=of).first()


def test_nothing_differs_in_a_cache_that_nobody_changed(warm: None) -> None:
    differences = caches.compare("aurora")
    assert differences.rows["summed"] > 20
    assert differences.listed == []
    names = [name for (name,) in rows("SELECT DISTINCT name FROM summed WHERE unit = '2026-11'")]
    with cached_rows.scratch_cache() as entries:
        cache_warming.rebuild("aurora", "2026-11", names)
    built = sum(("aurora", "2026-11", name) in entries for name in names)
    assert built >= len(names) - 1, (
        f"{sorted(set(names) - {name for _, _, name in entries})} cannot be compared"
    )


def test_a_month_built_from_its_days_has_the_notes_of_one_that_was_built_at_once(house: Any) -> None:
    uncounted = [felt(1000, 100, f"aurora/T{3 - day}", f"2026-11-2{day}")[:-1] for day in (1, 2)]
    record(*uncounted)
    catalog.report("hold").sheet(YEAR, ("game",))
    record(felt(500, 50, "aurora/T3"))
    note = str(next(iter(catalog.report("hold").sheet(YEAR, ("game",)).rows))[-1])
    assert caches.compare("aurora").listed == []
    missing = "1 box not counted"
    assert note == f"pending aurora/T1/2026-11-22: {missing}; aurora/T2/2026-11-21: {missing}"


def test_a_changed_row_is_not_read_and_raises_an_alarm(warm: None, caplog: pytest.LogCaptureFixture) -> None:
    right = win()
    changed = rows(
        "UPDATE summed SET sums = convert_to(replace(convert_from(sums, 'UTF8'), '1', '9'), 'UTF8')"
        " WHERE name LIKE 'hold %' RETURNING name"
    )
    assert changed
    assert {fault.table for fault in run(selected(["summed"])).faults} == {"summed"}
    assert win() == right
    assert "were changed outside Catwalk" in caplog.text
    alarm = alarm_of(alarms.CACHES)
    assert alarm is not None
    assert (alarm.state, alarm.property) == ("set-aside", "aurora")
    assert b"catwalk_derived_differs 1.0" in exposed()
    assert [
        (alarm.property, alarm.checks, alarm.others) for alarm in job_alarms.of_properties(["aurora"])
    ] == [("aurora", 1, 0)]


@pytest.mark.parametrize("column", ["stamp", "name", "unit", "property"])
def test_a_row_that_was_moved_has_no_valid_digest(warm: None, column: str) -> None:
    rows(f"UPDATE summed SET {column} = {column} || 'x' WHERE name LIKE 'hold %' AND unit = '2026-11'")
    named = caches.compare("aurora").listed + compare_orphans(caches.ORPHANS).listed
    assert named


def test_sums_that_were_added_up_from_a_changed_tally_are_found_and_replaced(warm: None) -> None:
    """Test sums with a valid digest that were added up from a changed tally. The tally is then changed back,
    so that only the cached sums are wrong.
    """
    right = win()
    rows("UPDATE cage_tally SET amount = amount + 1000000 WHERE kind = 'drop-counted'")
    rows("DELETE FROM summed")
    wrong = win()
    assert wrong != right
    rows("UPDATE cage_tally SET amount = amount - 1000000 WHERE kind = 'drop-counted'")
    assert win() == wrong
    assert "sums" in {difference.column for difference in caches.compare("aurora").listed}
    with pytest.raises(SystemExit):
        call_command("reexamine")
    assert win() == right
    assert caches.compare("aurora").listed == []
    assert rows("SELECT count(*) FROM fact WHERE kind = 'reexamined'") == [(1,)]


def test_the_figure_of_a_report_is_right_after_a_repair_of_the_tally(warm: None) -> None:
    right = win()
    rows("UPDATE cage_tally SET amount = amount + 1000000 WHERE kind = 'drop-counted'")
    rows("DELETE FROM summed")
    assert win() != right
    with pytest.raises(SystemExit):
        call_command("reexamine")
    assert win() == right


def test_a_digest_by_an_earlier_secret_key_is_valid_while_that_key_is_a_fallback(warm: None) -> None:
    from django.conf import settings

    with override_settings(SECRET_KEY="new", SECRET_KEY_FALLBACKS=[str(settings.SECRET_KEY)]):
        assert caches.compare("aurora").listed == []
    with override_settings(SECRET_KEY="new", SECRET_KEY_FALLBACKS=[]):
        assert caches.compare("aurora").listed


def check(night: str) -> None:
    leases.ask_for(alarms.CHECK, "aurora", night)
    tasks.examine(Job.objects.get(kind=alarms.CHECK, stream=night).id)


def test_a_night_compares_its_share_and_raises_an_alarm_that_a_repair_ends(
    warm: None, caplog: pytest.LogCaptureFixture
) -> None:
    tasks.check_derived()
    tonight = datetime.now(UTC).date()
    job = Job.objects.get(kind=alarms.CHECK)
    assert (job.stream, job.state) == (tonight.isoformat(), "due")
    tasks.examine(job.id)
    job.refresh_from_db()
    assert (job.state, job.error) == ("done", "")
    assert job.cursor > 0
    rows("UPDATE cage_tally SET amount = amount + 1 WHERE kind = 'drop-counted'")
    ((stream,),) = rows("SELECT stream FROM cage_tally WHERE kind = 'drop-counted' LIMIT 1")
    night = str(date.fromisoformat(stream[-10:]) + timedelta(days=2 * sample.NIGHTS))
    with pytest.raises(alarms.Alarm):
        check(night)
    alarm = alarm_of(night)
    assert alarm is not None
    assert alarm.state == "set-aside"
    assert "cage_tally" in alarm.error
    assert "stored values differ from a replay of the facts" in caplog.text
    assert b"catwalk_derived_differs 1.0" in exposed()
    with pytest.raises(SystemExit):
        call_command("reexamine")
    assert leases.revive([alarm.id], "m-101") == 1
    tasks.examine(alarm.id)
    alarm.refresh_from_db()
    assert (alarm.state, alarm.error) == ("done", "")
    assert b"catwalk_derived_differs 0.0" in exposed()


def test_every_gaming_day_is_in_one_of_thirty_nights_and_missed_nights_are_made_up_for(house: Any) -> None:
    first = date(2026, 12, 1)
    shares = [sample._shares("aurora", first + timedelta(days=night)) for night in range(sample.NIGHTS)]
    assert set().union(*shares) == {*range(sample.NIGHTS)}
    assert all(len(share) == 1 for share in shares)
    leases.ask_for(alarms.CHECK, "aurora", "2026-11-28")
    rows("UPDATE job SET state = 'done'")
    assert len(sample._shares("aurora", first)) == sample.AT_ONCE

"""An import prepares its next facts while the server records the current ones. A fault of the next facts does
not touch the current ones.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from time import monotonic, sleep
from typing import Any

import pytest

from audit.facts import Prepared, check
from audit.ledger import intake, store
from audit.ledger.intake import Sender
from casino.importing.look_ahead import LookAhead
from casino.importing.posting import post
from casino.importing.spool import BATCH, Batch, Spool
from tests.audit.floor import fact, opened

SENDER = Sender("test")
WAITING = """SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND query LIKE '%append_facts%' AND wait_event_type = 'Lock'"""


def prepared(*facts: dict[str, Any]) -> list[Prepared]:
    return [check(json.dumps(fact).encode()) for fact in facts]


def filled(spool: Spool, facts: list[Prepared]) -> Spool:
    for line, checked in enumerate(facts, 1):
        spool.add(0, line, checked)
    return spool


def recorded() -> dict[str, int]:
    return {row.name: row.number for row in store.streams()}


def test_facts_are_prepared_while_the_server_waits_for_the_lock_of_the_ledger(house):
    intake.post_prepared(prepared(opened(1)), SENDER)
    connection = house.owner
    connection.execute("BEGIN")
    connection.execute("SELECT 1 FROM head FOR UPDATE")

    def release() -> None:
        end = monotonic() + 30
        while not house.app.execute(WAITING).fetchone()[0]:
            assert monotonic() < end, "the server was not sent the facts"
            sleep(0.01)
        connection.execute("COMMIT")

    assert intake.record_count(intake.arrange(prepared(fact(2)), SENDER), release) == 1
    assert recorded() == {"aurora/EOU-01/2026-11-27": 2}


def test_a_failure_while_the_server_works_records_nothing_and_leaves_the_connection_usable(house):
    def stop() -> None:
        raise KeyboardInterrupt

    arranged = intake.arrange(prepared(opened(1), fact(2)), SENDER)
    with pytest.raises(KeyboardInterrupt):
        intake.record_count(arranged, stop)
    assert recorded() == {}
    assert intake.record_count(arranged) == 2


@pytest.mark.parametrize(
    ("strict", "count", "calls"),
    [(True, BATCH, [BATCH]), (False, BATCH + 2, [BATCH, BATCH + 3])],
)
def test_a_uid_with_two_bodies_in_the_next_batch_is_refused_in_its_turn(house, strict, count, calls):
    facts = [opened(1), *(fact(place) for place in range(2, BATCH + 3))]
    other_body = facts[-1] | {"amount": 600}
    progress: list[int] = []
    with Spool() as spool:
        result = post(
            filled(spool, prepared(*facts, other_body)), SENDER, strict=strict, progress=progress.append
        )
    assert (recorded(), result.recorded) == ({"aurora/EOU-01/2026-11-27": count}, count)
    assert [(place, line) for place, line, _ in result.refused] == [(0, BATCH + 3)]
    assert progress == calls


def test_a_property_without_right_in_the_next_batch_is_refused_in_its_turn(house):
    facts = [opened(1), *(fact(place) for place in range(2, BATCH + 1)), opened(BATCH + 1, "borealis/1")]
    with Spool() as spool:
        result = post(
            filled(spool, prepared(*facts)),
            Sender("test", frozenset({"aurora"})),
            strict=True,
            progress=lambda count: None,
        )
    assert recorded() == {"aurora/EOU-01/2026-11-27": BATCH}
    assert result.refused == [(0, BATCH + 1, "table: test may not post for borealis")]


def imported(*facts: dict[str, Any]) -> tuple[int, int, set[tuple[str, str]]]:
    """Import facts. Return how many are new, how many are not, and their streams."""
    with Spool() as spool:
        result = post(filled(spool, prepared(*facts)), SENDER, strict=True, progress=lambda count: None)
    return result.recorded, result.already, result.streams


def requested(house) -> dict[str, int]:
    """Return how often the examination of each stream was requested."""
    query = "SELECT stream, asked FROM job WHERE kind = 'examine-stream'"
    return dict(house.app.execute(query).fetchall())


def test_an_import_counts_the_new_facts_and_requests_the_examination_of_their_streams_alone(house):
    first, second = "aurora/EOU-01/2026-11-27", "borealis/2/2026-11-27"
    assert imported(opened(1), fact(2), fact(2)) == (2, 1, {("aurora", first)})
    requests = requested(house)
    assert set(requests) == {first}
    two_streams = {("aurora", first), ("borealis", second)}
    assert imported(fact(2), opened(3, "borealis/2"), opened(1)) == (1, 2, two_streams)
    assert requested(house) == requests | {second: requests[first]}
    assert imported(fact(2), fact(4)) == (1, 1, {("aurora", first)})
    assert requested(house) == {first: requests[first] + 1, second: requests[first]}


def test_counting_records_the_same_places_as_reading_them(house):
    counted = intake.arrange(prepared(opened(1), fact(2)), SENDER)
    assert (intake.record_count(counted), intake.record_count(counted)) == (2, 0)
    partly = intake.arrange(prepared(fact(2), fact(3)), SENDER)
    assert intake.record_count(partly) == 1
    answers = intake.post_prepared(prepared(opened(1), fact(2), fact(3)), SENDER)
    assert [(answer.number, answer.position, answer.fresh) for answer in answers] == [
        (number, number, False) for number in (1, 2, 3)
    ]


class Unreadable(Spool):
    """A spool whose file cannot be read after the first batch."""

    def batches(self) -> Iterator[Batch]:
        """Yield the first batch, then fail."""
        yield next(super().batches())
        raise OSError("the disk does not answer")


def test_an_error_of_reading_reaches_the_caller_after_the_batches_before_it(house):
    facts = [opened(1), *(fact(place) for place in range(2, BATCH + 10))]
    progress: list[int] = []
    with Unreadable() as spool, pytest.raises(OSError, match="does not answer"):
        post(filled(spool, prepared(*facts)), SENDER, strict=True, progress=progress.append)
    assert (recorded(), progress) == ({"aurora/EOU-01/2026-11-27": BATCH}, [BATCH])


def test_a_value_is_made_once_and_in_order():
    numbers: list[int] = []

    def values() -> Iterator[int]:
        for value in range(3):
            numbers.append(value)
            yield value

    values_ahead = LookAhead(values())
    assert next(values_ahead) == 0
    values_ahead.prepare()
    values_ahead.prepare()
    assert numbers == [0, 1]
    assert list(values_ahead) == [1, 2]
    with pytest.raises(StopIteration):
        next(values_ahead)

"""The queue page polls for changes. In the end it has the present state of every row, even if rows change
during a poll.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from audit.review import queue
from tests.casino.conftest import Cast
from tests.casino.nights import record, troubled_day
from tests.conftest import House

WANTED = queue.Wanted(("aurora",))


@pytest.mark.parametrize("statement", range(3))
def test_a_hand_judged_during_a_poll_is_in_that_poll_or_the_next(
    cast: Cast, house: House, statement: int
) -> None:
    since = queue.now()
    record(troubled_day("EOU-08", times=1, faults=("late-bet:new",)))
    officer, count = house.owner, 0

    def judged_behind(execute: Callable[..., Any], *arguments: Any) -> Any:
        """Execute a statement of the poll. If it is the statement with the given number, commit another
        user's verdict after it.
        """
        nonlocal count
        answer = execute(*arguments)
        if count == statement:
            officer.execute("UPDATE queued SET state = 'escalated', touched = pg_current_xact_id()")
        count += 1
        return answer

    before = {row.state for row, _ in queue.news(WANTED, since).rows}
    assert "open" in before
    assert "escalated" not in before
    with connection.execute_wrapper(judged_behind):
        first = queue.news(WANTED, queue.now())
    second = queue.news(WANTED, first.since)
    states = {row.hand: row.state for row, _ in (*first.rows, *second.rows)}
    assert set(states.values()) == {"escalated"}
    assert 0 < len(states) == len(queue.page(WANTED._replace(state="escalated")).rows)

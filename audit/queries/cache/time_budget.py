"""A limit on how long a caller waits for aggregates. What was finished by then is cached, so the next attempt
continues from there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar


class TimeBudgetExceeded(Exception):
    """The time budget was used up before all periods were aggregated. The finished periods are cached, so the
    next attempt continues from there.

    `period`: the month or day that would have been aggregated next. `done`: the number of finished periods.
    `total`: the number of all periods. If the caller does not count periods, `period` is empty and both
    numbers are 0.
    """

    def __init__(self, period: str = "", count: int = 0, total: int = 0) -> None:
        super().__init__(period)
        self.period, self.done, self.total = period, count, total


class TimeBudget:
    """A limit on how long a caller waits, and the number of periods that were cached in that time."""

    def __init__(self, is_used_up: Callable[[], bool]) -> None:
        self.is_used_up, self.cached = is_used_up, 0


_budget: ContextVar[TimeBudget | None] = ContextVar("time budget", default=None)


@contextmanager
def time_budget(is_used_up: Callable[[], bool]) -> Iterator[TimeBudget]:
    """Limit the time that aggregation in this block may take.

    Raises:
        TimeBudgetExceeded: the budget is used up, and another month or day would have to be aggregated.
    """
    budget = TimeBudget(is_used_up)
    token = _budget.set(budget)
    try:
        yield budget
    finally:
        _budget.reset(token)


def no_time_limit() -> AbstractContextManager[TimeBudget]:
    """Let aggregation in this block take all the time that it needs. A limit outside of it does not apply."""
    return time_budget(lambda: False)


def check_budget(period: str = "", count: int = 0, total: int = 0) -> None:
    """Raise TimeBudgetExceeded if the time budget is used up. Call this before each period is aggregated."""
    if (budget := _budget.get()) is not None and budget.is_used_up():
        raise TimeBudgetExceeded(period, count, total)


def count_cached() -> None:
    """Count a period that was cached, if there is a time budget."""
    if (budget := _budget.get()) is not None:
        budget.cached += 1

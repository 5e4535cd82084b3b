"""The steps of a hand in their required order. This module tells which steps were done, which are missing,
and which were done too soon.
"""

from __future__ import annotations

from games.kit.events import Event


class Steps:
    """The first fact of each step, with the order of the steps in the manual."""

    __slots__ = ("came", "order")

    def __init__(self, *order: str) -> None:
        self.order = order
        self.came: dict[str, Event] = {}

    def take(self, step: str, event: Event) -> None:
        """Record that a step was done. Only the first fact of a step counts."""
        self.came.setdefault(step, event)

    def too_soon(self, step: str) -> dict[str, Event]:
        """Return the later steps that were already done when this step is done for the first time, each with
        its fact.
        """
        if step in self.came or len(self.came) <= self.order.index(step):
            return {}
        return {
            later: self.came[later]
            for later in self.order[self.order.index(step) + 1 :]
            if later in self.came
        }

    def is_overtaken(self, step: str, since: str) -> bool:
        """Return True if a step that must come later than `step` was done after the step `since`."""
        by_time = list(self.came)
        later = self.order[self.order.index(step) + 1 :]
        return any(name in later for name in by_time[by_time.index(since) + 1 :])

    def proof(self, step: str, history: list[Event], round: str) -> Event | None:
        """Return the fact that proves that this step is missing. It is the next fact of the round after the
        last earlier step that was done.
        """
        came = [self.came[name] for name in self.order[: self.order.index(step)] if name in self.came]
        if not came:
            return None
        place = max(next(i for i, fact in enumerate(history) if fact is event) for event in came)
        return next((fact for fact in history[place + 1 :] if fact.round == round), None)

"""Steps that a hand goes through in one order: what came, what is missing, and what came too soon."""

from __future__ import annotations

from games.kit.events import Event


class Steps:
    """The first fact of each step, in the order of the manual."""

    __slots__ = ("came", "order")

    def __init__(self, *order: str) -> None:
        self.order = order
        self.came: dict[str, Event] = {}

    def take(self, step: str, event: Event) -> None:
        """Record that the step is done; only its first fact counts."""
        self.came.setdefault(step, event)

    def too_soon(self, step: str) -> dict[str, Event]:
        """Return later steps that have come already, if this step comes now for the first time."""
        if step in self.came or len(self.came) <= self.order.index(step):
            return {}
        return {
            later: self.came[later]
            for later in self.order[self.order.index(step) + 1 :]
            if later in self.came
        }

    def proof(self, step: str, trail: list[Event], round: str) -> Event | None:
        """Return the round's next fact after the last step that came before this one: it proves that this
        step is missing.
        """
        came = [self.came[name] for name in self.order[: self.order.index(step)] if name in self.came]
        if not came:
            return None
        place = max(next(i for i, fact in enumerate(trail) if fact is event) for event in came)
        return next((fact for fact in trail[place + 1 :] if fact.round == round), None)

"""Check that a box is counted by as many people as the property requires: register `thresholds`, key
`count-team`, value `{"people": n}`.

Catwalk's pages require two if the register has no entry. A count room with a machine names only the person
who runs it, so nothing is judged without an entry.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from audit import facts as f
from audit.controls import cite
from audit.replay.checks import Ledger, LedgerCheck, Nothing
from audit.replay.registers import Registers
from audit.replay.results import Finding
from games.kit.events import Event
from games.kit.signatures import person_key


class CountTeam(LedgerCheck):
    """Find a count team that is smaller than the register requires. An empty team is not reported here, but
    as an unsigned count.
    """

    name = "count-team"
    codes = ("team-too-small",)
    cite = cite("CO-01")
    kinds = (f.DropCounted,)
    rests_on = "thresholds"
    StateType = Nothing

    def see(self, event: Event, ledger: Ledger) -> Iterator[Finding]:
        assert isinstance(event, f.DropCounted)
        people = {person_key(member) for member in event.team} - {""}
        minimum = people_of(ledger.registers, event.day)
        if minimum is not None and 0 < len(people) < minimum:
            says = (
                f"Box {event.box} was counted by {' and '.join(sorted(people))}; a count team has {minimum}"
                " people or more."
            )
            yield self.finding("team-too-small", ledger.place, says)


def people_of(registers: Registers, day: date) -> int | None:
    """Return the minimum number of people in a count team on a day, or None if the register has no entry."""
    value = registers.value("thresholds", "count-team", day)
    people = value.get("people") if isinstance(value, dict) else None
    return people if isinstance(people, int) and not isinstance(people, bool) and people > 0 else None


CHECK = CountTeam

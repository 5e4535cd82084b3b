"""Check at the opening of a round that every alarm has been answered and that a pause between two rounds has
ended. Pure.

A recorded alarm or pause counts even if `sees` of the table does not name its kind. But a missing answer is
judged only if `sees` names `alarm-answered`, and a missing end of a pause only if it names `resumed`.
"""

from __future__ import annotations

from collections.abc import Iterator

from audit.replay.fold_state import State
from games.kit import events as e
from games.kit.breach import Breach
from games.kit.citations import ALARM_ANSWERED, PAUSE_KEPT
from games.kit.codes import GRADE
from games.kit.events import Event

KINDS: tuple[type[Event], ...] = (e.Alarm, e.AlarmAnswered, e.Paused, e.Resumed)
BY_PEOPLE: tuple[type[Event], ...] = (e.AlarmAnswered, e.Paused, e.Resumed)
"""Kinds of fact that a person may send with a token. If the table's equipment does not report such a kind, a
number `n` on the fact is not counted as a number of the device. Otherwise the number could hide that a
message of the device was lost.
"""


def note(state: State, event: Event, *, in_round: bool) -> None:
    """Record an alarm, a pause between rounds, or the end of either. A pause within a round is not recorded
    here, because the table handles it.
    """
    if isinstance(event, e.Alarm):
        state.alarms[event.uid] = f"{event.device}: {event.text}"
    elif isinstance(event, e.AlarmAnswered):
        state.alarms.pop(event.alarm, None)
    elif not in_round:
        state.paused = (
            f"{event.reason or 'no reason'}, {event.at.isoformat(timespec='seconds')}"
            if isinstance(event, e.Paused)
            else ""
        )


def not_over(state: State, sees: frozenset[str], opened: Event) -> Iterator[Breach]:
    """Yield findings for alarms and a pause that were not over when this round was opened. All alarms are in
    one finding. Each alarm or pause is reported only once.
    """
    if state.alarms and "alarm-answered" in sees:
        says = (
            "The round was opened before anybody had answered the alarm"
            f" {' and the alarm '.join(state.alarms.values())}."
        )
        yield breach("alarm-unanswered", opened, says, ALARM_ANSWERED)
    if state.paused and "resumed" in sees:
        says = (
            f"A round was opened while play was paused between two rounds ({state.paused}): nobody had"
            " resumed it."
        )
        yield breach("out-of-order", opened, says, PAUSE_KEPT)
    state.alarms.clear()
    state.paused = ""


def breach(code: str, opened: Event, says: str, cite: str) -> Breach:
    """Return a finding about the fact that opened the round."""
    return Breach(code=code, event=opened, says=says, cite=cite, grade=GRADE[code], round=opened.round)

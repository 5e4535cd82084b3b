"""Check that a reason is recorded whenever something is undone, corrected or stopped.

Every kind with a required field `reason`, or with the field `why` of an officer, is checked. The games check
the void of a round.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import structs

from audit import facts as f
from audit.controls import cite
from audit.facts.kinds import EVERY
from audit.replay.checks import Ledger, LedgerCheck, Nothing, Seen, StreamCheck
from audit.replay.results import Finding
from games.kit import events as e
from games.kit.breach import Breach
from games.kit.events import Event, kind_of

FIELDS = ("reason", "why")
SAYS_WHY = tuple(
    kind
    for kind in EVERY
    if kind is not e.Void and any(field.name in FIELDS and field.required for field in structs.fields(kind))
)
"""Every kind of fact that has a field for a reason."""
CODES: dict[type[Event], str] = {f.SlipVoided: "void-without-reason"}
CODE = "without-reason"
CITE: dict[type[Event], str] = {
    f.SlipVoided: cite("SL-06"),
    f.Adjusted: cite("AU-04"),
    e.Corrected: cite("DE-02"),
    e.Paused: cite("MI-03"),
    e.Resumed: cite("MI-03"),
}
OTHERS = cite("EX-02")


class Reasons(StreamCheck):
    """Check the reasons of facts in the streams of tables."""

    name = "reasons"
    codes = (CODE, "void-without-reason")
    cite = OTHERS
    kinds = tuple(kind for kind in SAYS_WHY if kind not in f.OF_THE_HOUSE)
    StateType = Nothing

    def see(self, event: Event, stream: Seen) -> Iterator[Breach]:
        if is_silent(event):
            yield self.breach(
                CODES.get(type(event), CODE), event, sentence(event), cite=CITE.get(type(event), "")
            )


class OfTheHouse(LedgerCheck):
    """Check the reasons of facts in the property's own stream."""

    name = "reasons"
    codes = (CODE,)
    cite = OTHERS
    kinds = tuple(kind for kind in SAYS_WHY if kind in f.OF_THE_HOUSE)
    StateType = Nothing

    def see(self, event: Event, ledger: Ledger) -> Iterator[Finding]:
        if is_silent(event):
            yield self.finding(CODE, ledger.place, sentence(event), cite=CITE.get(type(event), ""))


def is_silent(event: Event) -> bool:
    """Return True if the reason in a fact is empty."""
    return not any(str(getattr(event, field, "")).strip() for field in FIELDS)


def sentence(event: Event) -> str:
    """Return the sentence of the finding: what was done without a reason, and by whom."""
    kind, slip = kind_of(type(event)), getattr(event, "slip", "")
    return (
        f"{kind.replace('-', ' ').capitalize()}{f' {slip}' if slip else ''}:"
        f" {getattr(event, 'by', '') or 'nobody'} gives no reason."
    )


CHECKS = (Reasons, OfTheHouse)

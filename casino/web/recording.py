"""Build facts from users' actions on pages, and record them through `audit/ledger/intake.py`.

The services of the capabilities (`floor`, `cage`, `count_room`, `day_close`, `surveillance`) check
permissions and fields before they record. What only replay can judge is not checked here: it is evidence.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any
from uuid import UUID, uuid4

from django.utils import timezone

from audit.facts import Refused, canonical
from audit.ledger import intake, open_stream
from audit.ledger.intake import Sender
from audit.ledger.store import Recorded
from audit.queries import cage_facts
from casino.models import Person
from casino.presentation.errors import ActionRejected
from casino.reference.calendar import gaming_day
from games import GAMES

Fact = dict[str, Any]


def property_fact(kind: str, by: Person, property: str, **fields: Any) -> Fact:
    """Return a new fact of the property's own stream, with the current time and gaming day."""
    return _fact(kind, f"{property}/house", gaming_day(property), {"by": by.id, **fields})


def table_fact(kind: str, property: str, table: str, day: date | None = None, **fields: Any) -> Fact:
    """Return a new fact of a table's stream on `day`, by default the table's open gaming day, else the
    property's current one. `fields` include who signed.
    """
    return _fact(
        kind, f"{property}/{table}", day or open_day(property, table) or gaming_day(property), fields
    )


def open_day(property: str, table: str) -> date | None:
    """Return the gaming day of the table's last stream if that day is not closed, else None."""
    last = open_stream.of_table(property, table)
    return date.fromisoformat(last["day"]) if last is not None and not last["sealed"] else None


def has_tray(game: str) -> bool:
    """Return True if tables of this game have chips and a drop box. A live-dealer table, with any number of
    players, has neither.
    """
    return game not in GAMES or not GAMES[game].live_dealer


def require_tray(table: str, game: str) -> None:
    """Raise ActionRejected for a live-dealer table, which has no chips to count; its revenue is computed from
    its wagers.
    """
    if not has_tray(game):
        raise ActionRejected(
            f"{table} is a live-dealer table: it has no tray and no drop box. Choose a table that has.",
            "table",
        )


def _fact(kind: str, table: str, day: date, fields: Fact) -> Fact:
    fact = {"uid": str(uuid4()), "table": table, "day": day.isoformat(), "kind": kind}
    return fact | {"at": timezone.now().isoformat(timespec="milliseconds"), "source": "pages"} | fields


def parse_form_uid(sent: str) -> str:
    """Parse the uid of a form, by which a form submitted twice is recorded once. Raise ActionRejected if it
    is invalid.
    """
    try:
        return str(UUID(sent))
    except ValueError:
        raise ActionRejected("This form is no longer valid. Reload the page and try again.") from None


ALREADY_RECORDED = "Already recorded. Reload the page to submit another."


def reject_resubmission(property: str, uid: str) -> None:
    """Raise ActionRejected if the form with this uid is already recorded. Call it first, so that the user
    does not see errors caused by later changes.
    """
    if cage_facts.fact(property, UUID(uid)) is not None:
        raise ActionRejected(ALREADY_RECORDED)


def record(by: Person, property: str, facts: Sequence[Fact]) -> list[Recorded]:
    """Record all of these facts, or none. Raise ActionRejected with the reason if the ledger rejects one."""
    try:
        return intake.post([canonical(fact) for fact in facts], Sender(by.id, frozenset({property})))
    except Refused as refused:
        raise ActionRejected(_plainly(refused), refused.field or "") from None


def _plainly(refused: Refused) -> str:
    if refused.code == "uid-reused":
        return ALREADY_RECORDED
    if refused.code == "stream-sealed":
        return (
            "This table's gaming day is closed and takes no more facts. What was learned later is an"
            " adjustment."
        )
    if refused.code == "not-opened":
        return "The table has not been opened on this gaming day: open it on the floor page first."
    return f"This cannot be recorded: {refused.field + ': ' if refused.field else ''}{refused.why}."

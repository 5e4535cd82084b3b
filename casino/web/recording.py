"""Build facts from users' actions on pages, and record them through `audit/ledger/intake.py`.

The services (`floor`, `cage`, `count_room`, `day_close`, `surveillance`) check permissions and fields before
they record. They do not check what only replay can judge, because such facts are evidence.
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
from audit.queries.floor import PAGES
from casino.models import Person
from casino.presentation.errors import ActionRejected
from casino.reference.calendar import gaming_day
from games import GAMES

Fact = dict[str, Any]


def property_fact(kind: str, by: Person, property: str, **fields: Any) -> Fact:
    """Return a new fact of the property's own stream, with the current time and gaming day."""
    return _fact(kind, f"{property}/house", gaming_day(property), {"by": by.id, **fields})


def table_fact(kind: str, property: str, table: str, day: date | None = None, **fields: Any) -> Fact:
    """Return a new fact of a table's stream, with the current time. `fields` include the signers.

    Args:
        day: the gaming day, or None for the table's open gaming day. If the table is not open, None means the
            property's current gaming day.
    """
    return _fact(
        kind, f"{property}/{table}", day or open_day(property, table) or gaming_day(property), fields
    )


def open_day(property: str, table: str) -> date | None:
    """Return the gaming day of the table's last stream, or None if that day is closed."""
    last = open_stream.of_table(property, table)
    return date.fromisoformat(last["day"]) if last is not None and not last["sealed"] else None


def has_tray(game: str) -> bool:
    """Return True if tables of this game have chips and a drop box. Live-dealer tables have neither,
    regardless of their number of players.
    """
    return game not in GAMES or not GAMES[game].live_dealer


def require_tray(table: str, game: str) -> None:
    """Raise ActionRejected for a live-dealer table. Such a table has no chips to count, and its revenue is
    computed from its wagers.
    """
    if not has_tray(game):
        raise ActionRejected(
            f"{table} is a live-dealer table: it has no tray and no drop box. Choose another table.",
            "table",
        )


def _fact(kind: str, table: str, day: date, fields: Fact) -> Fact:
    fact = {"uid": str(uuid4()), "table": table, "day": day.isoformat(), "kind": kind}
    return fact | {"at": timezone.now().isoformat(timespec="milliseconds"), "source": PAGES} | fields


def parse_form_uid(sent: str) -> str:
    """Parse the uid of a form. The uid ensures that a form that is submitted twice is recorded only once.

    Raise ActionRejected if the uid is invalid.
    """
    try:
        return str(UUID(sent))
    except ValueError:
        raise ActionRejected("This form is no longer valid. Reload the page and try again.") from None


ALREADY_RECORDED = "Already recorded. Reload the page to submit another form."


def reject_resubmission(property: str, uid: str) -> None:
    """Raise ActionRejected if the form with this uid is already recorded.

    Call it before other checks, so that the user does not see errors that later changes have caused.
    """
    if cage_facts.fact(property, UUID(uid)) is not None:
        raise ActionRejected(ALREADY_RECORDED)


def record(by: Person, property: str, facts: Sequence[Fact]) -> list[Recorded]:
    """Record all of these facts, or none of them. Return the answers of the ledger. If the ledger rejects a
    fact, raise ActionRejected with the reason.
    """
    try:
        return intake.post([canonical(fact) for fact in facts], Sender(by.id, frozenset({property})))
    except Refused as refused:
        raise ActionRejected(_plainly(refused), refused.field or "") from None


def _plainly(refused: Refused) -> str:
    if refused.code == "uid-reused":
        return ALREADY_RECORDED
    if refused.code == "stream-sealed":
        return (
            "This table's gaming day is closed and takes no more facts. Record what was"
            " learned later as an adjustment."
        )
    if refused.code == "not-opened":
        return "The table has not been opened on this gaming day: open it on the floor page first."
    return f"This cannot be recorded: {refused.field + ': ' if refused.field else ''}{refused.why}."

"""What cage and pit do with chips and paper: fills and credits on five signatures, voids by two, markers,
chips bought.

A fill or credit gathers its signatures one after another, each given by its own person at that moment, and
becomes a fact with the last of them. Requester, sender, carrier, receiver and verifier are five people. The
house numbers the slip as it is recorded, in the gaming day on which it was asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any, NamedTuple
from uuid import UUID, uuid5

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone

from audit import facts as f
from audit.facts import accepted_form
from audit.ledger import open_stream
from audit.queries import cage_facts
from audit.queries.cage_facts import Kept
from audit.queries.cage_lists import missing_slips
from casino.accounts.permissions import demand, may
from casino.cage.slips import pending, serials
from casino.cage.slips.pending import Mark, UnderWay
from casino.models import Person
from casino.presentation.amount_input import worth
from casino.presentation.errors import ActionRejected
from casino.presentation.formatting import money, words
from casino.web.property_turn import in_turn
from casino.web.recording import Fact, record, require_tray, table_fact
from games.kit.events import TableOpened

ROLES: dict[str, dict[str, str]] = {
    "fill-sent": {
        "requested_by": "request-slip",
        "sent_by": "send-slip",
        "carried_by": "carry-slip",
        "received_by": "receive-slip",
        "verified_by": "verify-slip",
    },
    "credit-sent": {
        "requested_by": "request-slip",
        "sent_by": "receive-slip",
        "carried_by": "carry-slip",
        "received_by": "send-slip",
        "verified_by": "verify-slip",
    },
}
"""Kind to the signatures that it needs, in their order, each with the act that its signer may do.

The chips of a credit go the other way: the dealer, who receives a fill, sends them, and the cage, which sends
a fill, receives them.
"""
NAMES = {"fill-sent": "fill", "credit-sent": "credit", "marker-issued": "marker"}
TENDERS = ("cash", "voucher")
"""What a player buys chips with; with a marker he buys them as it is issued."""
LETTERS = {"reason": 500, "player": 100, "spot": 20}


def ask_for_slip(
    by: Person,
    property: str,
    table: str,
    kind: str,
    chips: Mapping[str, int],
    signers: Mapping[str, Person],
    *,
    uid: str,
) -> str:
    """Ask for a fill or a credit. Gives its serial where all signatures are here already, else nothing: it
    then waits for the others.

    Raises ActionRejected, or PermissionDenied. `uid` will be that of the fact.
    """
    _at_the_desk(by, property)
    if kind not in ROLES:
        raise ActionRejected("Choose a fill or a credit.", "kind")
    if not chips:
        raise ActionRejected("Say how many pieces of which chips.", "chips")
    with in_turn(property):  # no day is closed between the look at it and the slip
        opened = _open_table(property, table)
        slip = UnderWay(
            UUID(uid),
            property,
            table,
            kind,
            opened["settings"]["currency"],
            dict(chips),
            worth(chips),
            (),
            timezone.now(),
            date.fromisoformat(opened["day"]),
        )
        if "requested_by" not in signers:
            raise ActionRejected("Whoever asks for it on the floor signs first.", "requested_by")
        if cage_facts.fact(property, slip.uid) is not None or not pending.begin(slip):
            raise ActionRejected(
                "This form was sent before. Look at the list; to ask for another slip, load the page anew."
            )
        return _sign(by, slip, signers)


def sign_slip(by: Person, property: str, uid: UUID, signers: Mapping[str, Person]) -> str:
    """The next signatures of a slip under way. Gives its serial where these were the last, else nothing.
    Raises as `ask_for_slip`.
    """
    _at_the_desk(by, property)
    with transaction.atomic():
        return _sign(by, _taken(property, uid), signers)


def withdraw_slip(by: Person, property: str, uid: UUID) -> None:
    """Nobody has handed chips out yet: the request is taken back, and nothing of it is recorded."""
    _at_the_desk(by, property)
    with transaction.atomic():
        slip = _taken(property, uid)
        if "sent_by" in pending.signed(slip):
            raise ActionRejected(
                "Its chips are under way: it is voided by the cage and a witness, or signed to its end."
            )
        pending.end(slip)


def spoil_slip(by: Person, second: Person, property: str, uid: UUID, reason: str) -> str:
    """Void a slip whose chips were handed out and came back. It takes a number, which is recorded as void.
    Gives its serial.
    """
    _two(by, second, property)
    with transaction.atomic():
        slip = _taken(property, uid)
        _independent(second, [mark.id for mark in slip.signatures])
        day = None if _sealed(slip) else slip.day
        fact = table_fact(
            "slip-voided",
            property,
            slip.table,
            day,
            reason=_text(reason, "reason"),
            by=by.id,
            second=second.id,
        )
        serial = _numbered(by, property, slip.kind, slip.table, fact | {"uid": str(uid), "of": _asked(slip)})
        pending.end(slip)
        return serial


def void_slip(by: Person, second: Person, property: str, slip: str, reason: str, *, uid: str) -> None:
    """Void a slip that is recorded: the cage and a witness who did not sign it. The slip stays, and is paper
    without worth.
    """
    _two(by, second, property)
    with in_turn(property):
        kept = cage_facts.of_slip(property, slip)
        under = [one for one in kept if one.kind in NAMES]
        if not under:
            raise ActionRejected(f"No fill, credit or marker {slip} is recorded here.", "slip")
        sent = next((one for one in under if not cage_facts.is_void(one, kept)), None)
        if sent is None:
            raise ActionRejected(f"{slip} is void already.")
        if any(one.kind == "marker-paid" for one in kept):
            raise ActionRejected(f"Of {slip} something has been paid: it is no longer to be voided.")
        _independent(second, signers_of(sent))
        table = sent.stream.split("/", 2)[1]
        fact = table_fact(
            "slip-voided",
            property,
            table,
            sent.event.day,
            slip=slip,
            reason=_text(reason, "reason"),
            by=by.id,
            second=second.id,
        )
        record(by, property, [fact | {"uid": uid}])


def void_number(
    by: Person, second: Person, property: str, table: str, slip: str, reason: str, *, uid: str
) -> None:
    """Void a number that a series jumped over, its paper spoilt or lost: in the open day of the table whose
    paper it was.
    """
    _two(by, second, property)
    series, number = serials.parted(slip)
    with in_turn(property):
        if cage_facts.of_slip(property, slip):
            raise ActionRejected(f"{slip} is recorded: it is voided on its own page.", "slip")
        jumps = [
            each
            for each in missing_slips(property)
            if each.series == series and number and each.first <= number <= each.last
        ]
        if number is None or not jumps:
            raise ActionRejected(
                f"{slip or 'This number'} is not missing here. Type the serial as the list of missing numbers"
                " has it.",
                "slip",
            )
        _open_table(property, table)
        paper = jumps[0].serial(
            number
        )  # as it would have come: with the leading zeros of its series, however it was typed
        fact = table_fact(
            "slip-voided",
            property,
            table,
            slip=paper,
            reason=_text(reason, "reason"),
            by=by.id,
            second=second.id,
        )
        record(by, property, [fact | {"uid": uid}])


def issue_marker(
    by: Person, property: str, table: str, player: str, spot: str, amount: int, *, uid: str
) -> str:
    """A player signs a marker and has its chips from the table's tray. Gives its serial. Raises ActionRejected,
    or PermissionDenied.
    """
    demand(by, "issue-marker", property)
    _open_table(property, table)
    player, spot = _text(player, "player"), _text(spot, "spot")
    _some(amount)
    issued = table_fact("marker-issued", property, table, player=player, amount=amount, by=by.id) | {
        "uid": uid
    }
    bought = table_fact("chips-bought", property, table, spot=spot, amount=amount, tender="marker", by=by.id)
    return _numbered(
        by, property, "marker-issued", table, issued, bought | {"uid": str(uuid5(UUID(uid), "chips-bought"))}
    )


class Owed(NamedTuple):
    """A marker that was issued, its currency, and what is still owed of it."""

    issued: Kept
    currency: str
    amount: int


def owed(kept: list[Kept]) -> Owed | None:
    """Of everything recorded under a serial the marker of which something is owed, else the first. None: none
    was issued.

    Under one serial each currency is a marker of its own.
    """
    of = [(one, currency_of(one)) for one in kept]
    found = []
    for one, currency in of:
        if isinstance(one.event, f.MarkerIssued):
            its = [each for each, other in of if other == currency or isinstance(each.event, f.SlipVoided)]
            found.append(Owed(one, currency, _open_amount(its)))
    stands = (each for each in found if each.amount > 0 and not cage_facts.is_void(each.issued, kept))
    return next(stands, next(iter(found), None))


def _open_amount(kept: list[Kept]) -> int:
    issued = [
        (one.event.amount, cage_facts.is_void(one, kept))
        for one in kept
        if isinstance(one.event, f.MarkerIssued)
    ]
    if issued and all(void for _, void in issued):
        return 0
    stands = sum(amount for amount, void in issued if not void)
    return stands - sum(one.event.amount for one in kept if isinstance(one.event, f.MarkerPaid))


def currency_of(slip: Kept) -> str:
    """What the table counted in as this slip was recorded: a later opening may be in another currency."""
    found = ""
    for kept in cage_facts.facts(slip.event.table.partition("/")[0], [slip.stream], ["table-opened"]):
        if kept.number < slip.number:
            assert isinstance(kept.event, TableOpened)
            found = kept.event.currency
    return found


def take_payment(by: Person, property: str, slip: str, amount: int, *, uid: str, table: str = "") -> int:
    """A player pays a marker back at the cage, all of it or a part. Gives what is still open.

    It stands in the stream of the table that issued it, or of `table`, which plays in the marker's currency.
    Whoever issued the marker does not take its money.
    """
    demand(by, "pay-marker", property)
    with in_turn(property):
        found = owed(cage_facts.of_slip(property, slip))
        if found is None:
            raise ActionRejected(f"No marker {slip} is recorded here.", "slip")
        issued, currency, left = found
        assert isinstance(issued.event, f.MarkerIssued)
        if issued.event.by == by.id:
            raise ActionRejected("You issued this marker: a colleague of the cage takes its payment.")
        _some(amount)
        table = table or issued.stream.split("/", 2)[1]
        plays_in = _open_table(property, table)["settings"]["currency"]
        if plays_in != currency:
            raise ActionRejected(
                f"{slip} is owed in {currency}, and {table} plays in {plays_in}: name an open table that"
                f" plays in {currency}.",
                "table",
            )
        if amount > left:
            raise ActionRejected(f"Amount: {money(left, currency)} is open on {slip}, and no more.", "amount")
        fact = table_fact(
            "marker-paid", property, table, slip=slip, player=issued.event.player, amount=amount, by=by.id
        )
        record(by, property, [fact | {"uid": uid}])
        return left - amount


def sell_chips(
    by: Person, property: str, table: str, spot: str, amount: int, tender: str, *, uid: str
) -> None:
    """A player buys chips at a table for what goes into its drop box. Raises ActionRejected, or
    PermissionDenied.
    """
    demand(by, "buy-chips", property)
    if tender not in TENDERS:
        raise ActionRejected(
            "Choose cash or a voucher. With a marker chips are bought as it is issued.", "tender"
        )
    _open_table(property, table)
    _some(amount)
    fact = table_fact(
        "chips-bought", property, table, spot=_text(spot, "spot"), amount=amount, tender=tender, by=by.id
    )
    record(by, property, [fact | {"uid": uid}])


def signers_of(slip: Kept) -> list[str]:
    """Everybody whose id stands on a slip that is recorded."""
    names = (*ROLES["fill-sent"], "by")
    return [id for name in names if (id := getattr(slip.event, name, None)) is not None]


def _sign(by: Person, slip: UnderWay, signers: Mapping[str, Person]) -> str:
    _takes(slip)
    marks = list(slip.signatures)
    for role, act in ROLES[slip.kind].items():
        signer = signers.get(role)
        if signer is None or role in pending.signed(slip):
            continue
        _check_signer(slip, marks, role, act, signer)
        marks.append(Mark(role, signer.id, timezone.now()))
    if len(marks) == len(slip.signatures):
        raise ActionRejected("No signature came that is still missing.")
    if len(marks) < len(ROLES[slip.kind]):
        pending.keep(slip, marks)
        return ""
    signed_at = {mark.role: mark.at.isoformat(timespec="seconds") for mark in marks}
    ids = {mark.role: mark.id for mark in marks}
    if _currency(slip) != slip.currency:
        raise ActionRejected(
            f"The table plays no longer in {slip.currency}: void this slip and ask for another."
        )
    fact = table_fact(
        slip.kind,
        slip.property,
        slip.table,
        slip.day,
        chips=slip.chips,
        amount=slip.amount,
        signed_at=signed_at,
    )
    serial = _numbered(by, slip.property, slip.kind, slip.table, fact | ids | {"uid": str(slip.uid)})
    pending.end(slip)
    return serial


def _takes(slip: UnderWay) -> None:
    """A slip belongs to the day on which it was asked for, and is recorded in no other. Raises ActionRejected
    where that day is closed.
    """
    if _sealed(slip):
        what, day = NAMES[slip.kind], f"{slip.day:%-d %b %Y}"
        if "sent_by" not in pending.signed(slip):
            raise ActionRejected(
                f"This {what} is of the gaming day {day}, which is closed. Withdraw it below and ask for"
                " another."
            )
        raise ActionRejected(
            f"This {what} is of the gaming day {day}, which is closed, and it is recorded in no later one."
            " Bring its chips back, void it below and ask for another. If they cannot come back, accounting"
            f" signs an adjustment of {day}."
        )


def _sealed(slip: UnderWay) -> bool:
    return any(
        one.stream == pending.stream(slip) and one.sealed
        for one in cage_facts.streams(slip.property, slip.day)
    )


def _currency(slip: UnderWay) -> str:
    """What its table counted in when that was last opened on the slip's day."""
    found = ""
    for kept in cage_facts.facts(slip.property, [pending.stream(slip)], ["table-opened"]):
        assert isinstance(kept.event, TableOpened)
        found = kept.event.currency
    return found


def _check_signer(slip: UnderWay, marks: list[Mark], role: str, act: str, signer: Person) -> None:
    order = list(ROLES[slip.kind])
    if len(marks) != order.index(role):
        missing = order[len(marks)]
        raise ActionRejected(
            f"{words(role)}: this comes after the signature “{words(missing).lower()}”.", missing
        )
    if not may(signer, act, slip.property):
        raise ActionRejected(f"{words(role)}: {signer.id} may not sign here.", role)
    if any(mark.id == signer.id for mark in marks):
        raise ActionRejected(
            f"{words(role)}: {signer.id} has signed this slip already. This takes another person.", role
        )


def _numbered(by: Person, property: str, kind: str, table: str, fact: Fact, *others: Fact) -> str:
    """Record the fact, and others with it, under the next serial of the table's series in the year of the
    fact's day. Gives the serial.
    """
    given: list[str] = []

    def post(serial: str) -> None:
        given[:] = [serial]
        record(by, property, [fact | {"slip": serial}, *others])

    serials.numbered(property, serials.series_of(kind, table, fact["day"]), post)
    return given[0]


def _taken(property: str, uid: UUID) -> UnderWay:
    slip = pending.take(property, uid)
    if slip is None:
        raise ActionRejected("This slip is under way no more. Look at the list.")
    return slip


def _asked(slip: UnderWay) -> dict[str, Any]:
    """What a spoilt slip asked for, and who had signed: it means nothing to the books, and is kept."""
    signed = {mark.role: mark.id for mark in slip.signatures}
    return {"kind": slip.kind, "chips": slip.chips, "amount": slip.amount, "signed": signed}


def _open_table(property: str, table: str) -> dict[str, Any]:
    """The table's open stream. Raises ActionRejected where there is none, or the table has no tray."""
    opened = open_stream.of_table(property, table) if table else None
    if opened is None or opened["sealed"] or opened["settings"] is None:
        raise ActionRejected(
            f"{table or 'This table'} is not open. Open it on the floor page first.", "table"
        )
    require_tray(table, opened["game"])
    return opened


def at_the_desk(person: Any, property: str) -> bool:
    """Whoever has a part in slips may bring one in, with the signatures of others."""
    return any(may(person, act, property) for act in ROLES["fill-sent"].values())


def _at_the_desk(by: Person, property: str) -> None:
    if not at_the_desk(by, property):
        raise PermissionDenied(f"slips at {property}")


def _two(by: Person, second: Person, property: str) -> None:
    demand(by, "void-slip", property)
    if second.id == by.id:
        raise ActionRejected("The witness is another person than you.", "second")
    if not may(second, "witness-void", property):
        raise ActionRejected(f"{second.id} may not witness a void here.", "second")


def _independent(second: Person, signers: list[str]) -> None:
    if second.id in signers:
        raise ActionRejected(f"{second.id} signed this slip. The witness is somebody who did not.", "second")


def _text(typed: str, name: str) -> str:
    text = typed.strip() if name == "reason" else accepted_form(typed)
    if not text or len(text) > LETTERS[name] or "\0" in text:
        raise ActionRejected(f"{words(name)}: at least one and at most {LETTERS[name]} letters.", name)
    return text


def _some(amount: int) -> None:
    if amount < 1:
        raise ActionRejected("Amount: more than nothing, such as 125.00.", "amount")

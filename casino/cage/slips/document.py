"""Build the content of a printed slip from its recorded fact and the facts that voided it.

The paper depends on no clock or setting, and shows staff IDs but no names, because names can be erased. So
the same facts always give the same paper.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, tzinfo
from typing import Any, NamedTuple

from msgspec import json

from audit import facts as f
from audit.queries.cage_facts import RecordedFact, currencies, voiding
from casino.presentation.formatting import clock, game_title, money
from games.kit import events as e

SEEN_BY = {
    "opener-counted": "see-floor",
    "closer-counted": "see-floor",
    "drop-counted": "see-count",
    "count-verified": "see-count",
}
"""For each kind of fact: the right needed to print it. Kinds that are not listed need the cage's right."""
TITLES = {
    "fill-sent": "Fill slip",
    "credit-sent": "Credit slip",
    "marker-issued": "Marker",
    "marker-paid": "Marker payment",
    "opener-counted": "Opening count of the tray",
    "closer-counted": "Closing count of the tray",
    "drop-counted": "Count sheet of a drop box",
    "count-verified": "Second count of a drop box",
    "slip-voided": "Voided number",
}
"""For each kind of fact: the title of its paper. Kinds that are not listed cannot be printed."""
SIGNED = {
    "fill-sent": (
        ("Requested by, floor", "requested_by"),
        ("Sent by, cage", "sent_by"),
        ("Carried by, security", "carried_by"),
        ("Received by, dealer", "received_by"),
        ("Verified by, floor", "verified_by"),
    ),
    "credit-sent": (
        ("Requested by, floor", "requested_by"),
        ("Sent by, dealer", "sent_by"),
        ("Carried by, security", "carried_by"),
        ("Received by, cage", "received_by"),
        ("Verified by, floor", "verified_by"),
    ),
    "marker-issued": (("Issued by, floor", "by"), ("Player's signature", "")),
    "marker-paid": (("Payment taken by, cage", "by"),),
    "opener-counted": (("Counted by, dealer", "by"), ("Checked by, floor", "second")),
    "closer-counted": (("Counted by, dealer", "by"), ("Checked by, floor", "second")),
    "count-verified": (("Counted again by", "by"),),
    "slip-voided": (("Voided by, cage", "by"), ("Witnessed by", "second")),
}
VOIDED = {"fill-sent", "credit-sent", "marker-issued"}
TRAYS = {"opener-counted", "closer-counted"}


class PaperLine(NamedTuple):
    """A line of a printed slip: the pieces of one denomination, or the amount of one kind of paper (such as
    vouchers).
    """

    what: str
    pieces: str
    worth: str


class PaperSignature(NamedTuple):
    """A signature on a printed slip: who signed, in which role, and when. `at` is empty if the fact does not
    contain the time.
    """

    role: str
    id: str
    at: str


class Paper(NamedTuple):
    """The content of one printed slip. `void` is the reason why it is void, or empty."""

    title: str
    serial: str
    house: str
    table: str
    said: tuple[tuple[str, str], ...]
    lines: tuple[PaperLine, ...]
    total: str
    signatures: tuple[PaperSignature, ...]
    void: str
    proof: tuple[tuple[str, str], ...]
    at: datetime


def paper_of(slip: RecordedFact, stream: Sequence[RecordedFact], zone: tzinfo) -> Paper:
    """Return the printed slip of a fact.

    Args:
        stream: the fact itself and all other facts of its stream that are not facts of play.
    """
    event: Any = slip.event
    property, table, day = slip.stream.split("/", 2)
    opened = next(
        (
            fact.event
            for fact in reversed(stream)
            if fact.number < slip.number and isinstance(fact.event, e.TableOpened)
        ),
        None,
    )
    currency = currencies(stream).get(event.uid, "")
    at = event.at.astimezone(zone)
    details = [("Gaming day", day), ("At", _clock(at))]
    if opened is not None:
        details.append(("Game", game_title(opened.game)))
    details += [(label, str(getattr(event, name))) for label, name in _ASIDE if getattr(event, name, None)]
    lines = (
        *_lines("", getattr(event, "chips", None) or getattr(event, "notes", None) or {}, currency),
        *_papers(event, currency),
    )
    amount = f"{money(event.amount, currency)} {currency}".strip() if hasattr(event, "amount") else ""
    return Paper(
        TITLES[slip.kind],
        getattr(event, "slip", ""),
        property,
        table,
        tuple(details),
        lines,
        amount,
        tuple(_signatures(slip, zone)),
        _void(slip, stream, zone),
        _proof(slip),
        at,
    )


_ASIDE = (("Player", "player"), ("Box", "box"), ("Shift", "shift"), ("Reason", "reason"))


def _lines(of: str, pieces: Mapping[str, int], currency: str) -> Iterable[PaperLine]:
    for denomination in sorted(map(int, pieces), reverse=True):
        count = pieces[str(denomination)]
        yield PaperLine(
            f"{of}{money(denomination, currency)}", f"{count:,}", money(denomination * count, currency)
        )


def _papers(event: Any, currency: str) -> Iterable[PaperLine]:
    for paper, amount in sorted((getattr(event, "papers", None) or {}).items()):
        yield PaperLine(f"{paper.capitalize()}s", "", money(amount, currency))


def _signatures(slip: RecordedFact, zone: tzinfo) -> Iterable[PaperSignature]:
    event: Any = slip.event
    if isinstance(event, f.DropCounted):
        yield from (PaperSignature("Count team", id, "") for id in event.team)
    instants = _instants(slip)
    for role, name in SIGNED.get(slip.kind, ()):
        if not name:
            yield PaperSignature(role, "", "")
        elif (id := getattr(event, name)) is not None:
            at = instants.get(name)
            yield PaperSignature(role, id, clock(at, zone) if at is not None else "")


def _instants(slip: RecordedFact) -> dict[str, datetime]:
    """Return {role: time of signature}. Only facts that were recorded by Catwalk's own pages have these
    times.
    """
    signed_at = json.decode(slip.body).get("signed_at")
    instants = {}
    for name, text in signed_at.items() if isinstance(signed_at, dict) else ():
        try:
            at = datetime.fromisoformat(text)
        except (TypeError, ValueError):
            continue
        if at.tzinfo is not None:
            instants[name] = at
    return instants


def _void(slip: RecordedFact, stream: Sequence[RecordedFact], zone: tzinfo) -> str:
    """Return the reason why the paper is void, or empty text if it is valid. A paper is void if its serial
    was voided, or if the tray was counted again.
    """
    if isinstance(slip.event, f.SlipVoided):
        return _voided(slip.event, zone)
    if slip.kind in VOIDED:
        return next((_voided(event, zone) for event in voiding(slip, stream)), "")
    if slip.kind in TRAYS:
        after = next((fact for fact in stream if fact.number > slip.number and fact.kind in TRAYS), None)
        if after is not None and after.kind == slip.kind:
            return f"Superseded by the count of {_clock(after.event.at.astimezone(zone))}"
    return ""


def _voided(event: f.SlipVoided, zone: tzinfo) -> str:
    return (
        f"Voided {_clock(event.at.astimezone(zone))} by {event.by}, witnessed by {event.second}:"
        f" {event.reason}"
    )


def _proof(slip: RecordedFact) -> tuple[tuple[str, str], ...]:
    """Return (label, text) pairs that identify the fact in the ledger, so that the paper can be checked."""
    return (
        ("Fact", slip.event.uid),
        ("Stream", f"{slip.stream}, number {slip.number}"),
        ("Ledger", f"position {slip.position}, chain {slip.chain.hex()[:32]}"),
    )


def _clock(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M:%S} {at.strftime('%z')[:3]}:{at.strftime('%z')[3:5]}"

"""The documents about money that has left the table: markers that are written off and recovered, cash that
the cage receives from the count room, and deposits to the bank.

Each fact has one document, which is booked on the gaming day of the fact. Its number is the stream and the
number of the fact, so it never changes. The journals by day, shift and month contain the same documents.
"""

from __future__ import annotations

from collections.abc import Iterator

from audit import facts as f
from audit.queries.money import MoneyFact, money_facts
from audit.queries.span import Span
from casino.journals.documents import MONEY, Document, Posting
from casino.journals.postings import Line
from casino.reference.chart import Chart
from games.kit.events import Event

WORDS = {
    "marker-written-off": ("Marker {slip} written off", "bad-debt", "markers"),
    "marker-recovered": ("Written-off marker {slip} paid", "markers-paid", "recoveries"),
    "drop-received": ("Drop of {of_day} received by the cage", "cage-cash", "drop"),
    "deposit-sent": ("Deposit {deposit} sent with {carrier}", "in-transit", "cage-cash"),
    "deposit-confirmed": ("Deposit {deposit} confirmed by the bank", "bank", "in-transit"),
}
"""For each kind of fact: the text of its document, what is debited, and what is credited."""
_Booked = f.MarkerWrittenOff | f.MarkerRecovered | f.DropReceived | f.DepositSent | f.DepositConfirmed


def money_documents(span: Span, property: str, chart: Chart) -> Iterator[Document]:
    """Yield the documents of a property's facts about money in the span, in the order of commit."""
    in_transit: dict[tuple[str, str], int] = {}
    for fact in money_facts(property, ends=span.ends, until=span.until):
        lines = _lines(fact, in_transit)
        if lines and (span.begins is None or fact.day >= span.begins):
            yield _document(fact, property, chart, lines)


def _lines(fact: MoneyFact, in_transit: dict[tuple[str, str], int]) -> list[Line]:
    """Return the lines of a fact. A confirmed deposit leaves the cash in transit with the amount that was
    sent, and a difference is over or short.

    Args:
        in_transit: {(number, currency) of a deposit: amount that was sent and not confirmed}. It is updated.
    """
    event = _booked(fact.event)
    _, debit, credit = WORDS[fact.kind]
    if not isinstance(event, f.DepositSent | f.DepositConfirmed):
        return _pair(fact.kind, debit, credit, event.amount)
    key = (event.deposit, event.currency)
    if isinstance(event, f.DepositSent):
        in_transit[key] = in_transit.get(key, 0) + event.amount
        return _pair(fact.kind, debit, credit, event.amount)
    sent = in_transit.pop(key, event.amount)
    short = sent - event.amount
    lines = [
        Line(fact.kind, debit, event.amount),
        Line("deposit-difference", "over-short", short),
        Line(fact.kind, credit, -sent),
    ]
    return [line for line in lines if line.amount]


def _pair(category: str, debit: str, credit: str, amount: int) -> list[Line]:
    return [Line(category, debit, amount), Line(category, credit, -amount)]


def _booked(event: Event) -> _Booked:
    assert isinstance(event, _Booked)
    return event


def _document(fact: MoneyFact, property: str, chart: Chart, lines: list[Line]) -> Document:
    event = _booked(fact.event)
    accounts = chart.accounts("", "", fact.day, fact.position)
    text = WORDS[fact.kind][0].format_map({name: getattr(event, name) for name in event.__struct_fields__})
    postings = []
    for category, posted, amount in lines:
        account = accounts[posted]
        own = account.at("", "") if account is not None else None
        postings.append(Posting(category, posted, amount, own))
    return Document(
        f"{fact.stream}/{fact.number}",
        MONEY,
        property,
        "",
        "",
        str(fact.day),
        fact.day,
        "",
        event.currency,
        1,
        text,
        "",
        (),
        fact.position,
        tuple(postings),
    )

"""The documents of money after the table: markers that are written off, and payments for such markers.

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


def money_documents(span: Span, property: str, chart: Chart) -> Iterator[Document]:
    """Yield the documents of a property's facts about money in the span, in the order of commit."""
    for fact in money_facts(property, span.begins, span.ends, span.until):
        text, lines = _booked(fact.event)
        yield _document(fact, property, chart, text, lines)


def _booked(event: Event) -> tuple[str, list[Line]]:
    """Return the text and the lines of a fact about money."""
    assert isinstance(event, f.MarkerWrittenOff | f.MarkerRecovered)
    if isinstance(event, f.MarkerWrittenOff):
        return f"Marker {event.slip} written off", _lines(
            "marker-written-off", "bad-debt", "markers", event.amount
        )
    return f"Written-off marker {event.slip} paid", _lines(
        "marker-recovered", "markers-paid", "recoveries", event.amount
    )


def _lines(category: str, debit: str, credit: str, amount: int) -> list[Line]:
    return [Line(category, debit, amount), Line(category, credit, -amount)]


def _document(fact: MoneyFact, property: str, chart: Chart, text: str, lines: list[Line]) -> Document:
    accounts = chart.accounts("", "", fact.day, fact.position)
    event = fact.event
    assert isinstance(event, f.MarkerWrittenOff | f.MarkerRecovered)
    postings = []
    for category, posted, amount in lines:
        account = accounts[posted]
        postings.append(
            Posting(category, posted, amount, account.at("", "") if account is not None else None)
        )
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

"""Control totals of a journal. For each currency, they give the number of documents, the debits (which equal
the credits), and the win. They are on the page, in the files that have comments, in the JSON of the REST API,
and printed by the command.

They also follow the cash that the documents book, from the count room to the bank: what the count room
counted, what the cage received of it, what the cage sent to the bank, and what the bank confirmed. For all
days, the report `deposits` has the same amounts sent and confirmed.

The report `hold` from closed books shows the same win for the same property and days, if every day is booked.
So equal figures show that the journal agrees with the report.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from casino.journals.documents import ENTRY, Document
from games.kit.amounts import decimal

WIN = "win"
COUNTED = ("drop", "markers-issued")
"""The lines that together are the drop: cash, and the paper of markers, which is not cash. If vouchers have
an account of their own, their line is part of the drop too.
"""


class CashTotal(NamedTuple):
    """The cash of one currency at each step from the count room to the bank, in minor units.

    Attributes:
        counted: the drop as it was counted, without the paper of markers, and without vouchers that have an
            account of their own.
        received: what the cage received from the count room.
        sent: deposits that the cage sent to the bank.
        confirmed: what the bank counted.
        difference: what the bank counted minus what was sent, for the confirmed deposits.
    """

    counted: int = 0
    received: int = 0
    sent: int = 0
    confirmed: int = 0
    difference: int = 0


class ControlTotal(NamedTuple):
    """The control total of one currency, in minor units. `win` is the win of the days when they were closed.
    `restated` is the amount by which later reversals and restated documents change this win.
    """

    currency: str
    documents: int
    debits: int
    win: int
    restated: int
    cash: CashTotal = CashTotal()

    @property
    def text(self) -> str:
        """Return the total as a sentence, for a file or a terminal."""
        debits, win = decimal(self.debits, self.currency), decimal(self.win, self.currency)
        restated = f", restated by {decimal(self.restated, self.currency)}" if self.restated else ""
        documents = f"{self.documents} document{'' if self.documents == 1 else 's'}"
        return (
            f"control total {self.currency}: {documents}, debits = credits = {debits},"
            f" win as closed {win}{restated}{self._cash_text()}"
        )

    def _cash_text(self) -> str:
        """Return the amounts of cash from the count room to the bank, as the end of the sentence. Return an
        empty text if no cash left the count room.
        """
        return "".join(f", {label} {decimal(amount, self.currency)}" for label, amount in self.cash_amounts)

    @property
    def cash_amounts(self) -> list[tuple[str, int]]:
        """Return the amounts of cash from the count room to the bank as (label, amount). Return an empty list
        if no cash left the count room.
        """
        if not any(self.cash[1:]):
            return []
        return [
            ("drop counted", self.cash.counted),
            ("received by the cage", self.cash.received),
            ("left in the count room", self.cash.counted - self.cash.received),
            ("sent to the bank", self.cash.sent),
            ("confirmed by the bank", self.cash.confirmed),
            ("difference of the bank", self.cash.difference),
            ("on the way to the bank", self.cash.sent - self.cash.confirmed + self.cash.difference),
        ]


def control_totals(documents: Sequence[Document]) -> list[ControlTotal]:
    """Return the control total of each currency, in the order of the currencies."""
    groups: dict[str, list[Document]] = defaultdict(list)
    for document in documents:
        groups[document.currency].append(document)
    return [
        ControlTotal(
            currency,
            len(of_currency),
            sum(line.amount for document in of_currency for line in document.postings if line.amount > 0),
            _win([document for document in of_currency if document.kind == ENTRY]),
            _win([document for document in of_currency if document.kind != ENTRY]),
            _cash(of_currency),
        )
        for currency, of_currency in sorted(groups.items())
    ]


def _cash(documents: Sequence[Document]) -> CashTotal:
    """Return the amounts of cash that these documents book, from the count room to the bank."""
    sums: dict[tuple[str, str], int] = defaultdict(int)
    for document in documents:
        for line in document.postings:
            sums[line.what, line.posted] += line.amount
    counted = sum(
        amount
        for (category, posted), amount in sums.items()
        if posted in COUNTED and category != "drop-received"
    )
    return CashTotal(
        counted,
        sums["drop-received", "cage-cash"],
        sums["deposit-sent", "in-transit"],
        sums["deposit-confirmed", "bank"],
        -sums["deposit-difference", "over-short"],
    )


def _win(documents: Sequence[Document]) -> int:
    """Return the win that these documents post. A win is positive here, although it is a credit, which is
    negative in a document.
    """
    return -sum(line.amount for document in documents for line in document.postings if line.posted == WIN)

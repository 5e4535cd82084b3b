"""Control totals of a journal. For each currency, they give the number of documents, the debits (which equal
the credits), and the win. They are on the page, in the files that have comments, in the JSON of the REST API,
and printed by the command.

The report `hold` from closed books shows the same win for the same property and days, if every day is booked.
So this figure shows that the journal agrees with the report, and the report with the tally.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from casino.journals.documents import ENTRY, Document
from games.kit.amounts import decimal

WIN = "win"


class ControlTotal(NamedTuple):
    """The control total of one currency, in minor units. `win` is the win of the days when they were closed.
    `restated` is the amount by which later reversals and restated documents change this win.
    """

    currency: str
    documents: int
    debits: int
    win: int
    restated: int

    @property
    def text(self) -> str:
        """Return the total as a sentence, for a file or a terminal."""
        debits, win = decimal(self.debits, self.currency), decimal(self.win, self.currency)
        restated = f", restated by {decimal(self.restated, self.currency)}" if self.restated else ""
        documents = f"{self.documents} document{'' if self.documents == 1 else 's'}"
        return (
            f"control total {self.currency}: {documents}, debits = credits = {debits},"
            f" win as closed {win}{restated}"
        )


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
        )
        for currency, of_currency in sorted(groups.items())
    ]


def _win(documents: Sequence[Document]) -> int:
    """Return the win that these documents post, as a positive amount. It is posted as a credit, which is
    negative.
    """
    return -sum(line.amount for document in documents for line in document.postings if line.posted == WIN)

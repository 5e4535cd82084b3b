"""All current findings, with exact amounts in minor units: an integer, or text such as `25/2`.

In a file, amounts are decimals of the table's currency. An amount with a fraction of a minor unit is also
given exactly, in a separate column.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from audit.queries import findings as judged
from audit.queries.exported_rows import FINDING
from audit.queries.list_filters import Query, Selection
from casino.exports.datasets import columns
from casino.reports.columns import Row

TITLE = "Findings"
COLUMNS = columns(FINDING, count=("number",))
FILE_COLUMNS = columns(judged.EXPORTED_FINDING, count=("number",), money=("owed", "moved"))
KEY = ("stream", "number", "code", "spot", "wager")
FILTERS = ("from", "to", "property", "table", "game", "code", "grade")
ACT = "see-findings"
MADE_OF = "fold"
EXAMPLE = {
    "id": "5b3d7c52-0000-4000-8000-000000000001:wrong-settlement:1:over",
    "stream": "aurora/EOU-01/2026-11-27",
    "number": 412,
    "uid": "5b3d7c52-0000-4000-8000-000000000001",
    "round": "r-0038",
    "code": "wrong-settlement",
    "grade": "money",
    "spot": "1",
    "wager": "over",
    "owed": 2500,
    "moved": 5000,
    "says": "Spot 1, over: owed 25.00 USD, moved 50.00 USD.",
    "cite": "EOU Game Rules 6",
    "slip": "overpaid",
}
_EXACT = tuple(FINDING.index(name) for name in ("owed", "moved"))


def rows(selection: Selection) -> Iterator[Row]:
    """Yield one row for each finding. The rows are built in Python, because a column of SQL cannot contain
    both integers and texts.
    """
    query = judged.findings(selection)
    return exact(query.rows() if selection.limit is None else query.at_once())


def file_query(selection: Selection) -> Query:
    """Return a query that selects one row for each finding, with the columns of a file."""
    return judged.exported_findings(selection)


def exact(rows: Iterable[Row]) -> Iterator[Row]:
    """Yield the rows of a query with the columns of this dataset. `owed` and `moved` become integers if they
    are whole numbers.
    """
    for row in rows:
        cells = list(row)
        for place in _EXACT:
            if cells[place] is not None and "/" not in cells[place]:
                cells[place] = int(cells[place])
        yield tuple(cells)

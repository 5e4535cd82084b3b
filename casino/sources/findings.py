"""Every finding that stands, amounts exact in minor units, as the contract of findings has them: an integer, or text such as `25/2`."""

from __future__ import annotations

from collections.abc import Iterator

from audit.queries import FINDING, judged
from audit.queries.asked import Asked
from casino.reports import Row
from casino.sources import columns

TITLE = "Findings"
COLUMNS = columns(FINDING, count=("number",))
KEY = ("stream", "number", "code", "spot", "wager")
FILTERS = ("from", "to", "property", "table", "game", "code", "grade")
ACT = "see-findings"
_EXACT = tuple(FINDING.index(name) for name in ("owed", "moved"))


def rows(asked: Asked) -> Iterator[Row]:
    """One row for each finding. A number or a text in one column is nothing that SQL can say."""
    query = judged.findings(asked)
    for row in query.rows() if asked.limit is None else query.at_once():
        cells = list(row)
        for place in _EXACT:
            if cells[place] is not None and "/" not in cells[place]:
                cells[place] = int(cells[place])
        yield tuple(cells)

"""Notes on misplaced boxes: boxes that were counted under a wrong table or day. The day from which the box is
missing gets a note. The day under which the box was counted gets a note too.
"""

from __future__ import annotations

from collections.abc import Callable

from audit.queries.misplaced_boxes import misplaced
from audit.queries.span import Span
from audit.queries.table_day import TableDay
from audit.queries.table_days import table_days

Key = tuple[str, ...]


def notes(span: Span, by: tuple[str, ...], key_of: Callable[[TableDay], Key]) -> dict[Key, list[str]]:
    """Return the notes on misplaced boxes for each row of a report. A note remains until a verdict or an
    adjustment clears the misplaced box.

    Args:
        span: the days, the property and the books.
        by: the grouping of the report.
        key_of: returns the key of the row to which a table's day belongs.
    """
    sentences: dict[str, list[str]] = {}
    for box in misplaced(span):
        sentences.setdefault(box.stream, []).append(box.says)
    if not sentences:
        return {}
    by_key: dict[Key, list[str]] = {}
    for day in table_days(span, by_shift="shift" in by, streams=sorted(sentences), play="nowhere"):
        of_row = by_key.setdefault(key_of(day), [])
        of_row += [text for text in sentences[day.stream] if text not in of_row]
    return by_key

"""What reports say of a day whose box was counted under another table or day, or that has the count of
another's box.
"""

from __future__ import annotations

from collections.abc import Callable

from audit.queries.misplaced_boxes import misplaced
from audit.queries.span import Span
from audit.queries.table_day import TableDay
from audit.queries.table_days import table_days

Key = tuple[str, ...]


def notes(span: Span, by: tuple[str, ...], key_of: Callable[[TableDay], Key]) -> dict[Key, list[str]]:
    """Return the sentences for each row of a report, as `key_of` a day has it, until somebody has cleared
    them.
    """
    says: dict[str, list[str]] = {}
    for one in misplaced(span):
        says.setdefault(one.stream, []).append(one.says)
    found: dict[Key, list[str]] = {}
    for day in table_days(span, by_shift="shift" in by, streams=sorted(says), play="nowhere") if says else ():
        row = found.setdefault(key_of(day), [])
        row += [text for text in says[day.stream] if text not in row]
    return found

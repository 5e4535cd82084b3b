"""Find boxes that were pulled from one table or day but counted under another. A box is listed until an
officer or an adjustment has cleared it.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import NamedTuple

from audit import database
from audit.queries.adjustments import restating
from audit.queries.span import CLOSED, Span
from audit.review.verdicts import latest

CODE = "box-elsewhere"
CLEARS = frozenset({"confirmed", "dismissed"})
"""Verdicts that clear a misplaced box. An adjustment that names the count or the pull of the box clears it
too.
"""
# Property by property, because the index of findings by code begins with the property.
_FOUND = """SELECT f.property, f.stream, f.id, f.uid::text, f.says FROM head h, LATERAL (
        SELECT * FROM finding WHERE property = h.property AND code = %s OFFSET 0) f
    WHERE %s::text IS NULL OR h.property = %s ORDER BY f.property, f.stream, f.number"""


class Misplaced(NamedTuple):
    """One of the two streams of a misplaced box: the stream in which it was pulled, or the stream in which it
    was counted. The findings in the two streams have the same sentence, `says`.
    """

    property: str
    stream: str
    says: str


def misplaced(span: Span) -> list[Misplaced]:
    """Return those streams of the span that have a misplaced box, by stream.

    For closed books, and for books as of a position, return an empty list: the rows of these books must never
    change, and a misplaced box may be cleared later.
    """
    if span.books == CLOSED or span.until is not None:
        return []
    rows = list(database.rows(_FOUND, [CODE, span.property, span.property]))
    cleared = set(_cleared(rows))
    boxes = [
        Misplaced(property, stream, says)
        for property, stream, _, _, says in rows
        if (property, says) not in cleared
    ]
    return [box for box in boxes if _within(span, date.fromisoformat(box.stream[-10:]))]


def _within(span: Span, day: date) -> bool:
    return (span.begins is None or day >= span.begins) and (span.ends is None or day < span.ends)


def _cleared(rows: list[tuple[str, str, str, str, str]]) -> Iterable[tuple[str, str]]:
    """Yield the property and the sentence of each misplaced box that an officer or an adjustment has cleared.
    It is enough to clear the finding of the pull or the finding of the count.
    """
    for property in sorted({row[0] for row in rows}):
        of_property = [row for row in rows if row[0] == property]
        judged = latest(property, [row[2] for row in of_property])
        named = {
            adjustment.of
            for adjustment in restating(Span(property=property), sorted({row[1] for row in of_property}))
        }
        yield from (
            (property, says)
            for _, _, id, uid, says in of_property
            if judged.get(id) in CLEARS or uid in named
        )

"""The sentences above the table of a report: what the report says about all of its rows, and how many rows
are marked, inside their bounds or not judged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from audit.queries.span import Span
from casino.presentation.formatting import grouped
from casino.reports.columns import Row, Sheet
from casino.reports.part_of_month import notes_on_months
from casino.reports.verdict_words import INSIDE, NOT_JUDGED_STATE, OUTSIDE, VERDICT, by_chance, state_of

MOST_COUNTED = 2_000
"""Maximum number of rows whose verdicts a page counts. All of them are formatted for it."""


def notes_of(sheet: Sheet, span: Span, by: Sequence[str]) -> list[str]:
    """Return the sentences above the table of a report of these days, in this grouping."""
    return [*notes_on_months(span, by), *sheet.notes, *_counted(sheet)]


def _counted(sheet: Sheet) -> Iterator[str]:
    """Yield how many rows are marked and how many are not judged, if the report judges its rows."""
    keys = [column.key for column in sheet.columns]
    if VERDICT not in keys:
        return
    if not isinstance(sheet.rows, Sequence) or len(sheet.rows) > MOST_COUNTED:
        yield (
            f"The report has more than {MOST_COUNTED:,} rows, so marked rows are not counted here."
            " Choose fewer days or another grouping."
        )
    elif sheet.rows:
        yield _in_words(sheet, keys, sheet.rows)


def _in_words(sheet: Sheet, keys: Sequence[str], rows: Iterable[Row]) -> str:
    """Return how many judged rows are marked and why, how many chance alone would mark, and how many rows are
    not judged and why.
    """
    verdicts: dict[str, Counter[str]] = {OUTSIDE: Counter(), INSIDE: Counter(), NOT_JUDGED_STATE: Counter()}
    for row in rows:
        figures = {key: str(cell) for key, cell in zip(keys, row, strict=True)}
        verdicts[state_of(figures)][figures[VERDICT]] += 1
    marked, inside, not_judged = (verdicts[state].total() for state in verdicts)
    judged = marked + inside
    sentences = [
        f"{grouped(marked)} of {_rows(judged, 'judged ')} {_is(1 if judged == 1 else marked)} marked"
    ]
    sentences[0] += f": {_reasons(verdicts[OUTSIDE])}." if marked else "."
    if not judged:
        sentences = ["No row is judged, so nothing can be concluded."]
    elif sheet.expected is not None:
        expected = by_chance(judged, sheet.expected.confidence)
        sentences.append(f"Chance alone puts {expected} of {grouped(judged)} outside on average.")
    if not_judged:
        reasons = _reasons(verdicts[NOT_JUDGED_STATE])
        of_all = f"{_rows(not_judged)} {_is(not_judged)} not judged"
        sentences.append(f"{of_all}: {reasons}." if reasons else f"{of_all}.")
    return " ".join(sentences)


def _reasons(verdicts: Counter[str]) -> str:
    """Return each verdict with its number of rows, the most frequent first."""
    return ", ".join(f"{verdict} ({count:,})" for verdict, count in verdicts.most_common() if verdict)


def _rows(number: int, kind: str = "") -> str:
    return f"{number:,} {kind}row{'' if number == 1 else 's'}"


def _is(number: int) -> str:
    return "is" if number == 1 else "are"

"""Statistical review: a row outside its bounds is investigated, and the result is recorded as a fact, with
the figures at that time.

The fact is a `log-written` about one row of a report. It has the row's figures, days and grouping. It also
has the last position of the ledger at that time, so that the row can be computed again. A fact never changes;
later notes on the same row are added as further facts.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any, NamedTuple

from django.db import transaction

from audit.queries.span import Span
from audit.queries.view_log import Logged, head, logged
from casino.accounts.permissions import require
from casino.models import Person
from casino.presentation.errors import ActionRejected
from casino.reports import catalog
from casino.surveillance.services import keep_words
from casino.web.recording import parse_form_uid, property_fact, record

ABOUT = "statistical review"
REVIEWED = ("statistics", "base-level")
"""The reports whose column `verdict` says what must be investigated."""
STATES = {
    "opened": "Under investigation",
    "chance": "Chance alone",
    "explained": "Explained by the business",
    "mended": "Error found and fixed",
    "referred": "Referred to the regulator",
}
WORDS = 4_000
"""Maximum length of a note, in characters."""


class Subject(NamedTuple):
    """One row of a report. It is identified by the days and the grouping of the report, and by the key of the
    row, which includes basis and currency.
    """

    report: str
    house: str
    begins: date
    last: date
    by: tuple[str, ...]
    key: tuple[str, ...]

    @property
    def span(self) -> Span:
        return Span(self.begins, self.last + timedelta(days=1), self.house)


class Review(NamedTuple):
    """A row to be reviewed: its figures by column, and the headings of the columns."""

    subject: Subject
    figures: dict[str, str]
    headings: dict[str, str]

    @property
    def verdict(self) -> str:
        return self.figures["verdict"]


class Investigation(NamedTuple):
    """A recorded note about a row."""

    subject: Subject
    state: str
    by: str
    day: date
    at: str
    words: str | None
    figures: dict[str, str]
    position: int
    saw: int
    """The last position of the ledger when the note was written."""


def rows_of(report: str, span: Span, by: tuple[str, ...]) -> Iterator[Review]:
    """Yield every row that the report has now. Raise LookupError if this report is not reviewed, or if the
    span has no property, no first day or no last day.
    """
    if report not in REVIEWED or span.property is None or span.begins is None or span.ends is None:
        raise LookupError(report)
    sheet = catalog.report(report).sheet(span, by)
    names = [column.key for column in sheet.columns]
    headings = {column.key: column.heading for column in sheet.columns}
    keys = len(by) + sum(name in ("basis", "currency") for name in names)
    for row in sheet.rows:
        figures = {name: "" if cell is None else str(cell) for name, cell in zip(names, row, strict=True)}
        subject = Subject(
            report, span.property, span.begins, span.ends - timedelta(days=1), by, tuple(map(str, row[:keys]))
        )
        yield Review(subject, figures, headings)


def investigate(by: Person, subject: Subject, state: str, words: str, sent: str) -> None:
    """Record that a row is being investigated, or the result of its investigation.

    Raises:
        ActionRejected: the form is incomplete, or the row is not in the report any more.
        PermissionDenied: the user may not investigate at this property.
    """
    require(by, "investigate", subject.house)
    if state not in STATES:
        raise ActionRejected("Choose a result.", "state")
    if not words.strip() or len(words) > WORDS or "\0" in words:
        raise ActionRejected(
            f"Describe in at most {WORDS} characters what was checked and what was found.", "words"
        )
    matching = [
        review for review in rows_of(subject.report, subject.span, subject.by) if review.subject == subject
    ]
    if not matching:
        raise ActionRejected("This row is no longer in the report. Reload the page.")
    position, chain = head(subject.house)
    days = {"from": subject.begins.isoformat(), "to": subject.last.isoformat()}
    entry = {
        "uid": parse_form_uid(sent),
        "about": f"{ABOUT}: {subject.report}, {', '.join(filter(None, subject.key))}",
        "state": state,
        "report": subject.report,
        "days": days,
        "by_what": list(subject.by),
        "key": list(subject.key),
        "figures": matching[0].figures,
        "head": {"position": position, "chain": chain},
    }
    with transaction.atomic():
        digest = keep_words(subject.house, by, words.strip())
        record(
            by,
            subject.house,
            [property_fact("log-written", by, subject.house) | entry | {"words_sha256": digest}],
        )


def investigations(span: Span) -> Iterator[Investigation]:
    """Yield all recorded notes, in the order in which they were written. Log entries that do not describe an
    investigation are left out.
    """
    for entry in logged(span, ABOUT):
        try:
            yield _read(entry)
        except (KeyError, TypeError, ValueError):
            continue


def _read(entry: Logged) -> Investigation:
    body: dict[str, Any] = entry.body
    days = body["days"]
    subject = Subject(
        body["report"],
        entry.property,
        date.fromisoformat(days["from"]),
        date.fromisoformat(days["to"]),
        tuple(body["by_what"]),
        tuple(body["key"]),
    )
    figures = {str(name): str(cell) for name, cell in body["figures"].items()}
    return Investigation(
        subject,
        STATES.get(body["state"], str(body["state"])),
        body["by"],
        entry.day,
        body["at"],
        entry.words,
        figures,
        entry.position,
        int(body["head"]["position"]),
    )

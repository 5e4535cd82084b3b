"""The timeline of a case: each fact as a sentence, the latest first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from audit import facts as f
from audit.facts.case_words import ERASURES, OUTCOMES
from audit.review.case_fold import Case, CaseFact, Part, part_of
from casino.cases.words import ERASED
from casino.presentation.formatting import cut_property, day_label
from games.kit.events import Event, kind_of

LISTED = 12
"""Maximum number of items that one line of the timeline names."""
STATUS_LABELS = {
    "open": "open",
    "in-work": "in work",
    "waiting": "waiting",
    "review": "in review",
    "closed": "closed",
}
CONCERN_LABELS = {
    "dealers-play": "dealer's play",
    "patrons-play": "patron's play",
    "collusion": "collusion",
    "procedure": "procedure",
    "theft": "theft",
    "dispute": "dispute",
    "other": "other",
    "suspicion": "suspicion of money laundering",
}
OUTCOME_LABELS = {
    "confirmed": "confirmed",
    "not-confirmed": "not confirmed",
    "settled": "settled with the patron",
    "referred": "referred to the regulator or police",
    "reported": "reported to the authority",
    "no-action": "no action",
}
MEASURE_LABELS = {"none": "no measure", "watch": "watch", "ban": "ban"}
SUBJECT_LABELS = {"patron": "Patron", "dealer": "Dealer", "other": "Other person"}


class Line(NamedTuple):
    """One line of a timeline: who did what, details, and the fact."""

    by: str
    says: str
    more: str
    quoted: str
    at: datetime
    kind: str
    fact: CaseFact


def lines(case: Case, texts: Mapping[str, str]) -> list[Line]:
    """Return the lines of a case.

    Args:
        texts: {hash: text}.
    """
    result = []
    for fact in reversed(case.facts):
        event: Any = fact.event
        says, details, quoted = _SAYS[type(event)](event, texts)
        result.append(Line(event.by, says, details, quoted, event.at, kind_of(event), fact))
    return result


def part_label(part: Part) -> str:
    """Return the label of an item: `EOU-03, 14 Nov 2026, r-0028` or `slip F-EOU02-000417`."""
    if part.what != "hand":
        return f"{part.what} {part.of}"
    table, _, day = part.stream.rpartition("/")
    hand = f"fact {part.of[1:]}" if part.of[:1] == "#" else part.of
    return f"{cut_property(table)}, {day_label(day)}, {hand}"


def _text(texts: Mapping[str, str], digest: str | None) -> str:
    return texts.get(digest, ERASED) if digest else ""


def _parts(event: Any) -> tuple[str, str]:
    """Return the number of items in a fact, and their names."""
    parts = [part_of(part) for part in event.parts]
    kinds = {part.what for part in parts}
    kind = kinds.pop() if len(kinds) == 1 else "thing"
    noun = {"person": "people"}.get(kind, f"{kind}s") if len(parts) != 1 else kind
    named = "; ".join(map(part_label, parts[:LISTED]))
    remainder = f"; and {len(parts) - LISTED} more" if len(parts) > LISTED else ""
    return f"{len(parts)} {noun}", f"{named}{remainder}"


def _changed(event: f.CaseChanged, texts: Mapping[str, str]) -> tuple[str, str, str]:
    due = f", due {day_label(event.due)}" if event.due else ""
    seen_by = f", seen by {', '.join(event.seen_by)}" if event.seen_by else ""
    status = STATUS_LABELS.get(event.status, event.status)
    title = _text(texts, event.title_sha256)
    return "changed the case", f"{title}. {status.capitalize()}, owner {event.owner}{due}{seen_by}", ""


def _subject(event: f.CaseSubjectSet, texts: Mapping[str, str]) -> tuple[str, str, str]:
    measure = MEASURE_LABELS.get(event.measure, event.measure)
    begins = f" from {day_label(event.from_)}" if event.from_ else ""
    ends = f" until {day_label(event.to)}" if event.to else ""
    reason = _text(texts, event.reason_sha256)
    says = f"set subject {event.subject}: {_text(texts, event.description_sha256)}"
    return says, f"{measure}{begins}{ends}", reason


def _joined(event: Any, _: Mapping[str, str]) -> tuple[str, str, str]:
    count, named = _parts(event)
    return f"joined {count}", named, ""


def _parted(event: Any, _: Mapping[str, str]) -> tuple[str, str, str]:
    count, named = _parts(event)
    return f"removed {count}", named, ""


Says = Callable[[Any, Mapping[str, str]], tuple[str, str, str]]
_SAYS: dict[type[Event], Says] = {
    f.CaseOpened: lambda event, texts: ("opened the case", _text(texts, event.title_sha256), ""),
    f.CaseChanged: _changed,
    f.CaseJoined: _joined,
    f.CaseParted: _parted,
    f.CaseNoted: lambda event, texts: ("wrote a note", "", _text(texts, event.note_sha256)),
    f.CaseFileAdded: lambda event, texts: (
        "added a file",
        f"{_text(texts, event.name_sha256)}, {event.bytes:,} bytes, {event.media_type}",
        "",
    ),
    f.CaseSubjectSet: _subject,
    f.CaseErased: lambda event, _: (
        f"erased {len(event.erased)} text{'s' if len(event.erased) != 1 else ''} or files",
        f"{ERASURES.get(event.why, event.why)}; signed by {event.second}",
        "",
    ),
    f.CaseClosed: lambda event, texts: (
        "closed the case",
        OUTCOMES.get(event.outcome, event.outcome),
        _text(texts, event.note_sha256),
    ),
}

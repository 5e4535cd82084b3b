"""The kinds of fact about surveillance's cases, in the property's own stream.

Free words, names of files and descriptions of people are not in the facts. A fact has the SHA-256 of a random
salt and the words, so that nobody can guess erased words from it. A file is identified by the SHA-256 of its
bytes.
"""

from __future__ import annotations

from datetime import date
from typing import Annotated

from msgspec import Meta, Struct

from audit.facts.case_words import CONCERNS, ERASURES, MEASURES, OUTCOMES, PARTS, STATUSES, SUBJECTS
from games.kit import fields as t
from games.kit.events import Event
from games.kit.fields import counts, one_of

CaseId = Annotated[
    str,
    t.identifier(
        "The number of the case: the year of the gaming day on which it was opened, and a number without gaps"
        " within the property and the year.",
        "2026-0007",
    ),
]
Salted = Annotated[
    str,
    Meta(
        description="The SHA-256 of a random salt and the words, in hexadecimal. The words and the salt"
        " themselves can be erased."
    ),
]
FileHash = Annotated[
    str, Meta(description="The SHA-256 of the file's bytes, in hexadecimal. The file itself can be erased.")
]
Owner = Annotated[t.Staff, Meta(description="The staff ID of the person who works on the case.")]
SeenBy = Annotated[
    list[t.Staff],
    Meta(
        description="The staff IDs of those who see the case besides its owner; empty: everybody who may see"
        " cases.",
        examples=[["v-102"]],
    ),
]
Concerns = Annotated[str, one_of("What kind of case it is.", CONCERNS)]
Due = Annotated[date | None, Meta(description="The gaming day on which the case is due; null: none.")]


class CasePart(Struct, frozen=True, kw_only=True, gc=False):
    """One item of a case."""

    what: Annotated[str, one_of("The type of the item.", PARTS)]
    of: Annotated[
        str,
        t.identifier(
            "The name of the hand, or `#` and the number of a fact outside all hands; otherwise a staff ID, a"
            " player account, a serial, the `uid` of a count, or the number of another case.",
            "r-0028",
        ),
    ]
    table: Annotated[t.TableId, Meta(description="The property and the table of a hand.")] | None = None
    day: Annotated[t.Day, Meta(description="The gaming day of a hand.")] | None = None


Parts = Annotated[
    list[CasePart],
    Meta(
        description="The items, in the order in which they were chosen.",
        examples=[[{"what": "hand", "of": "r-0028", "table": "aurora/EOU-03", "day": "2026-11-14"}]],
    ),
]


class CaseOpened(Event, frozen=True, kw_only=True, gc=False, tag="case-opened"):
    """A case is opened. It joins hands, slips, counts, people, notes and files about one matter."""

    case: CaseId
    concerns: Concerns
    title_sha256: Salted
    about_sha256: Annotated[
        Salted | None, Meta(description="What the case is about, in more words; null: none.")
    ]
    owner: Owner
    due: Due
    seen_by: SeenBy
    by: t.Staff


class CaseChanged(Event, frozen=True, kw_only=True, gc=False, tag="case-changed"):
    """The state of a case is changed. The fact contains all values of the case, including the
    unchanged ones. A closed case is reopened by such a fact, too.
    """

    case: CaseId
    concerns: Concerns
    status: Annotated[str, one_of("How far the work on the case is.", STATUSES)]
    title_sha256: Salted
    about_sha256: Annotated[
        Salted | None, Meta(description="What the case is about, in more words; null: none.")
    ]
    owner: Owner
    due: Due
    seen_by: SeenBy
    by: t.Staff


class CaseJoined(Event, frozen=True, kw_only=True, gc=False, tag="case-joined"):
    """Items are added to a case."""

    case: CaseId
    parts: Parts
    by: t.Staff


class CaseParted(Event, frozen=True, kw_only=True, gc=False, tag="case-parted"):
    """Items are removed from a case."""

    case: CaseId
    parts: Parts
    by: t.Staff


class CaseNoted(Event, frozen=True, kw_only=True, gc=False, tag="case-noted"):
    """A note is written in a case."""

    case: CaseId
    note_sha256: Salted
    by: t.Staff


class CaseFileAdded(Event, frozen=True, kw_only=True, gc=False, tag="case-file-added"):
    """A file is added to a case. The same file is stored only once."""

    case: CaseId
    file_sha256: FileHash
    bytes: Annotated[int, Meta(ge=0, le=t.LIMIT), counts("bytes", "How long the file is.", 50_542_122)]
    media_type: Annotated[
        str,
        Meta(description="The media type of the file, determined from its content.", examples=["video/mp4"]),
    ]
    name_sha256: Annotated[Salted, Meta(description="The name of the file.")]
    by: t.Staff


class CaseSubjectSet(
    Event, frozen=True, kw_only=True, gc=False, rename={"from_": "from"}, tag="case-subject-set"
):
    """A person is added to a case as a subject, or the entry of a subject is changed. The fact contains all
    values of the entry, including the unchanged ones.
    """

    case: CaseId
    subject: Annotated[
        int,
        Meta(ge=1, le=t.LIMIT),
        counts("subjects", "The number of the subject within the case, from 1.", 1),
    ]
    role: Annotated[str, one_of("Who the person is.", SUBJECTS)]
    id: Annotated[str, t.identifier("A staff ID or a player account, if it is known.", "d-110")] | None
    description_sha256: Annotated[
        Salted, Meta(description="The name and description of the person, as a salted SHA-256.")
    ]
    reason_sha256: Annotated[Salted | None, Meta(description="Why the measure was taken; null: none.")]
    measure: Annotated[str, one_of("What was decided about the person.", MEASURES)]
    from_: Annotated[date | None, Meta(description="The first gaming day of the measure; null: none.")]
    to: Annotated[
        date | None,
        Meta(
            description="The first gaming day on which the measure is no longer in force; null: until"
            " further notice."
        ),
    ]
    photo_sha256: Annotated[FileHash | None, Meta(description="The photo of the person; null: none.")]
    by: t.Staff


class CaseErased(Event, frozen=True, kw_only=True, gc=False, tag="case-erased"):
    """Words or files of a case are erased. Their hashes stay in the facts, so all proofs still work."""

    case: CaseId
    erased: Annotated[
        list[Annotated[str, Meta(description="A SHA-256 that an earlier fact contains, in hexadecimal.")]],
        Meta(description="The hashes of what was erased."),
    ]
    why: Annotated[str, one_of("Why the words or files were erased.", ERASURES)]
    by: t.Staff
    second: t.Second


class CaseClosed(Event, frozen=True, kw_only=True, gc=False, tag="case-closed"):
    """A case is closed."""

    case: CaseId
    outcome: Annotated[str, one_of("How the case ended.", OUTCOMES)]
    note_sha256: Annotated[Salted | None, Meta(description="Why, in free words; null: none.")]
    by: t.Staff


OF_CASES: tuple[type[Event], ...] = (
    CaseOpened,
    CaseChanged,
    CaseJoined,
    CaseParted,
    CaseNoted,
    CaseFileAdded,
    CaseSubjectSet,
    CaseErased,
    CaseClosed,
)
"""The kinds of fact about cases. The replay of hands does not read them; the checks of signers do."""

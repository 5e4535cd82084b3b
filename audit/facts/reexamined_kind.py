"""The kind of fact with which Catwalk records that facts were examined again."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from audit.facts.queue_kinds import OfDay, OfTable
from audit.facts.vocabulary import LOST_BY
from games.kit import fields as t
from games.kit.events import Event
from games.kit.fields import counts, one_of

FindingId = Annotated[
    str,
    Meta(
        description="The id of a finding: uid, code, spot and wager, separated by colons.",
        examples=["0198b2f0-8c00-7000-8000-000000000019:wrong-settlement:3:over"],
    ),
]
"""The id of a finding. The rules for identifiers that people type do not apply to it, because replay composes
it from recorded values.
"""

Replaced = Annotated[
    dict[
        Annotated[str, t.identifier("A table of the database.", "tally")],
        Annotated[int, Meta(ge=1, le=t.LIMIT), counts("differences", "How many values or rows differed.")],
    ],
    Meta(
        description="Stored results that differed from a replay although no rule had changed. They were"
        " replaced with the results of the replay.",
        examples=[{"tally": 3}],
    ),
]


class Reexamined(Event, frozen=True, kw_only=True, gc=False, tag="reexamined"):
    """The property's facts were examined again, because of later facts or register entries, under changed
    rules, or to check what is stored.
    """

    rules: Annotated[str, Meta(description="The fingerprint of the rules.")]
    gained: Annotated[
        list[FindingId], Meta(description="Findings that are now made at facts that were examined before.")
    ]
    lost: Annotated[list[FindingId], Meta(description="Findings that are no longer made.")]
    cause: (
        Annotated[
            str,
            one_of(
                "Why the findings in `lost` are no longer made. Facts of earlier versions of Catwalk do not"
                " say it.",
                LOST_BY,
            ),
        ]
        | None
    ) = None
    replaced: Replaced | None = None
    of_table: Annotated[OfTable, Meta(description="The table whose rows were replaced.")] | None = None
    of_day: Annotated[OfDay, Meta(description="The gaming day whose rows were replaced.")] | None = None

"""The kinds of fact of the installation itself, in the stream of each property: anchors, and saved views."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from games.kit.events import Event
from games.kit.fields import Staff, counts


class Batch(Struct, frozen=True, kw_only=True, gc=False):
    """The rows of a log that one anchor covers: those with an id above `after` and up to `upto`."""

    after: Annotated[int, Meta(ge=0, description="The batch begins after the row with this id.")]
    upto: Annotated[int, Meta(ge=0, description="The id of the last row.")]
    rows: Annotated[int, Meta(ge=0), counts("rows", "How many rows there were.", 812)]
    sha256: Annotated[
        str, Meta(description="The SHA-256 over the ids and digests of all rows, in hexadecimal.")
    ]


class LedgerHead(Struct, frozen=True, kw_only=True, gc=False):
    """The head of a property's ledger when an anchor was made."""

    position: Annotated[int, Meta(ge=1, description="The position of its last fact.")]
    chain: Annotated[str, Meta(description="The chain of that fact, in hexadecimal.")]


class Anchored(Event, frozen=True, kw_only=True, gc=False, tag="anchored"):
    """Catwalk records digests of the logs that are stored outside the ledger. If a row of a log is changed,
    deleted or inserted later, the log no longer matches this fact.
    """

    number: Annotated[
        int, Meta(ge=1, description="The number of the anchor within the installation, from 1.", examples=[1])
    ]
    logs: Annotated[
        dict[str, Batch],
        Meta(description="The rows of each log: `viewing` is who viewed what, `seal` is who may do what."),
    ]
    key_id: Annotated[
        str,
        Meta(description="The name of the key with which `code` was computed.", examples=["9f86d081884c"]),
    ]
    code: Annotated[str, Meta(description="The message authentication code of the fact, in hexadecimal.")]
    adopted: Annotated[
        int, Meta(ge=0), counts("rows", "How many rows were accepted without a check of their digests.", 0)
    ] = 0
    heads: Annotated[
        dict[str, LedgerHead],
        Meta(
            description="The head of each property's ledger. A ledger that was removed or rewritten no"
            " longer matches it."
        ),
    ] = {}


class ViewSaved(Event, frozen=True, kw_only=True, gc=False, tag="view-saved"):
    """Somebody saves a view of the search over all hands, changes one, or removes it.

    The latest fact about a name of one person counts.
    """

    name: Annotated[str, Meta(description="The name of the view.", examples=["Watch: d-110"])]
    query: Annotated[
        str | None,
        Meta(
            description="The filters, as in the address of the page; null removes the view.",
            examples=["dealer=d-107,d-110&difference_from=25.00"],
        ),
    ]
    shared: Annotated[
        bool, Meta(description="True if everybody at the property who may see hands sees the view.")
    ]
    by: Staff


OF_THE_INSTALLATION: tuple[type[Event], ...] = (Anchored, ViewSaved)
"""Kinds of fact in the property's own stream that say nothing about play or people. No fold reads them."""

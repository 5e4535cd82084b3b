"""Import files into the ledger: what all import profiles share.

`line_reader` and `document` read files. `clock` converts a vendor's timestamps to instants. `table_day`
converts the vendor's messages to the facts of a table's gaming day, with their uids. `spool` stores validated
facts, and `posting` records them in batches.
"""

from __future__ import annotations

from typing import NamedTuple
from zoneinfo import ZoneInfo


class Fact(NamedTuple):
    """A fact as JSON, and the number of the line in the file (from 1) from which it comes."""

    line: int
    body: bytes


class Refusal(NamedTuple):
    """A line that cannot be recorded, and the reason."""

    line: int
    why: str


class Note(NamedTuple):
    """A remark for the user about the import. It does not mean that a line was refused."""

    says: str


Item = Fact | Refusal | Note


class ImportOptions(NamedTuple):
    """Options of `manage.py import_facts`. `table` has the form `PROPERTY/TABLE`."""

    property: str | None = None
    table: str | None = None
    zone: ZoneInfo | None = None
    edition: str | None = None
    currency: str | None = None
    notes: list[str] | None = None
    """A list to which parsers add remarks. The command prints them."""


class UsageError(Exception):
    """Raised if an import is not possible with the given options. The text says what to give instead."""


class Conflict(Exception):
    """Raised if the file contradicts recorded facts. No fact of the file is then recorded."""

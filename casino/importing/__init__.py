"""From a file to the ledger: what every import profile shares.

`reading` takes lines, `clock` and `stamp` give a vendor's message its instant and its uid, `table_day` makes
its
messages a table's gaming day, `spool` keeps what was checked, `posting` records it in batches.
"""

from __future__ import annotations

from typing import NamedTuple
from zoneinfo import ZoneInfo


class Fact(NamedTuple):
    """One fact as JSON, and the line (from 1) of the file that it comes from."""

    line: int
    body: bytes


class Refusal(NamedTuple):
    """A line that cannot be recorded, and why."""

    line: int
    why: str


class Note(NamedTuple):
    """A remark for the user about the import; nothing was refused."""

    says: str


Item = Fact | Refusal | Note


class ImportOptions(NamedTuple):
    """What was said on the command line. `table` is property/table."""

    property: str | None = None
    table: str | None = None
    zone: ZoneInfo | None = None
    edition: str | None = None
    currency: str | None = None


class UsageError(Exception):
    """The import was asked for in a way that cannot be done; the sentence says what to give instead."""


class Conflict(Exception):
    """What was asked for contradicts what is recorded; nothing of the file was recorded."""

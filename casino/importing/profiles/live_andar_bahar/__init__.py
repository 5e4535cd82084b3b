"""A live-dealer Andar Bahar table as its vendor sends it: the messages, one a line, or a capture of whole
rounds.

Nothing is guessed and nothing that a message says is left unread. What has no fact here (PLACE_YOUR_BETS;
WonBets, whose stake no message gives) records nothing; what cannot be understood is kept with its text, or
refused with its line, and the rest is recorded. Fields that contradict each other are kept in the fact with
both values. A round that breaks off is left open.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

from casino.importing import ImportOptions, Item, UsageError
from casino.importing.delivery import Draft
from casino.importing.document import parse_object
from casino.importing.line_reader import lines_of
from casino.importing.profiles.live_andar_bahar import capture, messages
from casino.importing.profiles.live_andar_bahar.vocabulary import CURRENCY, SETTINGS, SOURCE
from casino.importing.table_day import TableDays

STRICT = False
TAKES = frozenset({"property", "table", "zone", "edition", "currency"})


def read(file: IO[bytes], told: ImportOptions) -> Iterator[Item]:
    """Yield the facts of the file, after its refusals and notes. Raise UsageError without a table."""
    if told.table is None:
        raise UsageError(
            "live_andar_bahar needs --table PROPERTY/TABLE: the vendor's messages do not say whose table"
            " it is"
        )
    told = told._replace(currency=told.currency or CURRENCY)
    drafts: list[Draft] = []
    form = messages if is_messages(file) else capture
    for item in form.read(file, told):
        if isinstance(item, Draft):
            drafts.append(item)
        else:
            yield item
    yield from TableDays(told, SETTINGS, SOURCE, form.SEES).facts(drafts)


def is_messages(file: IO[bytes]) -> bool:
    """Return True if the file has one message a line; else it is one document, a capture."""
    is_capture = False
    for _, line in lines_of(file):
        if b"MessageType" in line and "MessageType" in (parse_object(line) or ()):
            is_capture = False
            break
        is_capture = is_capture or b'"rounds"' in line
    file.seek(0)
    return not is_capture

"""Import a live-dealer Andar Bahar table as its vendor sends it: one message on each line, or a capture of
whole rounds.

Nothing is guessed, and every field of a message is read. Two types of message are not recorded:
PLACE_YOUR_BETS, which has no corresponding fact, and WonBets, because no message gives the stake. Text that
cannot be interpreted is recorded unchanged, or its line is refused and the other lines are recorded. Fields
that contradict each other are recorded in the fact with both values. An incomplete round remains open.
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


def read(file: IO[bytes], options: ImportOptions) -> Iterator[Item]:
    """Yield the facts of the file, after its refusals and notes. Raise UsageError if no table is given."""
    if options.table is None:
        raise UsageError(
            "live_andar_bahar needs --table PROPERTY/TABLE: the vendor's messages do not name the property"
        )
    options = options._replace(currency=options.currency or CURRENCY)
    drafts: list[Draft] = []
    form = messages if is_messages(file) else capture
    for item in form.read(file, options):
        if isinstance(item, Draft):
            drafts.append(item)
        else:
            yield item
    yield from TableDays(options, SETTINGS, SOURCE, form.SEES).facts(drafts)


def is_messages(file: IO[bytes]) -> bool:
    """Return True if the file has one message on each line; False if it is one document, a capture."""
    is_capture = False
    for _, line in lines_of(file):
        if b"MessageType" in line and "MessageType" in (parse_object(line) or ()):
            is_capture = False
            break
        is_capture = is_capture or b'"rounds"' in line
    file.seek(0)
    return not is_capture

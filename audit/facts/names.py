"""A name is short enough for the keys of the database: of a spot, a wager, a round, a slip, a box, a shift, a person.

Free words may be as long as their line. A fact with a longer name could be recorded, and its day never be examined.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Any

from audit.facts.kinds import KINDS
from audit.facts.reasons import Refused, walk

NAME_BYTES = 200
"""Of a name in UTF-8. Six of them stand in one key beside property and stream, and Postgres takes 2,704 bytes in one."""
_LONGER = {"of_table": 4 * (2 * 100 + 1), "finding": 3 * NAME_BYTES}
"""A property and a table, whose letters are counted (`NAME_LETTERS`); a finding, which is named by its fact, code, spot and wager."""
_FREE = frozenset({"table", "reason", "text", "raw_text", "contradicts", "says", "why", "about", "value", "video", "gained", "lost"})
"""Words, what a recorder or a register writes, lists of findings; and the fact's own table, at which the door looks."""
_LONG = re.compile(rb'"[^"]{%d}' % (NAME_BYTES + 1))
"""A canonical line without it, and without a backslash, has no longer text."""
_BESIDES = 100
"""Bytes that a fact has besides any one name, at least: its uid, its clock and its day alone are more."""


def refuse_long(kind: str, fact: dict[str, Any], body: bytes) -> None:
    """Raises Refused, naming the field, where a name in a field of this kind is too long. `body`: the fact's canonical bytes."""
    if len(body) <= NAME_BYTES + _BESIDES or (b"\\" not in body and _LONG.search(body) is None):
        return
    for path, _, value in walk({name: fact[name] for name in _named(kind) if name in fact}):
        most = _LONGER.get(path, NAME_BYTES)
        for text in value if isinstance(value, dict) else (value,):
            if isinstance(text, str) and len(text) * 4 > most and (long := len(text.encode())) > most:
                raise Refused("name-too-long", f"{text[:40]!r}… is {long} bytes, a name has at most {most}", field=path, uid=fact["uid"])


@cache
def _named(kind: str) -> tuple[str, ...]:
    """The fields of a kind in which names stand."""
    return tuple(name for name in KINDS[kind].__struct_encode_fields__ if name not in _FREE)


_LINES = re.compile("[\t\n\v\f\r\x1c-\x1e\x85\u2028\u2029]+")
"""Tabs and ends of lines: where one lies inside an identifier, a space is meant."""
_INVISIBLE = re.compile(
    r"[\x00-\x1f\x7f-\x9f"  # control characters
    r"\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    r"\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+"
)
"""What no reader sees: control, zero-width and bidirectional characters (Unicode: Cc and Default_Ignorable_Code_Point)."""


def accepted_form(text: str) -> str:
    """Return the one form in which an identifier is recorded: NFC, without invisible characters or white space at its ends.

    An identifier that already has this form is returned unchanged. Two spellings that look alike, such as "José" composed and
    decomposed, have the same form. White space inside an identifier is kept.
    """
    if text.isascii() and text.isprintable():
        return text.strip(" ")
    return unicodedata.normalize("NFC", _INVISIBLE.sub("", _LINES.sub(" ", text))).strip()

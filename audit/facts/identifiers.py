"""Validate identifiers (of a spot, a wager, a round, a slip, a box, a person). Each has one accepted
spelling, and is short enough for the database's keys.

Identifiers are compared byte for byte, so two spellings that look alike would be two people or two boxes.
Free text may be as long as the line allows. A fact with a longer identifier could be recorded, but its gaming
day could never be examined.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import Any

from audit.facts import registers
from audit.facts.annotated_fields import Marked, marked
from audit.facts.kinds import KINDS
from audit.facts.refusal_reasons import Refused, walk
from games.kit.fields import IDENTIFIER, TABLE

NAME_BYTES = 200
"""Maximum length of an identifier in bytes of UTF-8. One database key has up to six identifiers with property
and stream, and Postgres allows 2,704 bytes in a key.
"""
_LONGER = {"of_table": 4 * (2 * 100 + 1), "finding": 3 * NAME_BYTES}
"""Maximum length of longer identifiers, in bytes. The length of a property with a table is limited in
characters (`NAME_LETTERS`). The id of a finding is composed of its fact, code, spot and wager.
"""
_FREE = frozenset(
    {
        "table",
        "reason",
        "text",
        "raw_text",
        "contradicts",
        "says",
        "why",
        "about",
        "value",
        "video",
        "place",
        "disposition",
        "where",
        "gained",
        "lost",
        "query",
    }
)
"""Fields that are not checked: words of closed lists, free text of recorders and registers, and lists of
findings. The fact's own table is checked in `validation`.
"""
_LONG = re.compile(rb'"[^"]{%d}' % (NAME_BYTES + 1))
"""Matches a text that may be too long. A canonical line without a match and without a backslash has no text
that is too long.
"""
_BESIDES = 100
"""The minimum number of bytes that a fact has in addition to any one identifier. Its uid, time and gaming day
alone are longer than this.
"""


def refuse_long(kind: str, fact: dict[str, Any], body: bytes) -> None:
    """Raise Refused if an identifier in a fact of this kind is too long. The error names the field.

    Args:
        body: the fact's canonical bytes.
    """
    if len(body) <= NAME_BYTES + _BESIDES or (b"\\" not in body and _LONG.search(body) is None):
        return
    for path, _, value in walk({name: fact[name] for name in _named(kind) if name in fact}):
        limit = _LONGER.get(path, NAME_BYTES)
        for text in value if isinstance(value, dict) else (value,):
            if isinstance(text, str) and len(text) * 4 > limit and (long := len(text.encode())) > limit:
                raise Refused(
                    "name-too-long",
                    f"{text[:40]!r}… is {long} bytes, a name has at most {limit}",
                    field=path,
                    uid=fact["uid"],
                )


def refuse_spellings(kind: str, fact: dict[str, Any], body: bytes) -> None:
    """Raise Refused for an identifier that is not in its accepted form. The message gives the accepted form.

    Args:
        body: the fact's canonical bytes. If the value of a register entry is null, its key may have any
            spelling: only such an entry can delete a key that was recorded earlier.
    """
    if (
        body.isascii()
        and b"\\" not in body
        and b"\x7f" not in body
        and (b" " not in body or (b'" ' not in body and b' "' not in body))
    ):
        # In canonical JSON, a space next to a quote or another invisible character can only be inside a text.
        return
    striking_out = kind == "register-set" and fact["value"] is None
    for name in _identifiers(kind, fact):
        accepted = accepted_table(name.text) if name.marks[IDENTIFIER] == TABLE else accepted_form(name.text)
        if accepted != name.text and not (striking_out and name.path == "key"):
            reason = (
                f"{name.text[:60]!a} is not in its accepted form, which is"
                f" {accepted[:60]!a}{_shown(accepted)}"
            )
            raise Refused("not-one-name", reason, field=name.path, uid=fact["uid"])


def _identifiers(kind: str, fact: dict[str, Any]) -> Iterator[Marked]:
    yield from marked(KINDS[kind], IDENTIFIER, fact)
    if (
        kind == "register-set"
        and isinstance(fact["value"], dict)
        and (shape := registers.VALUES.get(fact["register"]))
    ):
        yield from (
            name._replace(path=f"value.{name.path}") for name in marked(shape, IDENTIFIER, fact["value"])
        )


def _shown(accepted: str) -> str:
    """Return the accepted form in parentheses for a message, or an empty text if the form is ASCII."""
    return "" if accepted.isascii() else f" ({accepted[:60]})"


def accepted_table(text: str) -> str:
    """Return the accepted form of a property and a table, such as `aurora/EOU-01`. Each of the two parts has
    its accepted form.
    """
    return "/".join(accepted_form(part) for part in text.split("/"))


@cache
def _named(kind: str) -> tuple[str, ...]:
    """Return the fields of a kind that contain identifiers."""
    return tuple(name for name in KINDS[kind].__struct_encode_fields__ if name not in _FREE)


_LINES = re.compile("[\t\n\v\f\r\x1c-\x1e\x85\u2028\u2029]+")
"""Tabs and line breaks: inside an identifier they are replaced by a space."""
_INVISIBLE = re.compile(
    r"[\x00-\x1f\x7f-\x9f"  # control characters
    r"\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    r"\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+"
)
"""Invisible characters: control, zero-width and bidirectional ones (Unicode: Cc and
Default_Ignorable_Code_Point).
"""


def accepted_form(text: str) -> str:
    """Return the one form in which an identifier is recorded: NFC, without invisible characters or white
    space at its ends.

    An identifier that already has this form is returned unchanged. Two spellings that look alike, such as
    "José" composed and decomposed, have the same form. White space inside an identifier is kept.
    """
    if text.isascii() and text.isprintable():
        return text.strip(" ")
    return unicodedata.normalize("NFC", _INVISIBLE.sub("", _LINES.sub(" ", text))).strip()

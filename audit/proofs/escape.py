"""Print stored values safely: they may contain control characters, line breaks or no valid text at all."""

from __future__ import annotations

LONGEST = 400
"""Characters of a value that are printed."""


def escape(value: object) -> str:
    """Return a value on one line, with every unprintable character as an escape sequence.

    Bytes that are not UTF-8 are printed as \\x escapes. A long value is cut.
    """
    text = value.decode(errors="backslashreplace") if isinstance(value, bytes) else str(value)
    cut = text if len(text) <= LONGEST else f"{text[:LONGEST]}… ({len(text):,} characters)"
    return "".join(
        character
        if character.isprintable()
        else character.encode("unicode_escape", "backslashreplace").decode()
        for character in cut
    )

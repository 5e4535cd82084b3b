"""Make stored values safe to print. They may contain control characters, line breaks or bytes that are not
text.
"""

from __future__ import annotations

LONGEST = 400
"""Maximum number of characters of a value that are printed."""


def escape(value: object) -> str:
    """Return a value on one line, with each unprintable character as an escape sequence.

    Bytes that are not UTF-8 become \\x escapes. A value that is too long is cut.
    """
    text = value.decode(errors="backslashreplace") if isinstance(value, bytes) else str(value)
    cut = text if len(text) <= LONGEST else f"{text[:LONGEST]}… ({len(text):,} characters)"
    return "".join(
        character
        if character.isprintable()
        else character.encode("unicode_escape", "backslashreplace").decode()
        for character in cut
    )

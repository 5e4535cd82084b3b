"""Comparison of signatures: different spellings of a person's name are treated as one name."""

from __future__ import annotations

from unicodedata import category, normalize

_UNSEEN = frozenset({"Cc", "Cf", "Zs", "Zl", "Zp"})
"""The Unicode categories of control characters, format characters and white space."""


def person_key(name: str) -> str:
    """Return a key that is the same for all spellings of a name. It ignores case, white space and invisible
    characters.

    The key is empty if the name has no visible character.
    """
    if name.isascii() and name.isprintable():
        return name.replace(" ", "").lower()
    return "".join(letter for letter in normalize("NFKC", name) if category(letter) not in _UNSEEN).casefold()


def not_by_two(by: str, second: str) -> str:
    """Return the name of the only person who signed, for a sentence such as `signed by d-101 alone`. Return
    an empty text if two people signed.
    """
    first, other = person_key(by), person_key(second)
    if first and other and first != other:
        return ""
    return (by if first else second if other else "nobody").strip()


def signers(by: str, second: str) -> str:
    """Return the names of those who signed, for the start of a sentence: `s-1 and s-2`, `s-1` or `Nobody`."""
    signer = not_by_two(by, second)
    if not signer:
        return f"{by} and {second}"
    return signer if person_key(by) or person_key(second) else "Nobody"

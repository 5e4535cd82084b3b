"""Signatures: two spellings of one person's name are one name."""

from __future__ import annotations

from unicodedata import category, normalize

_UNSEEN = frozenset({"Cc", "Cf", "Zs", "Zl", "Zp"})
"""Unicode's categories of control and format characters and of white space."""


def person_key(name: str) -> str:
    """Return what tells a person from another: the name without white space, invisible characters and the
    difference of capital letters.

    It is empty if the name has no letter that can be seen.
    """
    if name.isascii() and name.isalnum():
        return name.lower()
    return "".join(letter for letter in normalize("NFKC", name) if category(letter) not in _UNSEEN).casefold()


def not_by_two(by: str, second: str) -> str:
    """Return who signed alone, for a sentence such as `signed by d-101 alone`; empty text if two people
    signed.
    """
    first, other = person_key(by), person_key(second)
    if first and other and first != other:
        return ""
    return (by if first else second if other else "nobody").strip()

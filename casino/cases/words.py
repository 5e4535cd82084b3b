"""Store the texts of cases in a table from which they can be erased. A fact has the SHA-256 of a random salt
and the text, so that an erased text cannot be guessed from the hash.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from hashlib import sha256
from typing import NamedTuple

from django.db import transaction

from audit import database
from casino.models import Person
from casino.sealing import journal

SALT_BYTES = 16
ERASED = "(erased)"
"""The text that pages show in place of an erased text."""


class Words(NamedTuple):
    """A stored text, with the random salt that is hashed together with it."""

    sha256: str
    salt: str
    words: str


def keep(property: str, by: Person, words: str) -> str:
    """Store a text and return the hash for the fact."""
    salt = secrets.token_hex(SALT_BYTES)
    digest = sha256(f"{salt}{words}".encode()).hexdigest()
    query = "INSERT INTO case_words AS t (property, sha256, salt, words, by) VALUES (%s, %s, %s, %s, %s)"
    with transaction.atomic():
        journal.insert("case_words", query, [property, digest, salt, words, by.id])
    return digest


def keep_optional(property: str, by: Person, words: str) -> str | None:
    """Store a text and return its hash, or None if the text is empty."""
    return keep(property, by, words) if words else None


def words_of(property: str, digests: Iterable[str]) -> dict[str, Words]:
    """Return {hash: stored text} of the texts that have not been erased."""
    query = "SELECT sha256, salt, words FROM case_words WHERE property = %s AND sha256 = ANY (%s)"
    rows = database.records(Words, query, [property, sorted(set(digests))])
    return {row.sha256: row for row in rows}


def texts_of(property: str, digests: Iterable[str]) -> dict[str, str]:
    """Return {hash: text}, with ERASED in place of erased texts."""
    wanted = set(digests)
    return dict.fromkeys(wanted, ERASED) | {
        digest: entry.words for digest, entry in words_of(property, wanted).items()
    }


def erase(property: str, digest: str) -> bool:
    """Erase a text and its salt, and record that they were erased. Return False if they are not stored."""
    query = "DELETE FROM case_words WHERE property = %s AND sha256 = %s"
    with transaction.atomic():
        is_erased = bool(database.execute(query, [property, digest]))
        if is_erased:
            journal.record("case_words", [f"{digest} {property}"], journal.ERASED)
    return is_erased

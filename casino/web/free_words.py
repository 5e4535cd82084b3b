"""Free text of officers, in a table from which it can be erased. Facts contain only its hash."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from django.db import transaction

from audit import database
from casino.models import Person
from casino.sealing import journal


def keep_words(property: str, by: Person, words: str) -> str:
    """Store free text in a table from which it can be erased. Return the hash of the text, which the fact
    contains.
    """
    digest = sha256(words.encode()).hexdigest()
    query = """INSERT INTO free_words AS t (property, sha256, words, by)
        VALUES (%s, %s, %s, %s) ON CONFLICT DO NOTHING"""
    with transaction.atomic():
        journal.insert("free_words", query, [property, digest, words, by.id])
    return digest


def erase_words(property: str, digest: str) -> bool:
    """Erase free text, and record that it was erased. Return False if the text is not stored."""
    query = "DELETE FROM free_words WHERE property = %s AND sha256 = %s"
    with transaction.atomic():
        is_erased = bool(database.execute(query, [property, digest]))
        journal.record("free_words", [f"{digest} {property}"], journal.ERASED)
    return is_erased


def words_of(property: str, digests: Sequence[str]) -> dict[str, str]:
    """Return {hash: free text} for the texts that have not been erased."""
    if not digests:
        return {}
    query = "SELECT sha256, words FROM free_words WHERE property = %s AND sha256 = ANY (%s)"
    return dict(database.rows(query, [property, list(digests)]))

"""Nonces of signed requests. Each nonce is accepted once. It is stored until its signature has expired."""

from __future__ import annotations

from datetime import datetime

from audit import database

_USE = """WITH old AS (
        DELETE FROM used_nonce WHERE id IN (
            SELECT id FROM used_nonce WHERE ends_at < now() ORDER BY ends_at LIMIT 20 FOR UPDATE SKIP LOCKED))
    INSERT INTO used_nonce (property, device, nonce, ends_at) VALUES (%s, %s, %s, %s)
    ON CONFLICT (property, device, nonce) DO NOTHING RETURNING id"""
"""Whenever a nonce is stored, up to 20 expired nonces are deleted, so that the table does not grow."""


def use(property: str, device: str, nonce: str, ends_at: datetime) -> bool:
    """Store a nonce until `ends_at`. Return False if the device has used it before."""
    return bool(database.rows(_USE, [property, device, nonce, ends_at]))

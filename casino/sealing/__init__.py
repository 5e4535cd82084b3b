"""Keyed digests of rows outside the ledger, and encryption of secrets. The key is not in the database."""

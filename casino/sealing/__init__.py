"""Keyed digests of rows outside the ledger, and encryption of secrets. The keys are not in the database."""

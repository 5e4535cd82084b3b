"""Signed checkpoints of each ledger's tree: keys, due times, and copies outside the database."""

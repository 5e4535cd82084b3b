"""Archived months: recorded facts in Parquet files outside the database, with the proof that they are facts
of the ledger.
"""

"""Archived months: recorded facts in Parquet files outside the database, with a proof that they were recorded
in the ledger.
"""

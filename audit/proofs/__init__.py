"""Proofs: compare each table of the database with what it must contain, and report differences as faults.

`registry` defines the list of tables: one line for each table, with the function that compares its rows (its
prover). `tables` is the list of this package, and `run` runs the provers. Other packages add their lists
through the setting CATWALK_PROOFS.
"""

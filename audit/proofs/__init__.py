"""Proofs: compare each table of the database with what it must contain, and report differences as faults.

`registry` defines a line of the list of tables, `tables` is the list of this package, and `run` runs the
provers. Other packages add their lists through the setting CATWALK_PROOFS.
"""

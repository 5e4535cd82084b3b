"""Proofs: what each table of the database is compared with, and the differences as faults.

`registry` defines a line of the list, `tables` is the list of this package, and `run` runs the provers. Other
packages add their tables through the setting CATWALK_PROOFS.
"""

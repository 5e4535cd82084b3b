"""Settlements that were computed outside this project (module `reading`), and hands that are written here to
show each rule (module `notation`).
"""

"""The managers' admin: facts, findings, tally, archived exports, registers, people, tokens and jobs. Nobody
can edit them here.

A register is changed by a new entry that two people sign (`register_pages.py`).
"""

"""The managers' admin: facts, findings, tally, kept reports, registers, people, tokens and jobs, all
read-only for everyone.

A register changes by a new entry that two people sign (casino/register_entry).
"""

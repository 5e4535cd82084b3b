"""Findings: examine streams, store the results of replay, and read and retract findings."""

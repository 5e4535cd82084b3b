"""Findings: examine streams, save what replay found, read and retract it."""

"""Whole gaming days as facts with the findings expected in them, made elsewhere to the same contract."""

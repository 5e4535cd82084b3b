"""Surveillance: the queue, the page of a hand, verdicts, flags and quick search."""

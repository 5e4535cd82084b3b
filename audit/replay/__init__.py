"""Replay: the fold of a table's stream and of a property's ledger, with checks, tally and registers."""

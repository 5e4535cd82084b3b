"""Findings: examine streams, store what replay yields, read findings and retract them."""

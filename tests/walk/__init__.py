"""Rows for the walk of all pages: what the sample of the demo does not have."""

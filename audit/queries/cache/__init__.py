"""Cached aggregates and lists of whole months and days. They can be deleted at any time."""

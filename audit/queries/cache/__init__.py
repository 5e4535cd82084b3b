"""Cached aggregates and lists of whole months and days; safe to delete."""

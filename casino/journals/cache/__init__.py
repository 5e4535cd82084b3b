"""Cached parts of journals, by month and day; safe to delete."""

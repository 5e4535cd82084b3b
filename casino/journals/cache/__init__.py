"""Cached parts of journals, by month and day. They are safe to delete."""

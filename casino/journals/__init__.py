"""Journals: the closed books as documents that accounting loads."""

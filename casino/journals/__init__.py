"""Journals: the closed books as documents that accounting systems import."""

"""Surveillance's cases, their files, and evidence packs."""

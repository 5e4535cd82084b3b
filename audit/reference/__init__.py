"""The references of events and findings, made from the code: `manage.py reference` writes them to `docs/`."""

from __future__ import annotations

from audit.reference import events, findings

PAGES = {"events.md": events.page, "findings.md": findings.page}
"""File to the function that returns its text."""

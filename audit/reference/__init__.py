"""The references of events and findings, built from the code: `manage.py reference` writes them to
`docs/`.
"""

from __future__ import annotations

from audit.reference import events, findings

PAGES = {"events.md": events.page, "findings.md": findings.page}
"""For each file name: the function that returns the text of the file."""

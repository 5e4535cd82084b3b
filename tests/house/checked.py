"""Run the checks of our source once in a test run. Parsing all sources takes seconds. The first process that
needs a check runs all of them and stores the messages, which the other processes read.
"""

from __future__ import annotations

import fcntl
import json
import os
from pathlib import Path

from tests.house import imports, tidy
from tests.house.tidy import Source
from tests.manage import PROJECT, SHARED

ON_EACH = {check.__name__: check for check in tidy.CHECKS}
"""Checks that read one source file at a time."""
ON_ALL = {
    check.__name__: check
    for check in (imports.upward, imports.foreign_views, imports.circles, imports.hidden)
}
"""Checks that read all source files together."""


def paths() -> list[Path]:
    """Return the paths of all sources."""
    return sorted(
        [PROJECT / "manage.py", *(file for top in tidy.TOPS for file in (PROJECT / top).rglob("*.py"))]
    )


def messages_of_check(check: str) -> list[str]:
    """Return the messages of one check, by its name."""
    shared = Path(os.environ[SHARED])
    stored = shared / "sources.json"
    with open(shared / "sources.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not stored.exists():
            sources = [Source(path.relative_to(PROJECT).as_posix(), path.read_text()) for path in paths()]
            assert sources
            messages_of = {
                name: [message for source in sources for message in tried(source)]
                for name, tried in ON_EACH.items()
            }
            messages_of |= {name: list(tried(sources)) for name, tried in ON_ALL.items()}
            stored.write_text(json.dumps(messages_of))
    messages: list[str] = json.loads(stored.read_text())[check]
    return messages

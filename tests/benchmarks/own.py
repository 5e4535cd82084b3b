"""An embedded installation for one benchmark, in a temporary folder that is deleted when the benchmark
ends, or in a folder that is kept for the next run.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

GIVEN = ("DATABASE_URL", "DATABASE_OWNER_URL", "CELERY_BROKER_URL")
"""Environment variables that would connect a benchmark to an existing installation."""
PAGES = {"CATWALK_HOSTS": "testserver", "CATWALK_SECURE": "0", "CATWALK_KEEP": "600"}
"""Settings of an installation whose pages are requested with Django's test client."""


@contextmanager
def own_house(lasting: Path | None = None, **settings: str) -> Iterator[Path]:
    """Yield the data folder of an installation, with Django set up and the database running.

    Args:
        lasting: the folder of an installation that is not deleted, or None for a temporary one.
        settings: further environment variables.
    """
    with ExitStack() as stack:
        if lasting is None:
            folder = stack.enter_context(
                TemporaryDirectory(prefix="catwalk-bench-", ignore_cleanup_errors=True)
            )
        else:
            lasting.mkdir(parents=True, exist_ok=True)
            folder = str(lasting.resolve())
        os.environ.update(CATWALK_DATA=folder, DJANGO_SETTINGS_MODULE="casino.settings", **settings)
        for name in GIVEN:
            os.environ.pop(name, None)
        import django

        django.setup()
        from django.db import connections

        from casino.runtime.embedded import leave

        connections["default"].ensure_connection()
        try:
            yield Path(folder)
        finally:
            connections.close_all()
            leave(Path(folder))

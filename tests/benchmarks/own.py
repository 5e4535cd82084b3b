"""A house of a benchmark's own: an embedded one in a temporary folder, left and gone when the figures are
taken.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

GIVEN = ("DATABASE_URL", "DATABASE_OWNER_URL", "CELERY_BROKER_URL")
"""What would lead a benchmark into somebody else's house."""
PAGES = {"CATWALK_HOSTS": "testserver", "CATWALK_SECURE": "0", "CATWALK_KEEP": "600"}
"""Settings of a house whose pages are asked for by Django's own client."""


@contextmanager
def own_house(**settings: str) -> Iterator[Path]:
    """Yield a new data folder; Django is set up in it and the database answers. `settings` are further
    variables.
    """
    with TemporaryDirectory(prefix="catwalk-bench-", ignore_cleanup_errors=True) as folder:
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

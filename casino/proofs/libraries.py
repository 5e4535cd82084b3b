"""Prove the table of migrations, which belongs to Django."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from audit import database
from audit.proofs.registry import Fault, RowCount
from casino.runtime import auto_migrate

OURS = ("audit", "casino")
"""Apps of this project, whose migrations all exist as files. Libraries may have replaced theirs in later
releases.
"""


def prove_migrations(count: RowCount) -> Iterator[Fault]:
    """Yield a fault for each migration of this project that is missing, unknown or recorded twice."""
    applied = Counter(database.rows("SELECT app, name FROM public.django_migrations"))
    count.add("django_migrations", applied.total())
    on_disk = auto_migrate.on_disk()
    for app, name in sorted(on_disk - applied.keys()):
        yield Fault("django_migrations", f"{app}.{name}", "missing", "is not recorded as applied")
    for (app, name), times in sorted(applied.items()):
        if (app, name) not in on_disk and app in OURS:
            yield Fault("django_migrations", f"{app}.{name}", "unknown", "is not a migration of this release")
        if times > 1:
            yield Fault("django_migrations", f"{app}.{name}", "doubled", f"is recorded {times} times")

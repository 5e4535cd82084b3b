"""Prove the tables of migrations and of content types, which Django writes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from django.db.migrations.loader import MigrationLoader

from audit import database
from audit.proofs.registry import Fault, RowCount
from casino.runtime import auto_migrate

OURS = ("audit", "casino")
"""The apps of this project, whose migrations all exist as files. A migration of a library may be recorded
without a file, because libraries replace migrations in later releases.
"""


def prove_migrations(count: RowCount) -> Iterator[Fault]:
    """Yield a fault for each migration of this project that is missing, unknown or recorded twice."""
    applied = Counter(database.rows("SELECT app, name FROM public.django_migrations"))
    count.add("django_migrations", applied.total())
    on_disk = auto_migrate.on_disk()
    for app, name in sorted(on_disk - applied.keys(), key=repr):
        yield Fault("django_migrations", f"{app}.{name}", "missing", "is not recorded as applied")
    for (app, name), times in sorted(applied.items(), key=repr):
        if (app, name) not in on_disk and app in OURS:
            yield Fault("django_migrations", f"{app}.{name}", "unknown", "is not a migration of this release")
        if times > 1:
            yield Fault("django_migrations", f"{app}.{name}", "doubled", f"is recorded {times} times")


def prove_models(count: RowCount) -> Iterator[Fault]:
    """Yield a fault for each content type that is missing, or that does not belong to a model of this
    release.
    """
    rows = Counter(tuple(row) for row in database.rows("SELECT app_label, model FROM django_content_type"))
    count.add("django_content_type", rows.total())
    models = MigrationLoader(None).project_state().models
    for app, name in sorted({*rows, *models}, key=repr):
        place = f"{app}.{name}"
        if (app, name) not in models:
            yield Fault("django_content_type", place, "unknown", "this release has no such model")
        elif rows[app, name] > 1:
            yield Fault("django_content_type", place, "doubled", "is recorded twice")
        elif not rows[app, name] and "swappable" not in models[app, name].options:
            yield Fault("django_content_type", place, "missing", "this model of this release is not recorded")

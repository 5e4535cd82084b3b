"""Prove the table of content types, which Django updates after each migration."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from django.db.migrations.loader import MigrationLoader

from audit import database
from audit.proofs.registry import Fault, RowCount


def prove_models(count: RowCount) -> Iterator[Fault]:
    """Yield a fault for each content type that is missing, or that does not belong to a model of this
    release.
    """
    rows = Counter(tuple(row) for row in database.rows("SELECT app_label, model FROM django_content_type"))
    count.add("django_content_type", rows.total())
    models = MigrationLoader(None).project_state().models
    for app, name in sorted({*rows, *models}):
        place = f"{app}.{name}"
        if (app, name) not in models:
            yield Fault("django_content_type", place, "unknown", "this release has no such model")
        elif rows[app, name] > 1:
            yield Fault("django_content_type", place, "doubled", "is noted twice")
        elif not rows[app, name] and "swappable" not in models[app, name].options:
            yield Fault("django_content_type", place, "missing", "a model of this release is not noted")

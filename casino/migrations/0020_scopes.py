"""Rename scopes so that they begin with a verb. Existing tokens keep the same rights."""

from __future__ import annotations

from django.db import migrations

NAMES = (("facts:post", "post:facts"), ("tables:read", "read:tables"), ("reports:read", "read:reports"))


def _renaming(pairs: tuple[tuple[str, str], ...]) -> str:
    called = "scopes"
    for old, new in pairs:
        called = f"array_replace({called}, '{old}', '{new}')"
    return f"UPDATE casino_token SET scopes = {called}"


class Migration(migrations.Migration):
    dependencies = [("casino", "0018_slip_day")]
    operations = [migrations.RunSQL(_renaming(NAMES), _renaming(tuple((new, old) for old, new in NAMES)))]

"""Print every object of a database that was just migrated, one a line:
`python -m tests.schema_fingerprint > audit/proofs/schema.txt`.

Run it after each new migration. `manage.py verify` compares databases with the file.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import django
from django.core.management import call_command

HEADER = """# Every object that the migrations of this release create, in Postgres 18, one a line.
# `python -m tests.schema_fingerprint > audit/proofs/schema.txt` writes it; `manage.py verify` reads it.
# OWNER owns the schema, APP is the application's role, SERVER the role that created the server.
# fact_<property> is the partition of any property."""


@contextmanager
def one_ledger(owner: object) -> Iterator[None]:
    """Open a ledger for a property while this block runs, and undo that at its end. The owner's connection is
    used.
    """
    from django.db import transaction

    with transaction.atomic(using="owner"):
        with owner.cursor() as cursor:  # type: ignore[attr-defined]
            cursor.execute("SELECT open_ledger('property')")
        yield
        transaction.set_rollback(True, using="owner")


def fingerprint() -> str:
    """Return the text of `schema.txt` for a database that was just migrated."""
    from django.db import connections

    from audit.proofs import schema

    with one_ledger(connections["owner"]):
        return "\n".join([HEADER, *schema.lines(schema.described(connections["owner"]))]) + "\n"


def main() -> None:
    """Migrate a temporary embedded database and print its objects."""
    from django.conf import settings

    from casino.runtime import auto_migrate, embedded

    with tempfile.TemporaryDirectory() as folder:
        os.environ["CATWALK_DATA"] = str(Path(folder) / "data")
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
        django.setup()
        auto_migrate.turn_off()
        embedded.join(settings.CATWALK_DATA)
        try:
            call_command("migrate", database="owner", interactive=False, verbosity=0)
            sys.stdout.write(fingerprint())
        finally:
            embedded.leave(settings.CATWALK_DATA)


if __name__ == "__main__":
    main()

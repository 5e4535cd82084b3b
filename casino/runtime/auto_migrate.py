"""Apply pending migrations automatically when the embedded database is used."""

import pkgutil
from importlib import import_module
from importlib.util import find_spec
from zlib import crc32

from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.db import connections

OWNER = "owner"
LOCK = crc32(b"catwalk migrations")  # advisory lock by which only one process migrates at a time

_done = False


def migrate_once(alias: str) -> None:
    """Apply pending migrations as the owner of the schema. Only the first call in a process has an effect."""
    global _done
    if _done or alias == OWNER:
        return
    _done = True
    if not unapplied():
        return
    with connections[OWNER].cursor() as cursor:
        cursor.execute("select pg_advisory_lock(%s)", [LOCK])
        try:
            call_command("migrate", database=OWNER, interactive=False, verbosity=0)
        finally:
            cursor.execute("select pg_advisory_unlock(%s)", [LOCK])
    connections[OWNER].close()


def turn_off() -> None:
    """Turn off automatic migration in this process. Commands that migrate, back up or restore, and tests with
    a template database, call this function.
    """
    global _done
    _done = True


def as_owner(argv: list[str]) -> list[str]:
    """Return the command line of a migration command with the option that selects the owner's database.
    Return it unchanged if it already names a database, or if the command only reads files.
    """
    if argv[1] in ("makemigrations", "squashmigrations"):
        settings.DATABASES = {
            "default": {"ENGINE": "django.db.backends.dummy"}
        }  # these commands only read files and need no database
        return argv
    return argv if any(part.startswith("--database") for part in argv) else [*argv, f"--database={OWNER}"]


def on_disk() -> set[tuple[str, str]]:
    """Return (app, migration) for every migration file of the installed apps, without importing them."""
    migrations = set()
    for app in apps.get_app_configs():
        name = f"{app.name}.migrations"
        if find_spec(name) is not None:
            migrations |= {
                (app.label, module.name)
                for module in pkgutil.iter_modules(import_module(name).__path__)
                if module.name[0] != "_"
            }
    return migrations


def unapplied() -> set[tuple[str, str]]:
    """Return the migrations on disk that have not been applied to the owner's database."""
    with connections[OWNER].cursor() as cursor:
        cursor.execute("select to_regclass('django_migrations') is not null")
        if not cursor.fetchone()[0]:
            return on_disk()
        cursor.execute("select app, name from django_migrations")
        return on_disk() - set(cursor.fetchall())

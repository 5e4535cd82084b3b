"""Fixtures for databases in tests: real Postgres, the application's role with its limited rights, and a new
copy for every test that writes.

How to use the fixtures is described in tests/README.md.
"""

import gc
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import psycopg
import pytest
from django.conf import settings
from django.core.cache import cache
from django.db import connections
from hypothesis import HealthCheck
from hypothesis import settings as examples
from psycopg import sql

from casino.runtime import auto_migrate, counters, embedded
from casino.runtime import env as configuration
from casino.runtime.embedded.server import SETTINGS
from tests.furnished import asked
from tests.manage import PROJECT, SHARED, Manage, after

ALIASES = ("default", "owner")
RUN_BEGAN = "CATWALK_TEST_BEGAN"  # the time at which the first process of a test run began, as an ISO instant
DEAREST = (
    *(
        "tests/faults/",
        "tests/browser/",
        "tests/casino/test_large_house",
        "tests/casino/test_survives",
        "tests/casino/test_embedded",
    ),
    *(
        "tests/casino/test_operations_processes",
        "tests/casino/test_pages_against_replay",
        "tests/casino/test_report_pages",
    ),
    *(
        "tests/casino/test_import",
        "tests/casino/test_certificates",
        "tests/casino/test_strange_addresses",
        "tests/casino/test_pages.py",
    ),
    *(
        "tests/simulation/test_causes",
        "tests/simulation/test_month",
        "tests/audit/test_findings",
        "tests/casino/test_roles",
    ),
    *("tests/silence/", "tests/games/test_fuzz", "tests/house/"),
)
"""Files with the tests that take longest, in order of duration."""
_number = count(1)
examples.register_profile("house", deadline=None, suppress_health_check=[HealthCheck.too_slow])
examples.load_profile("house")  # no test may fail because the machine is slow


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Set up one database server for the whole test run, in a folder of its own that is never a
    developer's.
    """
    os.environ.setdefault(RUN_BEGAN, datetime.now(UTC).isoformat())
    gc.disable()  # until all tests are collected, because modules and tests are no garbage
    auto_migrate.leave_alone()  # the template is migrated once instead
    # for the server of this run, whose data may be lost. Other servers keep their settings
    SETTINGS.update(fsync="off", full_page_writes="off", autovacuum="off")
    os.environ.pop(
        "PYTHONDONTWRITEBYTECODE", None
    )  # without compiled modules a command takes twice as long to start
    sys.dont_write_bytecode = False
    if (
        signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    ):  # in the background of a script, child processes would ignore Ctrl-C
        signal.signal(signal.SIGINT, signal.default_int_handler)
    settings.PASSWORD_HASHERS = [
        "django.contrib.auth.hashers.MD5PasswordHasher",
        *settings.PASSWORD_HASHERS,
    ]  # argon2 is slow on purpose, and tests need no protection of passwords
    settings.WHITENOISE_AUTOREFRESH = (
        True  # look up static files when requested, not at each start of a server
    )
    if SHARED not in os.environ:
        os.environ[SHARED] = tempfile.mkdtemp(prefix="catwalk-test-", dir=_in_memory())
        config.add_cleanup(_remove)
        if config.option.basetemp is None:  # the installations that commands create are in the same folder
            config.option.basetemp = str(Path(os.environ[SHARED]) / "tmp")
    if not settings.EMBEDDED:
        return
    settings.CATWALK_DATA = Path(os.environ[SHARED])
    for alias, place in configuration.embedded(settings.CATWALK_DATA).items():
        connections.settings[alias].update(place)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Sort the tests by duration, in the order of DEAREST, so that no process has a long test left when the
    others are done.
    """
    items.sort(
        key=lambda item: next(
            (place for place, name in enumerate(DEAREST) if item.nodeid.startswith(name)), len(DEAREST)
        )
    )


def pytest_collection_finish() -> None:
    """Exempt modules and tests from garbage collection, because they exist until the end of the run."""
    gc.freeze()
    gc.enable()


def _in_memory() -> str | None:
    """Return a folder in memory, where copying a database takes a third of the time that it takes on a disk.
    Return None for the temporary folder if memory is short.
    """
    place = Path("/dev/shm")
    return (
        str(place)
        if place.is_dir() and os.access(place, os.W_OK) and shutil.disk_usage(place).free > 4 * 2**30
        else None
    )


def _remove() -> None:
    data = Path(os.environ.pop(SHARED))
    embedded.leave(data)
    shutil.rmtree(data, ignore_errors=True)


def _connect(alias: str, **other: Any) -> "psycopg.Connection[Any]":
    place = connections.settings[alias]
    options = {name: value for name, value in place["OPTIONS"].items() if name != "house"}
    words = {
        "dbname": place["NAME"],
        "user": place["USER"],
        "password": place["PASSWORD"],
        "host": place["HOST"],
        "port": place["PORT"],
    }
    return psycopg.connect(
        **{name: value for name, value in (words | options | other).items() if value}, autocommit=True
    )


def _point_at(name: str) -> None:
    """Point Django's connections, including those that other threads will open, at the database `name`."""
    for alias in ALIASES:
        connections[alias].close()
        connections.settings[alias]["NAME"] = name


class Template:
    """A migrated database from which others are copied. Its name is computed from the migrations, so changed
    migrations lead to another database.
    """

    def __init__(self) -> None:
        self._furnished: dict[Callable[[], Any], tuple[str, Any]] = {}
        self.home = connections.settings["owner"]["NAME"]
        if settings.EMBEDDED:
            embedded.join(settings.CATWALK_DATA)
            with _connect(
                "owner", user="postgres", dbname="postgres"
            ) as superuser:  # rights that only a test run needs
                # Roles belong to the whole server. Two processes of one run must take turns, because Postgres
                # refuses simultaneous changes.
                superuser.execute("select pg_advisory_lock(%s)", [auto_migrate.LOCK])
                superuser.execute(f"alter role {embedded.OWNER_ROLE} createdb")
                superuser.execute(f"grant pg_signal_backend to {embedded.OWNER_ROLE}")
        files = sorted(
            path for app in ("audit", "casino") for path in (PROJECT / app / "migrations").glob("*.py")
        )
        content = [path.read_bytes() for path in files] + [repr(sorted(auto_migrate.on_disk())).encode()]
        self.name = f"catwalk_template_{sha256(b''.join(content)).hexdigest()[:12]}"
        with _connect("owner") as owner:
            owner.execute("select pg_advisory_lock(%s)", [auto_migrate.LOCK])
            if not owner.execute("select 1 from pg_database where datname = %s", [self.name]).fetchone():
                self._make(owner)
        self._owner = _connect(
            "owner", dbname=self.home
        )  # one connection creates and drops all copies, because each new one reads the catalogs

    def _make(self, owner: "psycopg.Connection[Any]") -> None:
        from django.core.management import call_command

        half = f"{self.name}_half"
        owner.execute(f"drop database if exists {half} with (force)")
        owner.execute(f"create database {half}")
        _point_at(half)
        call_command("migrate", database="owner", interactive=False, verbosity=0)
        _point_at(self.home)
        owner.execute(f"alter database {half} rename to {self.name}")

    @contextmanager
    def filled(self, what: str, fill: Callable[[], object]) -> Iterator[str]:
        """Yield the name of a copy that the first process of the run fills and that is only read afterwards.
        `what` names its contents.
        """
        name = f"{self.name}_{sha256(what.encode()).hexdigest()[:12]}"
        half = f"{name}_half"
        before = connections.settings["owner"]["NAME"]
        with _connect("owner", dbname=self.home) as owner:
            owner.execute("select pg_advisory_lock(%s)", [auto_migrate.LOCK + 1])
            if not owner.execute("select 1 from pg_database where datname = %s", [name]).fetchone():
                owner.execute(f"drop database if exists {half} with (force)")
                owner.execute(f"create database {half} template {self.name} strategy file_copy")
                _point_at(half)
                try:
                    fill()
                finally:
                    _point_at(before)
                owner.execute(f"alter database {half} rename to {name}")
        _point_at(name)
        try:
            yield name
        finally:
            _point_at(before)

    @contextmanager
    def copied(self, of: str = "") -> Iterator[str]:
        """Yield the name of a new copy, to which Django's connections point. Drop it at the end with its
        connections.
        """
        name = f"catwalk_test_{os.getpid()}_{next(_number)}"
        app = connections.settings["default"]["USER"]
        before = connections.settings["owner"]["NAME"]
        self._owner.execute(f"create database {name} template {of or self.name} strategy file_copy")
        closed = sql.SQL(
            "revoke all on database {0} from public; grant connect, temporary on database {0} to {1}"
        )
        self._owner.execute(closed.format(sql.Identifier(name), sql.Identifier(app)))
        _point_at(name)
        try:
            yield name
        finally:
            _point_at(before)
            self._owner.execute(f"drop database if exists {name} with (force)")

    def furnished(self, furnish: Callable[[], Any]) -> tuple[str, Any]:
        """Return the name of a database that `furnish` fills once for each process and that is then copied,
        and the return value of `furnish` (tests/furnished.py).
        """
        if furnish not in self._furnished:
            with self.copied() as empty:
                gave = furnish()
                _point_at(self.home)
                name = f"{empty}_{furnish.__name__}"
                self._owner.execute(f"alter database {empty} rename to {name}")
            self._furnished[furnish] = name, gave
        return self._furnished[furnish]

    def close(self) -> None:
        for name, _ in self._furnished.values():
            self._owner.execute(f"drop database {name} with (force)")
        self._owner.close()


class House:
    """The database of one test. `owner` and `app` are psycopg connections (autocommit), `env` has the
    variables that connect a subprocess to the same database, and `furniture` is the return value of the
    function that filled it.
    """

    def __init__(self, name: str, furniture: Any = None) -> None:
        self.name, self.furniture = name, furniture
        self._open: list[psycopg.Connection[Any]] = []
        self.env = {
            variable: self._url(alias)
            for variable, alias in (("DATABASE_URL", "default"), ("DATABASE_OWNER_URL", "owner"))
        } | {"CATWALK_SECRET_KEY": str(settings.SECRET_KEY)}

    @property
    def owner(self) -> "psycopg.Connection[Any]":
        """Return a new connection as the owner of the schema, for tampering and for counting rows."""
        return self._connected("owner")

    @property
    def app(self) -> "psycopg.Connection[Any]":
        """Return a new connection as the application's role, which can change no fact in the ledger."""
        return self._connected("default")

    def _connected(self, alias: str) -> "psycopg.Connection[Any]":
        self._open.append(_connect(alias))
        return self._open[-1]

    def close(self) -> None:
        for connection in self._open:
            connection.close()

    def _url(self, alias: str) -> str:
        place = connections.settings[alias]
        user = quote(place["USER"], safe="") + (
            ":" + quote(place["PASSWORD"], safe="") if place["PASSWORD"] else ""
        )
        options = {name: value for name, value in place["OPTIONS"].items() if name != "house"}
        query = urlencode({"host": place["HOST"], "port": place["PORT"], **options})
        return f"postgres://{user}@/{self.name}?{query}"


@pytest.fixture(scope="session", autouse=True)
def _patient_pages() -> None:
    """Give the pages of reports more time, because no test may fail if the machine is slow."""
    from casino.reports import progress

    progress.SLICE_SECONDS = 60.0


@pytest.fixture(scope="session")
def template(django_db_blocker: Any) -> Iterator[Template]:
    with django_db_blocker.unblock():
        made = Template()
        yield made
        made.close()


@pytest.fixture
def house(request: pytest.FixtureRequest, template: Template, django_db_blocker: Any) -> Iterator[House]:
    """Yield a new database, filled as the test's fixtures require. Django's "default" and "owner" write to it
    and really commit.
    """
    with django_db_blocker.unblock():
        furnish = asked(request.node)
        of, furniture = template.furnished(furnish) if furnish else (template.name, None)
        cache.clear()  # its entries belong to another database
        with template.copied(of) as name:
            made, prefix = House(name, furniture), counters.PREFIX
            counters.PREFIX = f"{prefix}{name}:"  # a broker of this machine counts for all tests
            try:
                yield made
            finally:
                counters.PREFIX = prefix
                made.close()


@pytest.fixture(scope="session")
def django_db_setup(template: Template, django_db_blocker: Any) -> Iterator[None]:
    """Give pytest-django's `db` one copy for the session, in which every test is rolled back."""
    with django_db_blocker.unblock(), template.copied():
        yield


@pytest.fixture
def transactional_db() -> None:
    pytest.fail(
        "`transactional_db` truncates, and the ledger cannot be truncated: take the fixture `house`, a fresh"
        " copy."
    )


@pytest.fixture
def manage(tmp_path: Path) -> Iterator[Manage]:
    """Yield a function that runs commands, as in `manage("import_facts", "file.ndjson")`. The first command
    creates an installation for the test, and everything is stopped at the end.
    """
    made = Manage(tmp_path / "house")
    yield made
    made.close()


@pytest.fixture
def made(manage: Manage) -> Manage:
    """Return `manage` with an installation in which a first command was already run, for tests that are not
    about creating it.
    """
    return after(manage, "findings")

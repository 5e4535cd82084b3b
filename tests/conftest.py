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
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.core.cache import cache
from django.db import connections
from django.template.base import Template as PageTemplate
from django.test.utils import _TestState, instrumented_test_render
from hypothesis import HealthCheck
from hypothesis import settings as examples

from casino.runtime import auto_migrate, counters, embedded
from casino.runtime import env as configuration
from casino.runtime.embedded.server import SETTINGS
from tests.databases import House, Template, drop_furnished
from tests.furnished import furnishing_of
from tests.manage import SHARED, Manage, after
from tests.shared_odds import shared_odds
from tests.tampering import random_table

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
examples.register_profile("house", deadline=None, suppress_health_check=[HealthCheck.too_slow])
examples.load_profile("house")  # no test may fail because the machine is slow


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Set up one database server for the whole test run, in a folder of its own that is never a
    developer's.
    """
    os.environ.setdefault(RUN_BEGAN, datetime.now(UTC).isoformat())
    gc.disable()  # until all tests are collected, because modules and tests are no garbage
    auto_migrate.turn_off()  # the template is migrated once instead
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
    """Exempt modules and tests from garbage collection, because they exist until the end of the run. Collect
    less often than usual: processes of a test run are short, and collecting takes 5 % of their time.
    """
    gc.freeze()
    gc.set_threshold(100_000, 50, 50)
    gc.enable()


def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["ended"] = monotonic()


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    _ended.append(getattr(node, "workeroutput", {}).get("ended", monotonic()))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print the table of random changes, and how long the processes of the run waited for the last process,
    which shows how well the tests are divided.
    """
    reports = [report for kind in ("passed", "failed") for report in terminalreporter.stats.get(kind, ())]
    for line in random_table.lines(random_table.parts(reports)):
        terminalreporter.write_line(line)
    if len(_ended) > 1:
        waited = ", ".join(f"{max(_ended) - ended:.0f} s" for ended in sorted(_ended))
        terminalreporter.write_line(f"The processes waited for the last one: {waited}")


_ended: list[float] = []


def _in_memory() -> str | None:
    """Return a folder in memory for databases. Copying a database there takes a third of the time that it
    takes on a disk. If memory is short, return None; the temporary folder is then
    used.
    """
    place = Path("/dev/shm")
    return (
        str(place)
        if place.is_dir() and os.access(place, os.W_OK) and shutil.disk_usage(place).free > 4 * 2**30
        else None
    )


def _remove() -> None:
    if not settings.EMBEDDED:
        drop_furnished()
    data = Path(os.environ.pop(SHARED))
    embedded.leave(data)
    shutil.rmtree(data, ignore_errors=True)


@pytest.fixture(scope="session", autouse=True)
def _odds_of_the_run() -> Iterator[None]:
    with shared_odds():
        yield


@pytest.fixture(scope="session", autouse=True)
def _patient_pages() -> None:
    """Give the pages of reports more time, because no test may fail only because the machine is slow."""
    from casino.reports import progress

    progress.SLICE_SECONDS = 60.0


@pytest.fixture(scope="session", autouse=True)
def _plain_templates(django_test_environment: None) -> None:
    """Render templates as in production. Django's test runner copies the context of every template and
    include for `response.context`, which only tests with the fixture `contexts` read.
    """
    PageTemplate._render = _TestState.saved_data.template_render


@pytest.fixture
def contexts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the contexts of templates in `response.context` during this test."""
    monkeypatch.setattr(PageTemplate, "_render", instrumented_test_render)


@pytest.fixture(scope="session")
def template(django_db_blocker: Any) -> Iterator[Template]:
    with django_db_blocker.unblock():
        template = Template()
        yield template
        template.close()


@pytest.fixture
def house(request: pytest.FixtureRequest, template: Template, django_db_blocker: Any) -> Iterator[House]:
    """Yield a new database, filled as the test's fixtures require. Django's "default" and "owner" write to it
    and really commit.
    """
    with django_db_blocker.unblock():
        furnish = furnishing_of(request.node)
        of, furniture = template.furnished(furnish) if furnish else (template.name, None)
        cache.clear()  # its entries belong to another database
        with template.lent(of) as name:
            database, prefix = House(name, furniture), counters.PREFIX
            counters.PREFIX = f"{prefix}{uuid4()}:"  # a broker of this machine counts for all tests
            try:
                yield database
            finally:
                counters.PREFIX = prefix
                database.close()


@pytest.fixture(scope="session")
def django_db_setup(template: Template, django_db_blocker: Any) -> Iterator[None]:
    """Give pytest-django's `db` one copy of the database for the whole session. What a test changes in the
    copy is rolled back.
    """
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
    manage = Manage(tmp_path / "house")
    yield manage
    manage.close()


@pytest.fixture
def installation(manage: Manage) -> Manage:
    """Return `manage` with an installation in which a first command was already run, for tests that are not
    about creating it.
    """
    return after(manage, "findings")

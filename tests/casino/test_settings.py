"""Settings come from environment variables, are safe by default, and report an invalid value in a
sentence.
"""

import re
import stat
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command, get_commands, load_command_class

from casino.runtime import env as configuration
from tests.conftest import House, Template
from tests.manage import PROJECT, Manage


def test_a_url_is_read_whole() -> None:
    read = configuration.from_url(
        "postgres://us%40er:p%2Fw@db.example:6543/na%20me?sslmode=require", "DATABASE_URL"
    )
    assert (read["USER"], read["PASSWORD"], read["HOST"], read["PORT"], read["NAME"]) == (
        "us@er",
        "p/w",
        "db.example",
        "6543",
        "na me",
    )
    assert read["OPTIONS"] == {"connect_timeout": "10", "sslmode": "require"}


def test_a_socket_folder_is_a_host() -> None:
    read = configuration.from_url(
        "postgresql://ada@/house?host=/run/postgres&port=5433&connect_timeout=3", "DATABASE_URL"
    )
    assert (read["HOST"], read["PORT"], read["OPTIONS"]) == (
        "/run/postgres",
        "5433",
        {"connect_timeout": "3"},
    )


@pytest.mark.parametrize(
    "url",
    [
        "mysql://ada:secret@h/house",
        "postgres://h/house",
        "postgres://ada:secret@h",
        "postgres://ada:secret@h:x/y",
        "ada",
    ],
)
def test_an_invalid_url_is_named_without_its_password(url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=r"^DATABASE_URL .*\.$") as said:
        configuration.from_url(url, "DATABASE_URL")
    assert "secret" not in str(said.value)


def test_one_url_without_the_other_is_refused(manage: Manage) -> None:
    ran = manage("migrate", env={"DATABASE_URL": "postgres://ada@/house"})
    assert (ran.returncode, ran.stdout) == (1, "")
    assert (
        ran.stderr
        == "Set DATABASE_URL and DATABASE_OWNER_URL together, or neither for the embedded database.\n"
    )


def test_a_database_that_is_not_there_is_one_line(manage: Manage) -> None:
    url = "postgres://ada@/house?host=/nowhere"
    ran = manage("migrate", env={"DATABASE_URL": url, "DATABASE_OWNER_URL": url})
    assert (ran.returncode, ran.stderr.count("\n")) == (1, 1)
    assert ran.stderr.startswith("The database failed: ")


def test_given_databases_are_migrated_by_migrate_alone(
    house: House, template: Template, manage: Manage
) -> None:
    house.owner.execute("delete from django_migrations where app = 'auth'")
    asked = manage(
        "shell",
        "-v0",
        "-c",
        "from django.db import connection; connection.cursor().execute('select * from missing')",
        env=house.env,
    )
    assert (asked.returncode, asked.stderr.count("\n")) == (1, 1)
    assert "run `manage.py migrate`" in asked.stderr
    assert manage("migrate", "--fake", "auth", env=house.env).returncode == 0
    assert house.owner.execute("select count(*) from django_migrations where app = 'auth'").fetchone() != (0,)


def test_a_command_of_ours_begins_at_once_and_django_finds_nothing_wrong_with_the_house() -> None:
    """Test that commands skip Django's system checks, which take twice as long as a short command, and run
    these checks here instead.
    """
    call_command("check", fail_level="WARNING")
    ours = [
        load_command_class(app, name) for name, app in get_commands().items() if app in ("audit", "casino")
    ]
    assert len(ours) >= 17
    assert [command for command in ours if command.requires_system_checks] == []


def test_the_secret_is_made_once_and_only_we_can_read_it(tmp_path: Path) -> None:
    first = configuration.kept_secret(tmp_path / "house")
    assert len(first) >= 50
    assert configuration.kept_secret(tmp_path / "house") == first
    assert stat.S_IMODE((tmp_path / "house" / "secret_key").stat().st_mode) == 0o600
    assert [file.name for file in (tmp_path / "house").iterdir()] == ["secret_key"]


def test_nothing_is_open_by_default(manage: Manage) -> None:
    shown = manage(
        "shell",
        "-v0",
        "-c",
        "from django.conf import settings as s; print(s.DEBUG, s.ALLOWED_HOSTS, len(s.SECRET_KEY) > 40)",
    )
    assert (shown.stdout, shown.stderr) == ("False ['localhost', '127.0.0.1', '[::1]'] True\n", "")


READ = re.compile(
    r"""(?:environ(?:\.get|\.setdefault)?[\[(]|\benv\.number\()["']([A-Z_]+)["']"""
    r"""|^FOLDER = "([A-Z_]+)"|\$\{([A-Z_]+)""",
    re.M,
)


def test_the_page_of_configuration_has_exactly_the_variables_with_their_defaults() -> None:
    sources = [
        PROJECT / "manage.py",
        PROJECT / "casino/runtime/operations/Procfile",
        *(PROJECT / "casino").rglob("*.py"),
        *(PROJECT / "audit").rglob("*.py"),
    ]
    read = {next(filter(None, names)) for source in sources for names in READ.findall(source.read_text())}
    page = (PROJECT / "docs/operations.md").read_text().partition("## Configuration")[2].partition("\n## ")[0]
    told = dict(re.findall(r"^\| `([A-Z_]+)` \| (.*?) \|", page, re.M))
    assert {*told} == read
    above = dict(
        re.findall(
            r"^([A-Z][A-Z_]+) +(\S+|\(.*?\))  ",
            (PROJECT / "casino/settings.py").read_text().split('"""')[1],
            re.M,
        )
    )
    assert above == {name: told[name].strip("`") for name in above}
    assert len(above) > 20
    units = "".join(unit.read_text() for unit in (PROJECT / "casino/runtime/operations/systemd").iterdir())
    assert {*re.findall(r"\b(?:CATWALK|DATABASE|CELERY)_[A-Z_]+\b", units)} <= {*told}


@pytest.mark.parametrize("written", ["many", "-1", "1.5", "٣"])
def test_an_invalid_number_is_named(monkeypatch: pytest.MonkeyPatch, written: str) -> None:
    monkeypatch.setenv("CATWALK_SESSION", written)
    with pytest.raises(
        ImproperlyConfigured,
        match=rf"^CATWALK_SESSION is a whole number from 0 on, not {re.escape(written)}\.$",
    ):
        configuration.number("CATWALK_SESSION", 43_200)
    monkeypatch.setenv("CATWALK_SESSION", "60")
    assert configuration.number("CATWALK_SESSION", 43_200) == 60
    monkeypatch.setenv("CATWALK_SESSION", "")
    assert configuration.number("CATWALK_SESSION", 43_200) == 43_200

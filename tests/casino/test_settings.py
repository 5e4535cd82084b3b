"""Settings come from environment variables, are safe by default, and report an invalid value in a
sentence.
"""

import os
import re
import stat
import subprocess
import sys
from base64 import b64encode
from pathlib import Path
from secrets import token_bytes, token_hex, token_urlsafe

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command, get_commands, load_command_class

from casino.celery import app
from casino.runtime import env as configuration
from casino.runtime import environment
from tests import configuration as configuration_table
from tests.conftest import House, Template
from tests.manage import PROJECT, Manage


def test_every_part_of_a_url_is_read() -> None:
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
    with pytest.raises(ImproperlyConfigured, match=r"^DATABASE_URL .*\.$") as error:
        configuration.from_url(url, "DATABASE_URL")
    assert "secret" not in str(error.value)


def test_one_url_without_the_other_is_refused(manage: Manage) -> None:
    ran = manage("migrate", env={"DATABASE_URL": "postgres://ada@/house"})
    assert (ran.returncode, ran.stdout) == (1, "")
    assert (
        ran.stderr
        == "Set DATABASE_URL and DATABASE_OWNER_URL together, or neither for the embedded database.\n"
    )


def test_a_replica_needs_a_database_and_is_connected_for_reading() -> None:
    replica = {"DATABASE_REPLICA_URL": "postgres://ada@/house?host=/replica"}
    with pytest.raises(ImproperlyConfigured, match=r"^DATABASE_REPLICA_URL needs DATABASE_URL: "):
        environment.read(replica)
    url = "postgres://ada@/house?host=/primary"
    variables = environment.read(replica | {"DATABASE_URL": url, "DATABASE_OWNER_URL": url})
    entry = environment.databases(variables)["replica"]
    assert (entry["HOST"], entry["ENGINE"]) == ("/replica", "casino.runtime.replica_backend")
    assert entry["OPTIONS"]["options"] == "-c default_transaction_read_only=on"
    assert (entry["OPTIONS"]["connect_timeout"], variables.replica_lag) == ("2", 10)
    with pytest.raises(ImproperlyConfigured, match=r"^DATABASE_REPLICA_URL must look like postgres://"):
        environment.read({"DATABASE_REPLICA_URL": "ada", "DATABASE_URL": url, "DATABASE_OWNER_URL": url})


@pytest.mark.long
def test_a_missing_database_is_reported_in_one_line(manage: Manage) -> None:
    url = "postgres://ada@/house?host=/nowhere"
    ran = manage("migrate", env={"DATABASE_URL": url, "DATABASE_OWNER_URL": url})
    assert (ran.returncode, ran.stderr.count("\n")) == (1, 1)
    assert ran.stderr.startswith("The database failed: ")


@pytest.mark.long
def test_external_databases_are_migrated_only_by_migrate(
    house: House, template: Template, manage: Manage
) -> None:
    house.owner.execute("delete from django_migrations where app = 'auth'")
    refused = manage(
        "shell",
        "-v0",
        "-c",
        "from django.db import connection; connection.cursor().execute('select * from missing')",
        env=house.env,
    )
    assert (refused.returncode, refused.stderr.count("\n")) == (1, 1)
    assert "run `manage.py migrate`" in refused.stderr
    assert manage("migrate", "--fake", "auth", env=house.env).returncode == 0
    assert house.owner.execute("select count(*) from django_migrations where app = 'auth'").fetchone() != (0,)


def test_commands_skip_system_checks_which_all_pass() -> None:
    """Test that commands skip Django's system checks, which take twice as long as a short command. This test
    runs all the checks in their place.
    """
    call_command("check", fail_level="WARNING")
    own_commands = [
        load_command_class(app, name) for name, app in get_commands().items() if app in ("audit", "casino")
    ]
    assert len(own_commands) >= 17
    assert [command for command in own_commands if command.requires_system_checks] == []


def test_the_secret_key_is_created_once_in_a_private_file(tmp_path: Path) -> None:
    first = configuration.kept_secret(tmp_path / "house")
    assert len(first) >= 50
    assert configuration.kept_secret(tmp_path / "house") == first
    assert stat.S_IMODE((tmp_path / "house" / "secret_key").stat().st_mode) == 0o600
    assert [file.name for file in (tmp_path / "house").iterdir()] == ["secret_key"]


def test_default_settings_are_safe(manage: Manage) -> None:
    shown = manage(
        "shell",
        "-v0",
        "-c",
        "from django.conf import settings as s; print(s.DEBUG, s.ALLOWED_HOSTS, len(s.SECRET_KEY) > 40)",
    )
    assert (shown.stdout, shown.stderr) == ("False ['localhost', '127.0.0.1', '[::1]'] True\n", "")


def test_the_page_of_configuration_has_exactly_the_variables_of_the_table() -> None:
    page = configuration_table.PAGE.read_text(encoding="utf-8")
    assert configuration_table.table_on_page(page) == configuration_table.table(), (
        "run python -m tests.configuration"
    )
    units = PROJECT / "casino/runtime/operations/systemd"
    text_of_units = "".join(file.read_text() for file in [units.parent / "Procfile", *units.iterdir()])
    assert {*re.findall(r"\b(?:CATWALK|DATABASE|CELERY)_[A-Z_]+\b", text_of_units)} <= {*environment.names()}


def test_no_module_reads_a_variable_that_is_not_in_the_table() -> None:
    read = re.compile(
        r"""environ(?:\.get|\.setdefault)?[\[(]["']([A-Z_]+)["']|^FOLDER = "([A-Z_]+)\"""", re.M
    )
    sources = [PROJECT / "manage.py", *(PROJECT / "casino").rglob("*.py"), *(PROJECT / "audit").rglob("*.py")]
    names = {next(filter(None, name)) for source in sources for name in read.findall(source.read_text())}
    assert names
    assert names <= {*environment.names()}


REFUSED = [
    ("CATWALK_SECURE", "yes", "must be 1 or 0, not yes."),
    ("CATWALK_SECURE", "true", "must be 1 or 0, not true."),
    ("CATWALK_DEBUG", "on", "must be 1 or 0, not on."),
    ("CATWALK_HOSTS", "*", "must not contain *, which means every host name"),
    ("CATWALK_HOSTS", "catwalk.example,*", "must not contain *"),
    *(
        ("CATWALK_HOSTS", hosts, "must be host names separated by commas")
        for hosts in (".", ".com", "*.example.com", "https://catwalk.example", "catwalk.example:443", ",")
    ),
    ("CATWALK_SESSION", "1", "must be a whole number of seconds from 60 to 2592000, not 1."),
    *(
        ("CATWALK_SESSION", number, f"must be a whole number of seconds from 60 to 2592000, not {number}.")
        for number in ("many", "-1", "1.5", "1e3", "٣", "9" * 30)
    ),
    ("CATWALK_LOCK", "0", "must be a whole number of seconds from 60 to 2592000, not 0."),
    ("CATWALK_LOG", "xml", "must be json or text, not xml."),
    ("CATWALK_LOG_LEVEL", "loud", "must be debug, info, warning or error, not loud."),
    ("CATWALK_METRICS_FROM", "127.0.0.1, ten.one", "must be addresses and networks separated by commas"),
    ("CATWALK_METRICS_TOKEN", "two words", "must be a token without spaces of at least 16 random characters"),
    ("CATWALK_METRICS_TOKEN", "metrics-token-1234567890", "must be a token without spaces of at least 16"),
    *(
        ("CATWALK_SECRET_KEY", key, "must be at least 32 random characters that are in no example, such as")
        for key in (
            "...",
            "short",
            "x" * 64,
            "changeme" * 8,
            "0123456789abcdef" * 4,
            "abcdefghijklmnopqrstuvwxyz0123456789",
            "your-secret-key-goes-here-please-change-it",
            "django-insecure-change-me-in-production",
        )
    ),
    ("CATWALK_MAIL_PASSWORD", "changeme", "must be a password that is not well known"),
    ("CELERY_BROKER_URL", "amqp://guest:guest@broker//", "must be the URL of a broker"),
    *(
        ("CATWALK_BIND", bind, "must be addresses with a port")
        for bind in (":8000", "0.0.0.0", "0.0.0.0:70000", "unix:", ",")
    ),
    ("CELERY_BROKER_URL", "http://ada:hidden@broker", "must be the URL of a broker, redis://… or amqp://…"),
    ("CATWALK_SECUR", "1", "is not a variable of Catwalk. Remove it, or correct its name, for example to"),
]


@pytest.mark.parametrize(("name", "value", "says"), REFUSED)
def test_an_invalid_setting_is_refused_with_its_name(name: str, value: str, says: str) -> None:
    with pytest.raises(ImproperlyConfigured) as refused:
        environment.read({name: value})
    assert str(refused.value).startswith(f"{name} {says}")
    assert "hidden" not in str(refused.value)


@pytest.mark.parametrize("password", ["...", "catwalk", "postgres"])
def test_a_well_known_password_of_the_database_is_refused(password: str) -> None:
    url = f"postgres://catwalk_app:{password}@db.example/catwalk"
    with pytest.raises(ImproperlyConfigured, match=r"^The password in DATABASE_URL is well known"):
        environment.read({"DATABASE_URL": url, "DATABASE_OWNER_URL": url})


def test_a_random_key_is_accepted_whatever_made_it() -> None:
    for make in (token_urlsafe, token_hex, lambda length: b64encode(token_bytes(length)).decode()):
        assert environment.read({"CATWALK_SECRET_KEY": make(48), "CATWALK_METRICS_TOKEN": make(16)})


def test_the_web_server_does_not_start_with_a_former_key_that_can_be_guessed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("CATWALK_OLD_KEYS", f"{token_urlsafe(48)},short")
    assert environment.or_exit().old_keys[1] == "short", "commands replace it"
    with pytest.raises(SystemExit, match=r"CATWALK_OLD_KEYS contains a key .* manage\.py anchor --new-key"):
        environment.or_exit(serves=True)
    (tmp_path / "secret_key").write_text("short")
    with pytest.raises(ImproperlyConfigured, match=r"secret_key is short or well known\. Copy it"):
        configuration.kept_secret(tmp_path)


def test_an_unknown_variable_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(ImproperlyConfigured, match="for example to CATWALK_SECURE"):
        environment.read({"CATWALK_SECUR": "1"})
    assert environment.read({"CATWALK_COUNTS": "long", "CATWALK_TEST_DATA": "/x", "CATWALKING": "1"})


def test_values_are_read_in_their_types() -> None:
    assert environment.read(dict.fromkeys(environment.names(), "")) == environment.read(
        {"CATWALK_METRICS_FROM": ""}
    )
    values_read = environment.read(
        {
            "CATWALK_SECURE": "0",
            "CATWALK_DEBUG": "1",
            "CATWALK_HOSTS": "*, .casino.example",
            "CATWALK_SESSION": "60",
            "CATWALK_BIND": "[::1]:80, unix:/run/web",
            "CATWALK_METRICS_FROM": "",
        }
    )
    assert (
        values_read.secure,
        values_read.debug,
        values_read.hosts,
        values_read.session,
        values_read.bind,
        values_read.metrics_from,
    ) == (
        False,
        True,
        ["*", ".casino.example"],
        60,
        ["[::1]:80", "unix:/run/web"],
        [],
    )
    assert configuration.is_secure(environment.read({}).secure, ["catwalk.example"], debug=False)


def test_a_process_of_a_worker_is_replaced_above_its_memory() -> None:
    assert settings.TASK_MEMORY == environment.read({}).task_memory == 512
    assert (app.conf.worker_max_memory_per_child, app.conf.worker_max_tasks_per_child) == (512 * 1024, 5_000)


def test_every_process_refuses_with_one_sentence_and_no_traceback(tmp_path: Path) -> None:
    clean = {
        key: text
        for key, text in os.environ.items()
        if not key.startswith(("DATABASE_", "CATWALK_", "PYTEST", "DJANGO_", "CELERY_"))
    }
    env = clean | {"CATWALK_DATA": str(tmp_path), "CATWALK_SECURE": "yes"}
    env["PATH"] = f"{Path(sys.executable).parent}:{env['PATH']}"
    lines = (PROJECT / "casino/runtime/operations/Procfile").read_text().splitlines()
    commands = [line.partition(": ")[2] for line in lines]
    processes = [
        subprocess.Popen(
            ["sh", "-c", f"exec {command}"],
            cwd=PROJECT,
            env=env,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        for command in (*commands, "python manage.py jobs")
    ]
    outputs = [process.communicate(timeout=300)[0] for process in processes]
    assert [process.returncode for process in processes] == [1, 1, 1, 1], outputs
    for text in outputs:
        assert text == "CATWALK_SECURE must be 1 or 0, not yes.\n"
    assert list(tmp_path.iterdir()) == []

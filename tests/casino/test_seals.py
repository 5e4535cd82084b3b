"""`verify` names each row outside the ledger that was changed, inserted or deleted with SQL. It does not name
rows that Catwalk itself wrote.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256
from importlib import import_module
from time import sleep
from typing import Any
from uuid import UUID

import pytest
from django.conf import settings
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import connections
from django.test import override_settings
from django.utils import timezone

from audit.ledger import intake
from audit.ledger.intake import Sender
from audit.proofs import registry
from audit.proofs.registry import NOT_PROVED, Fault
from audit.proofs.run import run as prove
from audit.reference.examples import example
from audit.review import projections
from casino.accounts import otp, view_log
from casino.accounts import services as accounts
from casino.cage.slips import pending
from casino.cage.slips.pending import PendingSlip, Signature
from casino.exports import schedules
from casino.exports.archive import orders
from casino.exports.archive.orders import ExportSpec
from casino.models import Authenticator, Schedule
from casino.proofs import anchors, tables
from casino.sealing.tables import SEALED, SealedTable
from casino.surveillance.services import keep_words
from tests.audit import floor
from tests.casino.conftest import Api, Cast
from tests.casino.feeding import run
from tests.casino.test_kept import work
from tests.conftest import House
from tests.databases import _connect
from tests.furnished import furnishing

migration = import_module("casino.migrations.0027_seals")
SPEC = ExportSpec("aurora", "facts", date(2026, 11, 1), date(2026, 12, 1), (), "csv")
SLIP = PendingSlip(
    UUID(int=7),
    "aurora",
    "EOU-01",
    "fill-sent",
    "USD",
    {"100": 20},
    2000,
    (Signature("requested_by", "s-201", datetime(2026, 11, 27, tzinfo=UTC)),),
    datetime(2026, 11, 27, tzinfo=UTC),
    date(2026, 11, 27),
)
PROVED = tuple(line.table for line in (*tables.PROOFS, *tables.LIBRARIES) if line.how != NOT_PROVED)


def admin_entry() -> None:
    """Write the entry that the admin writes in its own log if a user changes a schedule."""
    kind = ContentType.objects.get_for_model(Schedule, for_concrete_model=False)
    LogEntry.objects.create(
        user_id="a-101", content_type=kind, object_id="1", object_repr="x", action_flag=CHANGE
    )


@furnishing
def office() -> Cast:
    """Let Catwalk write rows in every database table outside the ledger."""
    cast = Cast()
    intake.post([floor.line(floor.opened(1))], Sender("gateway-1"))
    intake.post([floor.line(example(kind)) for kind in ("flagged", "verdict-given")], Sender("v-101"))
    projections.follow("aurora")
    ada = cast.person("Dana")
    device = otp.begin_enrollment(ada)
    otp.confirm_enrollment(ada, f"{otp.hotp(device.bin_key, int(timezone.now().timestamp()) // 30):06d}")
    keep_words("aurora", cast.person("Dana"), "Seen on camera 3.")
    pending.insert(SLIP)
    schedules.create(schedules.Schedule("daily", "aurora", "hold", ("table",), "csv", "day"))
    number = orders.order(SPEC, "a-101")
    assert number is not None
    work()
    orders.request_rebuild(number, "a-101")
    work(orders.REBUILD_JOB)
    view_log.record(cast.person("Dana"), "aurora", "aurora/EOU-01/2026-11-27", "r-1")
    view_log.record_report(cast.person("Alma"), "aurora", "Hold", "/reports/hold/")
    admin_entry()
    with at_once():
        assert anchors.anchor() == 1
    return cast


@contextmanager
def at_once() -> Iterator[None]:
    """Let an anchor cover even rows that were written a moment ago. An anchor is a fact with digests of the
    logs outside the ledger.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(anchors, "SETTLED", timedelta(0))
        yield


@pytest.fixture
def root(office: Cast, house: House) -> Iterator[Any]:
    """Yield a database connection of a superuser, on which no trigger runs and no foreign key is checked."""
    if not settings.EMBEDDED:
        pytest.skip("needs a superuser")
    with _connect("owner", user="postgres") as connection:
        connection.execute("SET session_replication_role = replica")
        yield connection
        process = connection.info.backend_pid
    running = "SELECT count(*) FROM pg_stat_activity WHERE pid = %s"
    while house.owner.execute(running, [process]).fetchone() != (0,):
        sleep(0.01)  # only a superuser may end it when the database is dropped


def faults(*tables: str) -> list[Fault]:
    """Return the faults that `verify` finds in these database tables, or in the tables of PROVED if none is
    named.
    """
    return prove(registry.selected(tables or PROVED)).faults


def test_rows_written_by_catwalk_are_never_faults(office: Cast) -> None:
    assert faults() == []
    assert run("verify").code == 0


def test_rights_gained_with_sql_are_named(root: Any, office: Cast) -> None:
    """Test each way in which an attacker with SQL could get another person's rights. The faults name every
    changed row.
    """
    old = root.execute("SELECT password FROM casino_person WHERE id = 'v-101'").fetchone()[0]
    accounts.activate_user("v-101", "Dana", "another password")
    root.execute("UPDATE casino_person SET password = %s WHERE id = 'v-101'", [old])
    (named,) = faults("casino_person")
    assert (named.place, named.kind) == ("v-101", "changed")
    assert "content of change" in named.says, "an old row is named as one"
    root.execute("UPDATE casino_person SET is_active = true, id = 'x-1' WHERE id = 'e-101'")
    assert {(fault.place, fault.kind) for fault in faults("casino_person")} >= {
        ("x-1", "unknown"),
        ("e-101", "missing"),
    }
    root.execute(
        "INSERT INTO casino_standing (property, register, key, value, begins, ends, uid, by, second)"
        " VALUES ('aurora', 'people', 'e-101', '{\"role\": \"administrator\"}', '0001-01-01', '9999-12-31',"
        " gen_random_uuid(), 'm-101', 'm-102')"
    )
    (role,) = faults("casino_standing")
    assert (role.kind, "administrator" in role.says) == ("unknown", True)
    root.execute("UPDATE casino_token SET revoked_at = NULL, scopes = '{export}'")
    assert [fault.kind for fault in faults("casino_token")] == ["changed"]


def test_a_copied_seal_entry_does_not_hide_a_change(root: Any) -> None:
    """Test an attacker who restores a user's first password and also copies the seal that belonged to it."""
    first = root.execute("SELECT password FROM casino_person WHERE id = 'v-102'").fetchone()[0]
    accounts.activate_user("v-102", "Dora", "another password")
    with at_once():
        anchors.anchor()
    last = "SELECT max(number) FROM seal WHERE key = 'v-102'"
    copied = '"table", key, digest, reason, key_id, code'
    root.execute("UPDATE casino_person SET password = %s WHERE id = 'v-102'", [first])
    root.execute(
        f"""INSERT INTO seal (number, {copied}) SELECT ({last}) + 1, {copied} FROM seal
            WHERE key = 'v-102' AND number = ({last}) - 1"""
    )
    assert {fault.table for fault in faults("casino_person", "seal")} == {"casino_person", "seal"}
    newest = root.execute(last).fetchone()[0]
    root.execute("DELETE FROM seal WHERE key = 'v-102' AND number >= %s", [newest - 1])
    assert [fault.kind for fault in faults("casino_person", "seal")] == ["missing"], (
        "an anchor covers the entry"
    )


def test_each_row_of_the_viewing_log_that_differs_is_named(root: Any) -> None:
    root.execute("UPDATE viewing SET person = 'v-102' WHERE id = 1")
    root.execute("DELETE FROM viewing WHERE id = 2")
    root.execute("UPDATE anchor SET digests = digests || '\\x00' WHERE log = 'seal'")
    named = [(fault.table, fault.place, fault.kind) for fault in faults("viewing", "anchor")]
    assert named == [
        ("anchor", "number 1 seal", "changed"),
        ("viewing", "id 1", "changed"),
        ("viewing", "id 2", "missing"),
    ]
    root.execute("DELETE FROM anchor")
    assert [fault.kind for fault in faults("viewing")] == ["changed"], "the fact is enough to notice it"


def test_rows_that_no_anchor_covers_are_stated(office: Cast) -> None:
    view_log.record(office.person("Dana"), "aurora", "aurora/EOU-01/2026-11-27", "r-2")
    assert "viewing: 1 rows since" in run("verify", "--only", "viewing").out
    assert anchors.anchor() is None, "the row is too young"
    with at_once():
        assert anchors.anchor() == 2
    assert "no anchor yet" not in run("verify", "--only", "viewing").out


def test_an_anchor_is_due_once_a_day(office: Cast) -> None:
    view_log.record(office.person("Dana"), "aurora", "aurora/EOU-01/2026-11-27", "r-2")
    assert not anchors.is_due()
    assert anchors.is_due(timezone.now() + timedelta(hours=21))


def test_nobody_can_forge_an_anchor(office: Cast, house: House) -> None:
    """Test that a device may not post an anchor. If an anchor was added to the ledger in another way,
    `verify` names it.
    """
    fact = floor.line(example("anchored"))
    refused = Api(office.logins["gateway"].token).send(fact)
    assert (refused.status_code, "anchored" in refused.content.decode()) == (403, True)
    intake.post([fact], Sender("somebody"))
    (named,) = faults("anchor")
    assert (named.kind, "key of this installation" in named.says) == ("unknown", True)


def test_erased_text_is_no_fault(office: Cast, root: Any) -> None:
    digest = root.execute("SELECT sha256 FROM free_words").fetchone()[0]
    assert run("erase_words", "aurora", "0" * 64).code == 1
    assert run("erase_words", "aurora", digest).out == "erased\n"
    assert faults("free_words") == []
    assert keep_words("aurora", office.person("Dana"), "Seen on camera 3.") == digest
    assert faults("free_words") == []
    root.execute("DELETE FROM free_words")
    assert [fault.kind for fault in faults("free_words")] == ["missing"]


def test_no_one_time_secret_can_be_read_in_the_database(office: Cast, root: Any) -> None:
    device = Authenticator.objects.get(user="v-101")
    secret = device.bin_key.hex()
    for table in ("otp_totp_totpdevice", "otp_static_statictoken", "seal"):
        stored = root.execute(f"SELECT string_agg(t::text, ' ') FROM {table} t").fetchone()[0]
        assert secret not in stored.lower()
    plain = root.execute("SELECT token FROM otp_static_statictoken").fetchall()
    fresh = otp.new_backup_codes(office.person("Dana"))
    digests = {sha256(f"v-101:{code.replace(' ', '')}".encode()).hexdigest()[:16] for code in fresh}
    tokens = {token for (token,) in root.execute("SELECT token FROM otp_static_statictoken").fetchall()}
    assert len(tokens) == len(plain) == otp.BACKUPS
    assert not tokens & digests, "the digest needs a key"


def test_the_secret_key_is_replaced(office: Cast, root: Any) -> None:
    before = str(settings.SECRET_KEY)
    secret = Authenticator.objects.get(user="v-101").bin_key
    root.execute("UPDATE casino_person SET password = 'x' WHERE id = 'd-102'")
    with override_settings(SECRET_KEY="another key", SECRET_KEY_FALLBACKS=[before]), at_once():
        assert [fault.place for fault in faults()] == ["d-102"]
        assert run("anchor", "--new-key").code == 0
        assert [fault.place for fault in faults()] == ["d-102"], "what was changed is still named"
    with override_settings(SECRET_KEY="another key"):
        assert {fault.kind for fault in faults()} == {"key"}
        assert {fault.table for fault in faults()} == {"casino_person"}
        assert Authenticator.objects.get(user="v-101").bin_key == secret


def test_a_lost_key_is_reported_and_its_rows_can_be_accepted(office: Cast) -> None:
    with override_settings(SECRET_KEY="another key"), at_once():
        named = faults()
        assert {fault.kind for fault in named} == {"key", "unknown"}
        assert {fault.table for fault in named if fault.kind == "unknown"} == {"anchor"}
        with pytest.raises(otp.OtpRejected, match="Ask an administrator"):
            otp.verify_codes({"v-101": "123456"})
        assert run("anchor", "--adopt").code == 0
        assert faults() == []
        assert max(anchors.anchors()).adopted > 20
        assert otp.remove_otp("v-101")
        assert faults() == []


def test_secrets_of_an_earlier_release_are_encrypted_by_the_migration(office: Cast, root: Any) -> None:
    """Store a secret and a digest of a backup code as an earlier release did, without encryption. After the
    migration both still work.
    """
    plain = "3132333435363738393031323334353637383930"
    digest = sha256(b"v-101:1234567890123456").hexdigest()[:16]
    root.execute("UPDATE otp_totp_totpdevice SET key = %s", [plain])
    first = "(SELECT min(id) FROM otp_static_statictoken)"
    root.execute(f"UPDATE otp_static_statictoken SET token = %s WHERE id = {first}", [digest])
    with connections["owner"].schema_editor() as editor:
        migration.encrypt(None, editor)
    assert Authenticator.objects.get(user="v-101").bin_key.hex() == plain
    otp.verify_codes({"v-101": "1234 5678 9012 3456"})
    with pytest.raises(otp.OtpRejected):
        otp.verify_codes({"v-101": "1234 5678 9012 3456"})


def _without_added(table: SealedTable) -> SealedTable:
    """Return the description of a sealed table as it was before the columns in `added` were added."""
    added = dict(table.added)
    return table._replace(columns=tuple(name for name in table.columns if name not in added), added=())


def test_the_migration_seals_what_the_code_seals() -> None:
    of_release = {table: _without_added(SEALED[table]) for table in migration.SEALED}
    assert of_release == migration.SEALED, "a new column needs a migration that records its rows again"

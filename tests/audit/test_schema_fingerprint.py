"""The release's list of schema objects equals the objects of a database that was just migrated, and `verify`
names objects that differ. tests/tampering/ has many more changes.
"""

from __future__ import annotations

from io import StringIO

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from audit.ledger.intake import Sender, post
from audit.proofs import schema
from tests.audit.floor import line, opened
from tests.conftest import House
from tests.schema_fingerprint import fingerprint

APP = settings.DATABASES["default"]["USER"]
NAME = """SELECT 'public.' || relname FROM pg_class
    WHERE relispartition AND relkind = 'r' AND position(left(md5(%s), 12) in relname) > 0"""
PROPERTIES = ("aurora", "Río Grande / O'Neill", "x" * 90, "İzmir")


def verified() -> str:
    """Return what `verify` prints about the schema: one line for each difference from the release. The text
    is empty if there is no difference.
    """
    out = StringIO()
    try:
        call_command("verify", "--only", schema.STRUCTURE, stdout=out)
    except CommandError:
        return "\n".join(out.getvalue().splitlines()[2:])
    return ""


def test_the_list_is_that_of_a_migrated_database(house: House) -> None:
    assert fingerprint() == schema.RELEASE.read_text(), (
        "run: python -m tests.schema_fingerprint > audit/proofs/schema.txt"
    )


def test_each_property_has_a_partition_of_the_same_pattern(house: House) -> None:
    for place, name in enumerate(PROPERTIES):
        house.owner.execute("SELECT open_ledger(%s)", [name])
        if place == 0:
            post([line(opened(1, "aurora/T-1"))], Sender("ada"))
    assert verified() == ""
    (partition,) = house.owner.execute(NAME, [PROPERTIES[1]]).fetchone() or ("",)
    house.owner.execute(f"DROP TRIGGER never_changed ON {partition}")
    assert verified().startswith(f"(schema) trigger {partition} never_changed missing: does not exist")


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ("DROP TRIGGER never_changed ON fact", "trigger public.fact never_changed missing"),
        ("ALTER TABLE fact DISABLE TRIGGER never_changed", "changed: has disabled; this release has enabled"),
        (f"GRANT UPDATE ON fact TO {APP}", "table public.fact changed: has APP SELECT/UPDATE"),
        ("CREATE SCHEMA decoy", "schema decoy unknown"),
        ("ALTER TABLE tally ALTER bets SET DEFAULT 1", "column public.tally bets changed"),
        ("CREATE TABLE fact_x PARTITION OF fact FOR VALUES IN ('x')", "table public.fact_x changed"),
        ("CREATE TABLE fact_d PARTITION OF fact DEFAULT", "table public.fact_d changed"),
    ],
)
def test_a_change_of_the_schema_is_named(house: House, change: str, named: str) -> None:
    house.owner.execute(change)
    assert named in verified()

"""What-if: the amounts that would have been paid in a period under other pay tables. Nothing is stored."""

from __future__ import annotations

import json
from datetime import date, timedelta
from fractions import Fraction
from typing import Any

import pytest
from django.db import connection

from audit.findings import examine as findings
from audit.ledger import intake
from audit.ledger.intake import Sender
from audit.queries import what_if
from audit.queries.span import Span
from casino.sample.tables.andar_bahar import BAHAR_FIRST, andar
from casino.sample.tables.easy_over_under import easy
from tests.audit.test_findings import stored_findings
from tests.nights.reading import nights
from tests.vectors.notation import facts

HAND = [
    "deal joker 5s",
    "bet p-1 andar 1000",
    "bet p-2 bahar 700",
    "deal andar 6c",
    "deal bahar 7d",
    "deal andar 5h",
]


def record(sent: list[dict[str, Any]]) -> None:
    intake.post([json.dumps(fact).encode() for fact in sent], Sender("pit-1"))


def test_andar_would_have_paid_even_money_at_the_table_that_deals_bahar_first(house: Any) -> None:
    record(facts("andar_bahar", {"hand": HAND}))
    sums = what_if.replay(what_if.read(f"edition={BAHAR_FIRST}"), Span()).sums
    usual = andar("andar", 1000, "andar", 3, "ezugi")
    changed = andar("andar", 1000, "andar", 3, BAHAR_FIRST)
    row = sums["andar_bahar", "EUR", "andar"]
    assert (
        (row.owed, row.would, row.difference, row.moved)
        == (usual, changed, changed - usual, usual)
        == (900, 1000, 100, 900)
    )
    assert sums["andar_bahar", "EUR", "bahar"].difference == 0


@pytest.mark.parametrize(
    "question", ["pay_tables=spread:B", "pay_tables=B", "edition=2010-02-05,pay_tables=spread:B"]
)
def test_the_spread_would_have_paid_less_by_table_b(house: Any, question: str) -> None:
    record(facts("easy_over_under", {"hand": ["bet 1 spread 1000", "roll 1 1", "deal 1 Kd"]}))
    (row,) = what_if.replay(what_if.read(question), Span()).sums.values()
    assert (row.owed, row.would) == tuple(easy("spread", 1000, (1, 1), "Kd", table) for table in "AB")


def test_only_days_with_other_pay_tables_in_the_range_are_listed(
    house: Any,
) -> None:
    for night in nights("easy_over_under-honest", "andar_bahar-honest"):
        intake.post(night.lines[:500], Sender("pit-1"))
    assert what_if.replay(what_if.read("edition=2010-02-05"), Span()) == ({}, 1)
    all_sums = what_if.replay(what_if.read(f"edition={BAHAR_FIRST}"), Span()).sums
    day = next(nights("andar_bahar-honest")).stream.rpartition("/")[2]
    day_shown, day_before = date.fromisoformat(day), date.fromisoformat(day) - timedelta(days=1)
    assert (
        what_if.replay(
            what_if.read(f"edition={BAHAR_FIRST}"), Span(day_shown, day_shown + timedelta(days=1))
        ).sums
        == all_sums
        != {}
    )
    assert what_if.replay(what_if.read(f"edition={BAHAR_FIRST}"), Span(day_before, day_shown)).sums == {}
    assert what_if.replay(what_if.read(f"edition={BAHAR_FIRST}"), Span(property="borealis")).sums == {}
    assert all(isinstance(row.difference, Fraction) and row.lines > 0 for row in all_sums.values())


def test_a_void_round_would_not_have_been_settled_either(house: Any) -> None:
    record(facts("andar_bahar", {"hand": [*HAND[:3], "void"]}))
    assert what_if.replay(what_if.read(f"edition={BAHAR_FIRST}"), Span()).sums == {}


def test_a_what_if_question_stores_nothing(house: Any, manage: Any) -> None:
    record(facts("andar_bahar", {"hand": HAND}))
    findings.examine()
    before = stored_findings()
    result = manage("reexamine", "--as", f"edition={BAHAR_FIRST}", "--dry-run", env=house.env)
    assert result.returncode == 0
    assert "andar_bahar  andar" in result.stdout
    assert "+1.00 EUR" in result.stdout
    assert stored_findings() == before
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM fact WHERE kind = 'reexamined'")
        assert cursor.fetchone() == (0,)


@pytest.mark.parametrize(
    "question",
    [
        "",
        "edition=1999",
        "edition",
        "pay_tables=spread:Z",
        "pay_tables=over:A",
        "readings=tie",
        "readings=moon:full",
        "decks=8",
        "A",
    ],
)
def test_an_invalid_what_if_question_lists_the_valid_ones(question: str) -> None:
    with pytest.raises(ValueError, match="edition"):
        what_if.read(question)


@pytest.mark.long
def test_an_invalid_what_if_option_exits_2(house: Any, manage: Any) -> None:
    for options in (["--as", "edition=1999"], ["--from", "2026-11-27"]):
        result = manage("reexamine", *options, env=house.env)
        assert (result.returncode, len(result.stderr.strip().splitlines())) == (2, 1), result.stderr

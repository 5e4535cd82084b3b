"""Names stand in the keys of the database: one that is too long for them is refused, and with the longest everything is examined."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st

from audit import findings, intake
from audit.facts.kinds import HOUSE_KINDS
from audit.facts.names import NAME_BYTES, accepted_form
from audit.intake import Sender
from tests.audit.floor import line
from tests.audit.test_facts import refused, taken
from tests.audit.test_facts_canonical import GOLDEN

FACTS: dict[str, dict[str, Any]] = {golden["kind"]: json.loads(golden["body"]) for golden in GOLDEN}
NO_NAMES = {
    "uid", "table", "day", "kind", "at", "seen", "game", "edition", "pay_tables", "chips", "notes", "of_table", "of_day", "finding",
    "reason", "text", "says", "why", "about", "value", "owed", "video", "gained", "lost",
}  # fmt: skip
"""Fields that have another limit, or none but that of their line."""
DATES = {("register-set", "from")}


def longest(name: str, bytes_: int = NAME_BYTES) -> str:
    """A name of so many bytes that cannot be pressed together, always the same of the same name."""
    letters = [chr(letter) for letter in Random(name).choices(range(0x20000, 0x2A000), k=bytes_ // 4)]
    return "".join(letters) + "x" * (bytes_ % 4)


def put(value: Any, long: Any) -> Any:
    """The same value with every name in it made long."""
    if isinstance(value, str):
        return long(value)
    if isinstance(value, list):
        return [put(one, long) for one in value]
    return {long(key): one for key, one in value.items()} if isinstance(value, dict) else value


def named(fact: dict[str, Any]) -> Iterator[str]:
    """The fields of a fact in which a name stands."""
    for field, value in fact.items():
        if field not in NO_NAMES and (fact["kind"], field) not in DATES and isinstance(value, str | list | dict) and value:
            yield field


@pytest.mark.parametrize("kind", FACTS)
def test_a_name_that_is_too_long_for_a_key_is_refused_and_its_field_is_named(kind: str) -> None:
    fact = FACTS[kind]
    for field in named(fact):
        for bytes_, is_refused in ((NAME_BYTES, False), (NAME_BYTES + 1, True)):
            sent = fact | {field: put(fact[field], lambda name, bytes_=bytes_: longest(name, bytes_))}
            if sent == fact:
                continue  # numbers alone
            if is_refused:
                code, where = refused(sent)
                assert (code, (where or "").partition("[")[0].partition(".")[0]) == ("name-too-long", field)
            else:
                taken(sent)


def test_words_may_be_as_long_as_their_line_and_quotes_hide_no_name() -> None:
    words = 'said "' + "so" * 5000 + '"'
    for kind, field in (("void", "reason"), ("flagged", "why"), ("log-written", "about"), ("verdict-given", "says"), ("alarm", "text")):
        taken(FACTS[kind] | {field: words})
    assert refused(FACTS["bet"] | {"wager": '"so"' * 51}) == ("name-too-long", "wager")
    assert refused(FACTS["flagged"] | {"of_table": longest("T", 805)}) == ("name-too-long", "of_table")
    assert refused(FACTS["verdict-given"] | {"finding": longest("f", 601)}) == ("name-too-long", "finding")


def test_a_day_in_which_every_name_is_as_long_as_may_be_is_examined_to_its_end(house: Any) -> None:
    property, table = longest("aurora", 400), longest("T", 400)
    sent = []
    for kind, fact in FACTS.items():
        long = {field: put(fact[field], longest) for field in named(fact)}
        of = {"table": f"{property}/{'house' if kind in HOUSE_KINDS else table}"}
        sent.append(line(fact | long | of | ({"of_table": f"{property}/{table}"} if "of_table" in fact else {})))
    intake.post(sent, Sender("test"))
    examined = findings.examine()
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM stream s JOIN examination x ON x.stream = s.name AND x.cursor = s.number")
        assert cursor.fetchone() == (examined.streams,) == (2,)
        for tally in ("tally", "cage_tally", "player_tally", "tray_tally", "slip_tally", "finding"):
            cursor.execute(f"SELECT count(*) FROM {tally}")
            assert cursor.fetchone() != (0,), tally


@pytest.mark.parametrize(
    ("typed", "accepted"),
    [
        ("t-101", "t-101"),
        ("Masa 4", "Masa 4"),
        ("41+", "41+"),
        ("", ""),
        ("Jose\u0301", "José"),
        ("S-1 ", "S-1"),
        (" 000125", "000125"),
        ("\u00a0 p-1\u3000", "p-1"),
        ("p\u200b-1", "p-1"),
        ("\ufeffp-1\n", "p-1"),
        ("\u202ep-1\u202c", "p-1"),
        ("p\x00-\x1b1\x7f", "p-1"),
        ("North\tpit", "North pit"),
        ("e\u200d\u0301", "é"),
        (" \u200b \t", ""),
    ],
)
def test_an_identifier_has_one_accepted_form(typed: str, accepted: str) -> None:
    assert accepted_form(typed) == accepted


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_the_accepted_form_is_itself_accepted(typed: str) -> None:
    assert accepted_form(accepted_form(typed)) == accepted_form(typed)

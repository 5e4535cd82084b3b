"""Names are parts of database keys: a name above the limit is refused, and facts with the longest allowed
names are examined without an error.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st
from msgspec import inspect

from audit.facts import Refused, check
from audit.facts.annotated_fields import fields, marked
from audit.facts.identifiers import NAME_BYTES, accepted_form
from audit.facts.kinds import HOUSE_KINDS, KINDS
from audit.findings import examine as findings
from audit.ledger import intake
from audit.ledger.intake import Sender
from games.kit.fields import CLOSED, IDENTIFIER
from tests.audit.floor import line
from tests.audit.test_facts import prepare, refused
from tests.audit.test_facts_canonical import GOLDEN

FACTS: dict[str, dict[str, Any]] = {golden["kind"]: json.loads(golden["body"]) for golden in GOLDEN}
HASHES = ("title", "about", "file", "name", "description", "reason", "photo", "note")
NO_NAMES = {
    "due",
    "to",
    "begins",
    "erased",
    "media_type",
    *(f"{name}_sha256" for name in HASHES),
    "uid",
    "table",
    "day",
    "kind",
    "at",
    "seen",
    "game",
    "edition",
    "pay_tables",
    "chips",
    "notes",
    "of_table",
    "of_day",
    "finding",
    "reason",
    "text",
    "says",
    "why",
    "about",
    "value",
    "owed",
    "video",
    "gained",
    "lost",
    "query",
    "limits",
    "readings",
    "sees",
    "raw_text",
    "contradicts",
    "place",
    "disposition",
    "where",
    "still_open",
    "began",
    "ends",
    "until",
}
"""Fields of text that are not names. Their length has another limit, or only the limit of the whole fact.
Words of closed lists are always short.
"""
DATES = {
    ("case-subject-set", "from"),
    ("register-set", "from"),
    ("hand-snoozed", "until"),
    ("alert-rule-set", "quiet_from"),
    ("alert-rule-set", "quiet_to"),
    ("webhook-set", "url"),
}


def longest(name: str, bytes_: int = NAME_BYTES) -> str:
    """Return a name of this number of bytes that cannot be compressed. The same argument gives the
    same name.
    """
    letters = [chr(letter) for letter in Random(name).choices(range(0x20000, 0x2A000), k=bytes_ // 4)]
    return "".join(letters) + "x" * (bytes_ % 4)


def with_long_names(value: Any, long: Any) -> Any:
    """Return a value with `long` applied to every name in it."""
    if isinstance(value, str):
        return long(value)
    if isinstance(value, list):
        return [with_long_names(member, long) for member in value]
    return {long(key): member for key, member in value.items()} if isinstance(value, dict) else value


def name_fields(fact: dict[str, Any]) -> Iterator[str]:
    """Yield the fields of a fact that hold a name."""
    words = {name for name, _ in fields(KINDS[fact["kind"]], CLOSED)}
    for field, value in fact.items():
        if (
            field not in NO_NAMES | words
            and (fact["kind"], field) not in DATES
            and isinstance(value, str | list | dict)
            and value
        ):
            yield field


@pytest.mark.parametrize("kind", FACTS)
def test_a_name_that_is_too_long_for_a_key_is_refused_and_its_field_is_named(kind: str) -> None:
    fact = FACTS[kind]
    for field in name_fields(fact):
        for bytes_, is_refused in ((NAME_BYTES, False), (NAME_BYTES + 1, True)):
            sent = fact | {
                field: with_long_names(fact[field], lambda name, bytes_=bytes_: longest(name, bytes_))
            }
            if sent == fact:
                continue  # this field has only numbers
            if is_refused:
                code, path = refused(sent)
                assert (code, (path or "").partition("[")[0].partition(".")[0]) == ("name-too-long", field)
            else:
                prepare(sent)


def test_free_text_may_fill_its_line_and_quotes_hide_no_name() -> None:
    words = 'said "' + "so" * 5000 + '"'
    for kind, field in (
        ("void", "reason"),
        ("flagged", "why"),
        ("log-written", "about"),
        ("verdict-given", "says"),
        ("view-saved", "query"),
        ("alarm", "text"),
    ):
        prepare(FACTS[kind] | {field: words})
    assert refused(FACTS["bet"] | {"wager": '"so"' * 51}) == ("name-too-long", "wager")
    assert refused(FACTS["flagged"] | {"of_table": longest("T", 805)}) == ("name-too-long", "of_table")
    assert refused(FACTS["verdict-given"] | {"finding": longest("f", 601)}) == ("name-too-long", "finding")


def test_a_day_with_the_longest_names_is_examined_to_its_end(house: Any) -> None:
    property, table = longest("aurora", 400), longest("T", 400)
    sent = []
    for kind, fact in sorted(
        FACTS.items(), key=lambda item: item[0] == "day-closed"
    ):  # no fact may follow the close
        long = {field: with_long_names(fact[field], longest) for field in name_fields(fact)}
        of = {"table": f"{property}/{'house' if kind in HOUSE_KINDS else table}"}
        sent.append(
            line(fact | long | of | ({"of_table": f"{property}/{table}"} if "of_table" in fact else {}))
        )
    intake.post(sent, Sender("test"))
    examined = findings.examine()
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM stream s JOIN examination x ON x.stream = s.name AND x.cursor = s.number"
        )
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


SPELLINGS = {
    "a space behind": lambda name: f"{name} ",
    "a space in front": lambda name: f" {name}",
    "a no-break space behind": lambda name: f"{name}\u00a0",
    "a zero-width space": lambda name: f"{name[:1]}\u200b{name[1:]}",
    "a right-to-left override": lambda name: f"\u202e{name}",
    "a control character": lambda name: f"{name}\x1b",
    "a deletion": lambda name: f"{name}\x7f",
    "an end of line": lambda name: f"{name}\n",
}
OTHER_TEXTS = {
    "cause",
    "explanation",
    "concerns",
    "status",
    "outcome",
    "measure",
    "role",
    "erased",
    "media_type",
    "parts.what",
    "title_sha256",
    "about_sha256",
    "file_sha256",
    "name_sha256",
    "description_sha256",
    "reason_sha256",
    "photo_sha256",
    "heads",
    "heads.*.chain",
    "logs",
    "logs.*.sha256",
    "name",
    "query",
    "key_id",
    "uid",
    "game",
    "edition",
    "pay_tables",
    "readings",
    "sees",
    "currency",
    "reason",
    "text",
    "pays",
    "ranks",
    "what",
    "value",
    "side",
    "choice",
    "card",
    "tender",
    "verdict",
    "disposition",
    "register",
    "finding",
    "gained",
    "lost",
    "code",
    "says",
    "owed",
    "moved",
    "note_sha256",
    "words_sha256",
    "why",
    "about",
    "rules",
    "chips",
    "notes",
    "papers",
    "video.from",
    "video.to",
    "raw_text",
    "contradicts",
    "declared_cards.*",
    "pay_tables.*",
    "readings.*",
    "on",
    "grades",
    "roles",
    "quiet_from",
    "quiet_to",
    "url",
    "events",
    "place",
    "where",
    "sha256",
    "still_open.hands",
}
"""Paths of texts that are not compared as identifiers: words of closed lists, free text, cards, hashes, and
texts written by replay.
"""


def texts(type_: inspect.Type, path: str) -> Iterator[tuple[str, bool]]:
    """Yield the path of every text field inside a type, and True if the field is marked as an identifier."""
    if isinstance(type_, inspect.Metadata) and (type_.extra or {}).get(IDENTIFIER):
        yield path, True
    elif isinstance(type_, inspect.StrType):
        yield path, False
    elif isinstance(type_, inspect.StructType):
        for field in type_.fields:
            yield from texts(field.type, f"{path}.{field.encode_name}".strip("."))
    else:
        inner = [getattr(type_, name) for name in ("type", "item_type", "key_type") if hasattr(type_, name)]
        for inner_type in (*inner, *getattr(type_, "types", ()), *getattr(type_, "item_types", ())):
            yield from texts(inner_type, path)
        if isinstance(type_, inspect.DictType):
            yield from texts(type_.value_type, f"{path}.*")


@pytest.mark.parametrize("kind", KINDS)
def test_every_text_of_a_kind_is_an_identifier_or_on_the_list_of_other_texts(kind: str) -> None:
    for path, is_identifier in texts(inspect.type_info(KINDS[kind]), ""):
        assert is_identifier != (path in OTHER_TEXTS), (
            f"{kind}.{path}: give it a type of games/kit/fields.py, or add it to OTHER_TEXTS"
        )


def spelled(value: Any, text: str, other: str) -> Any:
    """Return the value with every occurrence of `text`, also in lists and keys, replaced by `other`."""
    if isinstance(value, dict):
        return {spelled(key, text, other): spelled(member, text, other) for key, member in value.items()}
    if isinstance(value, list):
        return [spelled(member, text, other) for member in value]
    return other if value == text else value


@pytest.mark.parametrize("kind", FACTS)
def test_an_identifier_in_another_spelling_is_refused_with_the_form_that_is_accepted(kind: str) -> None:
    names = list(marked(KINDS[kind], IDENTIFIER, FACTS[kind]))
    assert {"table", "source"} <= {name.path for name in names}
    for name in names:
        field = name.path.partition(".")[0].partition("[")[0]
        for spelling, spell in SPELLINGS.items():
            sent = FACTS[kind] | {field: spelled(FACTS[kind][field], name.text, spell(name.text))}
            with pytest.raises(Refused) as caught:
                check(line(sent))
            assert caught.value.code == "not-one-name", (name.path, spelling)
            assert caught.value.field == (
                name.path.replace(name.text, spell(name.text)) if isinstance(sent[field], dict) else name.path
            )
            assert f"its accepted form, which is {name.text!r}" in caught.value.why, (name.path, spelling)


def test_composed_and_decomposed_are_one_name() -> None:
    prepare(FACTS["dealer-seated"] | {"dealer": "José"})
    with pytest.raises(
        Refused,
        match=(r"dealer: 'Jose\\u0301' is not in its accepted form, which is 'Jos\\xe9' \(José\)"),
    ):
        check(line(FACTS["dealer-seated"] | {"dealer": "Jose\u0301"}))
    assert refused(FACTS["bets"] | {"bets": [["p-1", "andar", 5], ["p-1 ", "andar", 5]]}) == (
        "not-one-name",
        "bets[1][0]",
    )
    assert refused(FACTS["drop-counted"] | {"team": ["k-1", "k-1\u200d"]}) == ("not-one-name", "team[1]")


def test_register_identifiers_have_one_spelling_and_an_odd_key_can_be_removed() -> None:
    entry = FACTS["register-set"]
    cameras = entry | {"register": "cameras", "key": "cam-1", "value": {"tables": ["EOU-01", "EOU-02 "]}}
    assert refused(cameras) == ("not-one-name", "value.tables[1]")
    assert refused(entry | {"key": "S-1 "}) == ("not-one-name", "key")
    prepare(entry | {"key": "S-1 ", "value": None})


def test_free_words_and_unknown_fields_may_be_spelled_in_any_way() -> None:
    for kind, field in (
        ("void", "reason"),
        ("flagged", "why"),
        ("log-written", "about"),
        ("verdict-given", "says"),
        ("view-saved", "query"),
        ("alarm", "text"),
    ):
        prepare(FACTS[kind] | {field: " a\u200bb\n", "seen": {" x ": "\u202e "}})


def test_a_table_in_another_spelling_is_refused_with_the_accepted_form() -> None:
    for table in (" aurora/EOU-01", "aurora/EOU-01\n", "aurora /EOU-01", "aurora/\u2067EOU-01"):
        with pytest.raises(Refused, match="its accepted form, which is 'aurora/EOU-01'"):
            check(line(FACTS["bet"] | {"table": table}))
    assert refused(FACTS["flagged"] | {"of_table": "aurora / EOU-01"}) == ("not-one-name", "of_table")

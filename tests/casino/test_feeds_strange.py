"""Any number, text or JSON structure in a feed file is recorded, or refused with its line and field. The
command never crashes.
"""

from __future__ import annotations

import json
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from audit.facts.clock import zone_named
from casino.importing import Fact, ImportOptions, Note, Refusal, profiles
from casino.importing.clock import parse_timestamp
from tests.casino.feeding import (
    CAPTURE,
    FEEDS,
    LIVE,
    MESSAGES,
    card,
    counted,
    facts_of,
    message,
    run,
    write_lines,
)
from tests.casino.test_soft_count import ASKED
from tests.counts import LONG

HUGE = "1e9999999999999999999"
SURROGATE, NUL = "\\ud800", "\\u0000"


def with_raw_text(line: dict[str, Any], raw: str) -> str:
    """Return the line as JSON, with the text `raw` in place of the string "HERE"."""
    return json.dumps(line).replace('"HERE"', raw)


FIELDS = (
    "CardName",
    "CardValue",
    "roundId",
    "timeStamp",
    "TableId",
    "gameType",
    "MessageType",
    "CardHand",
    "Other",
)


@pytest.mark.parametrize(
    "raw",
    [
        HUGE,
        "-" + HUGE,
        "1E-9999999999999999999",
        "9" * 5000,
        f'"{SURROGATE}"',
        f'"a{NUL}b"',
        "NaN",
        "[" * 3000,
    ],
)
def test_a_message_with_an_unstorable_value_is_refused_with_line_and_field(house, tmp_path, raw):
    strange = [with_raw_text(card("Bahar", "6d") | {field: "HERE"}, raw) for field in FIELDS]
    ran = run(
        "import_facts",
        *LIVE,
        write_lines(tmp_path / "feed.jsonl", card("Joker", "9d"), *strange, card("Andar", "Td")),
    )
    assert (ran.code, counted(ran)) == (1, (4, 0, len(FIELDS)))
    for line, field in enumerate(FIELDS, 2):
        named = "" if raw[0] in "N[" else f"{field}: "
        assert f"feed.jsonl line {line}: {named}" in ran.out


@pytest.mark.parametrize("name", [SURROGATE, NUL, "a" + SURROGATE])
def test_a_name_of_a_field_that_cannot_be_recorded_is_refused(house, tmp_path, name):
    strange = json.dumps(card("Bahar", "6d") | {"HERE": 1}).replace("HERE", name)
    ran = run("import_facts", *LIVE, write_lines(tmp_path / "feed.jsonl", card("Joker", "9d"), strange))
    assert (ran.code, counted(ran)) == (1, (3, 0, 1))
    assert "feed.jsonl line 2: " in ran.err


@pytest.mark.parametrize("raw", [HUGE, f'"{SURROGATE}"', f'"{NUL}"', "NaN", "-Infinity", "9" * 5000])
@pytest.mark.parametrize(
    "path",
    [
        ("rounds", 1, "joker"),
        ("rounds", 1, "bahar"),
        ("settlement_round_1884924689", "won_bets", "BaharBet"),
        ("note",),
    ],
)
def test_a_capture_with_an_unstorable_value_stops_at_its_line(house, tmp_path, path, raw):
    capture = json.loads(CAPTURE.read_text())
    inside: Any = capture
    for step in path[:-1]:
        inside = inside[step]
    inside[path[-1]] = "HERE"
    file = tmp_path / "capture.json"
    file.write_text(json.dumps(capture, indent=1).replace('"HERE"', raw))
    ran = run("import_facts", *LIVE, file)
    assert ran.code == 1
    assert "the capture ends too early here: " in ran.err
    assert "capture.json line " in ran.err


@pytest.mark.parametrize("raw", [HUGE, "1e5", f'"{SURROGATE}"', f'"{NUL}"', "9" * 5000])
def test_a_fact_with_an_unstorable_value_is_refused_with_its_line(house, tmp_path, raw):
    run("import_facts", *LIVE, MESSAGES)
    fact = facts_of("aurora/228000/2030-01-05")[1]
    for field in ("uid", "table", "day", "kind", "at", "source", "shoe", "decks", "n", "other"):
        ran = run(
            "import_facts", write_lines(tmp_path / "facts.ndjson", with_raw_text(fact | {field: "HERE"}, raw))
        )
        assert (ran.code, counted(ran)) == (1, (0, 0, 1)), (field, ran.err)
        assert "facts.ndjson line 1: " in ran.err


@pytest.mark.parametrize(
    ("at", "message"),
    [
        ("2030-01-05 22:00:00+14:01", "has the offset +14:01, which no time zone has"),
        ("2030-01-05 22:00:00-1500", "has the offset -1500, which no time zone has"),
        ("2030-01-05 22:00:00+05:60", "has the offset +05:60, which no time zone has"),
        ("0001-01-01 00:00:00", "the year is 1900 to 9998"),
        ("9999-12-31 23:59:59Z", "the year is 1900 to 9998"),
        ("2030-02-30 22:00:00", "not a time"),
        ("2030-01-05 22:00:60", "a leap second is only possible at the end of a day in UTC"),
        ("2030-01-05 23:59:61Z", "not a time"),
        ("2030-01-05 22:00:00 +00:00 ", None),
        ("2030-01-05T22:00:00.9999999999Z", None),
    ],
)
def test_a_time_needs_a_valid_offset_and_year(at, message):
    if message is None:
        assert parse_timestamp(at, None).second == 0
    else:
        with pytest.raises(ValueError, match=message.replace("+", r"\+")):
            parse_timestamp(at, zone_named("Asia/Tokyo"))


def test_a_leap_second_is_recorded_as_the_microsecond_before_and_the_import_says_so(house, tmp_path):
    notes: list[str] = []
    at = parse_timestamp("2017-01-01 08:59:60:25", zone_named("Asia/Tokyo"), notes)
    assert (at.second, at.microsecond, len(notes)) == (59, 999_999, 1)
    lines = [message("SHUFFLE", at="2030-01-05 23:59:60Z"), card("Joker", "9d", at="2030-01-06T00:00:05Z")]
    ran = run("import_facts", *LIVE, write_lines(tmp_path / "feed.jsonl", *lines))
    assert counted(ran) == (4, 0, 0)
    assert "2030-01-05 23:59:60Z is a leap second. It is recorded as 2030-01-05T23:59:59.999999" in ran.out
    fact = facts_of("aurora/228000/2030-01-06")[1] | {"at": "2030-01-05T23:59:60Z", "uid": str(uuid4())}
    ran = run("import_facts", write_lines(tmp_path / "facts.ndjson", json.dumps(fact)))
    assert "line 1: at: 2030-01-05T23:59:60Z is a leap second." in ran.out


def test_a_moment_before_the_day_begins_belongs_to_the_day_before(house, tmp_path):
    register = tmp_path / "register.json"
    register.write_text(json.dumps({"property": "aurora", "day-begins": {"time": "06:00", "zone": "UTC"}}))
    run("load_register", register, "--second", "m-2")
    lines = [
        message("SHUFFLE", at="2030-01-06 05:59:59.9999999"),
        card("Joker", "9d", at="2030-01-06T05:59:59.99999999999Z"),
    ]
    assert counted(run("import_facts", *LIVE, write_lines(tmp_path / "feed.jsonl", *lines))) == (4, 0, 0)
    assert len(facts_of("aurora/228000/2030-01-05")) == 4


@pytest.mark.parametrize(
    "zone",
    ["localtime", "posixrules", "right/Europe/Vienna", "Factory", "", "europe/vienna", "../UTC", "UTC\0"],
)
def test_a_zone_is_of_the_iana_list(house, zone):
    ran = run("import_facts", *LIVE[:4], "--zone", zone, *LIVE[6:], MESSAGES)
    assert ran.code == 2
    assert "not a time zone of the IANA list" in ran.err


TEXTS = st.text(st.characters(), max_size=8)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | TEXTS
    | st.sampled_from([HUGE, "2030-01-05 22:00:00:000", "6d", 10**400]),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(TEXTS, inside, max_size=3),
    max_leaves=6,
)
EXAMPLES = settings(
    max_examples=150 if LONG else 50,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


def items_of(profile: str, path: Any, options: ImportOptions) -> None:
    with path.open("rb") as file:
        for item in profiles.profile(profile).read(file, options):
            assert isinstance(item, Fact | Refusal | Note)


@given(
    st.sampled_from(MESSAGES.read_text().splitlines()),
    st.sampled_from(["", "GameResults", "WinningBets"]),
    TEXTS,
    VALUES,
)
@EXAMPLES
def test_any_value_in_a_message_is_recorded_or_refused(house, tmp_path, line, inside, name, value):
    sent = json.loads(line)
    target = sent.get(inside) or sent
    for key in (name, *target)[:3]:
        target[key] = value
    path = write_lines(tmp_path / "feed.jsonl", sent)
    items_of(
        "live_andar_bahar", path, ImportOptions("aurora", "aurora/228000", zone_named("UTC"), "ezugi", "USD")
    )


@given(
    st.sampled_from(
        ["rounds", "vendor_rules_2023", "settlement_round_1884924689", "message_flow_round_1884894560"]
    ),
    st.data(),
)
@EXAMPLES
def test_any_value_in_a_capture_is_recorded_or_refused(house, tmp_path, member, data):
    capture = json.loads(CAPTURE.read_text())
    inside: Any = capture[member][0] if isinstance(capture[member], list) else capture[member]
    inside[data.draw(st.sampled_from(sorted(inside)) | TEXTS)] = data.draw(VALUES)
    if data.draw(st.booleans()):
        capture[member] = data.draw(VALUES)
    path = tmp_path / "capture.json"
    path.write_text(json.dumps(capture))
    items_of(
        "live_andar_bahar", path, ImportOptions("aurora", "aurora/228000", zone_named("UTC"), "ezugi", "USD")
    )


@given(st.integers(0, 10), TEXTS)
@EXAMPLES
def test_any_cell_of_a_count_is_recorded_or_refused(house, tmp_path, column, text):
    head, line, *_ = (FEEDS / "soft_count.csv").read_text().splitlines()
    cells = line.split(",")
    cells[column] = text
    path = tmp_path / "count.csv"
    path.write_bytes(f"{head}\n{','.join(cells)}\n".encode(errors="surrogatepass"))
    items_of("soft_count", path, ImportOptions("aurora", None, zone_named("UTC")))
    assert run("import_facts", *ASKED, path).code in (0, 1)


@pytest.mark.parametrize("raw", [HUGE, "9" * 5000, f'"{SURROGATE}"', f'"{NUL}"', "NaN", "[" * 100, "true"])
def test_any_value_of_a_register_file_is_recorded_or_refused(house, tmp_path, raw):
    day_begins = {"time": "06:00", "zone": "UTC"}
    for document in (
        {"property": "HERE"},
        {"property": "aurora", "dealers": ["HERE"]},
        {"property": "aurora", "people": {"d-1": "HERE"}},
        {"property": "aurora", "day-begins": day_begins | {"zone": "HERE"}},
        {"property": "aurora", "day-begins": day_begins | {"time": "HERE"}},
        {"property": "aurora", "thresholds": {"x": {"amount": "HERE"}}},
        {"property": "aurora", "tables": {"T1": "HERE"}},
        {"property": "aurora", "strange": "HERE"},
    ):
        path = tmp_path / "register.json"
        path.write_text(with_raw_text(document, raw))
        ran = run("load_register", path, "--by", "m-1", "--second", "m-2")
        assert ran.code in (0, 1, 2)
        if ran.code:
            assert len(ran.err.splitlines()) == 1

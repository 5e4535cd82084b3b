"""Imports of a vendor's feed: valid messages become facts, the others are refused with their line number, and
no value is guessed.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest

from audit.findings import read
from casino.importing import profiles
from casino.importing.clock import parse_timestamp
from casino.importing.spelling import minor_units, parse_card
from casino.reference.derived_uid import uid_of
from tests.casino.feeding import (
    CAPTURE,
    LIVE,
    MESSAGES,
    card,
    codes,
    counted,
    facts_of,
    message,
    run,
    write_lines,
)

DAY = "aurora/228000/2023-03-27"
OWN_DAY = "aurora/228000/2030-01-05"


def kinds(stream: str) -> list[str]:
    return [fact["kind"] for fact in facts_of(stream)]


def test_a_profile_is_a_file_and_no_list_names_it():
    assert profiles.names() == ["live_andar_bahar", "ndjson", "soft_count"]
    with pytest.raises(LookupError):
        profiles.profile("telepathy")


def test_the_captured_rounds_are_dealt_and_paid_by_their_rules(house):
    ran = run("import_facts", *LIVE, CAPTURE)
    assert (ran.code, counted(ran)) == (0, (49, 0, 0))
    facts = facts_of(DAY)
    for round, cards in (("1884894560", 29), ("1884924689", 9)):
        dealt = [fact for fact in facts if fact.get("round") == round and fact["kind"] == "deal"]
        assert (dealt[0]["to"], len(dealt) - 1, dealt[-1]["to"]) == ("joker", cards, "bahar")
        assert dealt[-1]["card"][0] == dealt[0]["card"][0]
    assert [(f["spot"], f["wager"], f["amount"]) for f in facts if f["kind"] in ("bet", "pay")] == [
        ("p-viewer", "bahar", 100),
        ("p-viewer", "bahar", 90),
    ]
    assert facts[0]["sees"] == [
        "announce",
        "bet",
        "deal",
        "pay",
        "round-closed",
        "round-opened",
        "table-opened",
    ]
    assert codes() == []


def test_by_the_other_edition_each_captured_round_was_dealt_in_the_wrong_order(house):
    ran = run("import_facts", *LIVE[:-1], "ezugi", CAPTURE)
    assert ran.code == 1
    assert len(ran.err.splitlines()) == 1
    codes_by_round = {
        (finding["round"], finding["code"])
        for finding in map(json.loads, run("findings", "--format", "ndjson").out.splitlines())
    }
    assert {("1884894560", "wrong-deal-order"), ("1884924689", "wrong-deal-order")} <= codes_by_round


def test_the_same_feed_twice_records_nothing_new(house):
    for file in (CAPTURE, MESSAGES):
        first, second = (counted(run("import_facts", *LIVE, file)) for _ in range(2))
        assert second == (0, first[0], 0)


def test_messages_become_a_round_and_ignored_messages_are_reported(house):
    ran = run("import_facts", *LIVE, MESSAGES)
    assert (ran.code, counted(ran)) == (0, (10, 0, 0))
    assert kinds(OWN_DAY) == [
        "table-opened",
        "shuffled",
        "round-opened",
        "deal",
        "no-more-bets",
        "deal",
        "deal",
        "deal",
        "announce",
        "round-closed",
    ]
    assert ran.out.startswith("1 WonBets messages are not recorded: no message gives the stakes")
    assert codes() == []


def test_a_table_is_opened_once_with_any_files_of_its_day(house, tmp_path):
    lines = MESSAGES.read_text().splitlines()
    later = [line.replace("9000001", "9000002").replace(" 22:0", " 23:0") for line in lines]
    start = write_lines(tmp_path / "start.jsonl", *lines[:5])
    assert counted(run("import_facts", *LIVE, start)) == (6, 0, 0)
    assert counted(run("import_facts", *LIVE, write_lines(tmp_path / "rest.jsonl", *lines))) == (4, 6, 0)
    whole_file = write_lines(tmp_path / "whole.jsonl", *lines, *later)
    assert counted(run("import_facts", *LIVE, whole_file)) == (9, 10, 0)
    for file in (whole_file, start):
        assert counted(run("import_facts", *LIVE, file))[::2] == (0, 0)
    assert kinds(OWN_DAY).count("table-opened") == 1
    assert codes() == []


def test_a_source_that_reports_more_kinds_reopens_the_table_between_rounds(house, tmp_path):
    own = message("SHUFFLE", 9, at="2023-03-27 09:00:00:000")
    run("import_facts", *LIVE, write_lines(tmp_path / "first.jsonl", own))
    run("import_facts", *LIVE, CAPTURE)
    opened = [fact["sees"] for fact in facts_of(DAY) if fact["kind"] == "table-opened"]
    assert len(opened) == 2
    assert "shuffled" in opened[0]
    assert "bet" not in opened[0]
    assert set(opened[1]) == {*opened[0], "bet", "pay"}


@pytest.mark.parametrize(
    ("left_out", "code"),
    [("SHUFFLE", "not-shuffled"), ("NO_MORE_BETS", "bets-not-closed"), ("GAME_RESULT", None)],
)
def test_a_reported_kind_that_a_feed_never_sends_is_found_as_missing(house, tmp_path, left_out, code):
    lines = [line for line in MESSAGES.read_text().splitlines() if left_out not in line]
    run("import_facts", *LIVE, write_lines(tmp_path / "feed.jsonl", *lines))
    assert facts_of(OWN_DAY)[0]["sees"] == [
        "announce",
        "deal",
        "no-more-bets",
        "round-closed",
        "round-opened",
        "shuffled",
        "table-opened",
    ]
    assert codes() == ([code] if code else [])


def test_a_round_that_breaks_off_stays_open_until_the_next(house, tmp_path):
    lines = MESSAGES.read_text().splitlines()
    later = [line.replace("9000001", "9000002").replace(" 22:0", " 23:0") for line in lines]
    ran = run("import_facts", *LIVE, write_lines(tmp_path / "cut.jsonl", *lines[:6], *later))
    assert (ran.code, counted(ran)[2]) == (1, 0)
    assert "round-left-open" in codes()
    assert kinds(OWN_DAY).count("round-closed") == 1


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"MessageType": "Card", "CardHa', "is the line cut off?"),
        (message("JACKPOT"), "unknown MessageType 'JACKPOT'"),
        (card("Middle", "9d"), "unknown CardHand 'Middle'"),
        (message("Card", CardHand="Andar"), "CardName is missing"),
        ({"MessageType": "SHUFFLE", "roundId": 7}, "timeStamp is missing"),
        (message("GAME_RESULT", GameResults={"WinningHand": "Tie"}), "unknown WinningHand 'Tie'"),
        (
            message("GAME_RESULT", GameResults={"RoundId": 8, "WinningHand": "Andar"}),
            "not the result of this round",
        ),
        (message("SHUFFLE", TableId="9"), "TableId is '9'"),
        (message("SHUFFLE", gameType="Roulette"), "gameType is 'Roulette'"),
        (message("SHUFFLE", at="yesterday"), "not a time"),
        ("[1]", "not a complete JSON object"),
        ("\x00\xff", "not a complete JSON object"),
    ],
)
def test_an_invalid_message_is_refused_with_its_line_and_the_others_are_recorded(
    house, tmp_path, line, message
):
    ran = run(
        "import_facts",
        *LIVE,
        write_lines(tmp_path / "feed.jsonl", card("Joker", "9d"), line, card("Bahar", "Td")),
    )
    assert (ran.code, counted(ran)) == (1, (4, 0, 1))
    assert len(ran.err.splitlines()) == 1
    assert "feed.jsonl line 2: " in ran.err
    assert message in ran.err
    assert kinds(OWN_DAY) == ["table-opened", "round-opened", "deal", "deal"]


def test_an_unreadable_card_is_recorded_as_unread_with_the_sent_text(house, tmp_path):
    cards = [card("Joker", "AH"), card("Bahar", "AHH"), card("Andar", None, at="2030-01-05 22:00:01:000")]
    run(
        "import_facts",
        *LIVE,
        write_lines(
            tmp_path / "feed.jsonl", message("SHUFFLE"), cards[0], message("NO_MORE_BETS"), *cards[1:]
        ),
    )
    dealt = [fact for fact in facts_of(OWN_DAY) if fact["kind"] == "deal"]
    assert [(fact["card"], fact.get("raw_text")) for fact in dealt] == [
        ("Ah", None),
        (None, "AHH"),
        (None, None),
    ]
    assert [(finding.code, finding.says) for finding, _ in read.findings()] == [
        ("card-not-read", "The feed sent AHH, which is not a card, for the card dealt to bahar."),
        ("card-not-read", "The card dealt to andar could not be read."),
    ]


def test_without_a_zone_every_message_is_refused(house):
    ran = run("import_facts", *LIVE[:4], *LIVE[6:], MESSAGES)
    assert (ran.code, counted(ran)) == (1, (0, 0, 9))
    assert "line 1: '2030-01-05 22:00:00:000' has no time zone: give --zone" in ran.err


@pytest.mark.parametrize(
    ("at", "message"),
    [("2026-03-29 02:30:00:000", "does not exist"), ("2026-10-25 02:30:00:000", "happened twice")],
)
def test_a_local_time_that_never_comes_or_comes_twice_is_refused(at, message):
    with pytest.raises(ValueError, match=message):
        parse_timestamp(at, ZoneInfo("Europe/Vienna"))


@pytest.mark.parametrize(
    ("at", "utc"),
    [
        ("2026-03-29 01:59:59:999", "2026-03-29T00:59:59.999+00:00"),
        ("2026-03-29 03:00:00:000", "2026-03-29T01:00:00.000+00:00"),
        ("2026-10-25 03:00:00.5", "2026-10-25T02:00:00.500+00:00"),
        ("2026-10-25T02:30:00+02:00", "2026-10-25T00:30:00.000+00:00"),
        ("2026-10-25T02:30:00Z", "2026-10-25T02:30:00.000+00:00"),
    ],
)
def test_every_other_local_time_is_one_instant(at, utc):
    assert (
        parse_timestamp(at, ZoneInfo("Europe/Vienna")).astimezone(UTC).isoformat(timespec="milliseconds")
        == utc
    )


@pytest.mark.parametrize(
    ("spelled", "card"),
    [
        *(("KD", "Kd"), ("9d", "9d"), ("10H", "Th"), ("Td", "Td"), ("as", "As")),
        *((bad, None) for bad in ("??", "", "1s", "KDD", "D", None, 7, "Kx")),
    ],
)
def test_a_card_is_read_as_vendors_spell_it_or_not_at_all(spelled, card):
    assert parse_card(spelled) == card


def test_amounts_are_exact_to_the_minor_unit_or_refused():
    amounts = {"1.9": 190, "6.10": 610, "1E+2": 10000, "-0.01": -1, "100000000000.01": 10**13 + 1}
    assert {text: minor_units(Decimal(text), "USD") for text in amounts} == amounts
    assert (minor_units(5, "JPY"), minor_units(Decimal("0.001"), "KWD")) == (5, 1)
    for bad in (
        *map(Decimal, ("2.307452283", "NaN", "Infinity", "1E+999999", "1E-999999")),
        True,
        "1",
        10**16,
    ):
        with pytest.raises(ValueError):
            minor_units(bad, "USD")


def test_a_uid_is_time_ordered_and_the_same_for_the_same_message():
    at = datetime(2030, 1, 5, 22, tzinfo=UTC)
    uid = UUID(uid_of(at, "aurora/1", {"b": 1, "a": 2}))
    assert (uid.version, uid.variant, uid.int >> 80) == (
        7,
        "specified in RFC 4122",
        int(at.timestamp() * 1000),
    )
    assert str(uid) == uid_of(at, "aurora/1", {"a": 2, "b": 1}) != uid_of(at, "aurora/2", {"a": 2, "b": 1})


def change(tmp_path: Path, **changes: Any) -> Path:
    """Write a copy of the capture in which the second round has these fields. A field with the value None is
    removed.
    """
    capture = json.loads(CAPTURE.read_text(), parse_float=str)
    capture["settlement_round_1884924689"] |= {"won_bets": {"BaharBet": 2}}
    capture["rounds"][1] = {
        name: value for name, value in (capture["rounds"][1] | changes).items() if value is not None
    }
    path = tmp_path / "capture.json"
    path.write_text(json.dumps(capture))
    return path


def test_a_captured_round_cut_off_in_the_middle_is_left_open(house, tmp_path):
    ran = run("import_facts", *LIVE, change(tmp_path, winner=None, bahar=["6D", "8H"], andar=["6C", "2H"]))
    assert counted(ran)[2] == 0
    assert kinds(DAY)[-5:] == ["deal", "deal", "deal", "deal", "pay"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"bahar": ["6D"]}, "do not alternate"),
        ({"joker": None}, "joker is missing"),
        ({"timeStamp": None}, "timeStamp is missing"),
        ({"winner": "Tie"}, "unknown winner 'Tie'"),
    ],
)
def test_an_invalid_captured_round_is_refused_and_the_other_is_recorded(house, tmp_path, changes, message):
    ran = run("import_facts", *LIVE, change(tmp_path, **changes))
    assert ran.code == 1
    assert message in ran.err
    assert kinds(DAY)[:33].count("deal") == 30


def test_half_a_capture_gives_its_complete_rounds(house, tmp_path):
    text = CAPTURE.read_text()
    half = tmp_path / "half.json"
    half.write_text(text[: text.index('"6C"')])
    ran = run("import_facts", *LIVE, half)
    assert (ran.code, counted(ran)) == (1, (34, 0, 1))
    assert "line 77: the capture ends too early here" in ran.err


def test_the_day_is_that_of_the_property_and_a_round_stays_in_its_day(house, tmp_path):
    register = tmp_path / "register.json"
    register.write_text(json.dumps({"property": "aurora", "day-begins": {"time": "06:00", "zone": "UTC"}}))
    run("load_register", register, "--second", "m-2")
    lines = [
        card("Joker", "9d", at="2030-01-06 05:59:59:000"),
        card("Bahar", "Td", at="2030-01-06 06:00:01:000"),
        message("SHUFFLE", 8, at="2030-01-06 05:59:30:000"),
        card("Joker", "2d", round=8, at="2030-01-06 06:00:02:000"),
    ]
    run("import_facts", *LIVE, write_lines(tmp_path / "feed.jsonl", *lines))
    assert kinds("aurora/228000/2030-01-05") == ["table-opened", "round-opened", "deal", "deal"]
    assert kinds("aurora/228000/2030-01-06") == ["table-opened", "shuffled", "round-opened", "deal"]
    assert "wrong-day" not in codes()


def test_a_stream_is_not_replayed_under_another_edition_afterwards(house):
    run("import_facts", *LIVE, CAPTURE)
    ran = run("import_facts", *LIVE[:-1], "ezugi", CAPTURE)
    assert (ran.code, len(facts_of(DAY))) == (1, 49)
    assert "was opened with edition ezugi-bahar-first" in ran.err
    assert run("import_facts", *LIVE[:-2], CAPTURE).code == 0


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("--profile", "live_andar_bahar"), "needs --table"),
        (("--profile", "live_andar_bahar", "--table", "228000"), "write --table PROPERTY/228000"),
        (
            ("--profile", "live_andar_bahar", "--table", "a/1", "--property", "b"),
            "does not belong to --property b",
        ),
        (
            ("--profile", "live_andar_bahar", "--table", "a/1", "--zone", "Mars/Base"),
            "not a time zone of the IANA list",
        ),
        (("--profile", "live_andar_bahar", "--table", "a/1", "--zone", "UTC"), "give --edition"),
        (("--profile", "telepathy"), "Available: live_andar_bahar, ndjson"),
    ],
)
def test_invalid_import_options_exit_2(house, args, message):
    ran = run("import_facts", *args, CAPTURE)
    assert ran.code == 2
    assert message in ran.err


def test_messages_for_a_closed_day_are_refused_and_other_days_are_recorded(house, tmp_path):
    run("import_facts", *LIVE, MESSAGES)
    sealed = facts_of(OWN_DAY)[0] | {
        "uid": "018722cb-6aee-728a-ac2f-000000000001",
        "kind": "day-closed",
        "by": "m-1",
    }
    run("import_facts", write_lines(tmp_path / "close.ndjson", sealed))
    late = [
        card("Joker", "2d", round=8),
        card("Bahar", "3d", round=8),
        card("Joker", "2d", round=9, at="2030-01-07 22:00:00:000"),
    ]
    ran = run("import_facts", *LIVE, write_lines(tmp_path / "late.jsonl", *late))
    assert (ran.code, counted(ran)[::2]) == (1, (3, 2))
    assert "late.jsonl line 1: day: aurora/228000/2030-01-05 is sealed by its day-closed" in ran.err
    assert kinds("aurora/228000/2030-01-07") == ["table-opened", "round-opened", "deal"]

"""Validation refuses facts beyond each limit and accepts all others. Values one below, at and above each
limit are tried.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from audit.facts import DEPTH, LIMIT, LINE_BYTES, WINDOW_BYTES, Prepared, Refused, check
from tests.audit.floor import OPENING, fact, line, opened


def refused(sent: dict[str, Any] | bytes) -> tuple[str, str | None]:
    """Return the code and the field with which validation refuses a fact."""
    with pytest.raises(Refused) as caught:
        check(sent if isinstance(sent, bytes) else line(sent))
    assert caught.value.why
    if isinstance(sent, dict) and isinstance(sent.get("uid"), str):
        assert caught.value.uid == sent["uid"], "the answer says which fact"
    return caught.value.code, caught.value.field


def prepare(sent: dict[str, Any] | bytes) -> Prepared:
    return check(sent if isinstance(sent, bytes) else line(sent))


def without(sent: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in sent.items() if key != name}


def nested(levels: int) -> Any:
    inside: Any = 1
    for level in range(levels):
        inside = [inside] if level % 2 else {"in": inside}
    return inside


def padded(sent: dict[str, Any], length: int) -> bytes:
    """Return the fact as a line of exactly this number of bytes."""
    bare = len(line(sent | {"note": ""}))
    return line(sent | {"note": "x" * (length - bare)})


def test_validation_returns_the_fields_that_the_ledger_needs() -> None:
    ready = prepare(fact(1, round="r-1", spot="1", wager="over", amount=500))
    assert (ready.property, ready.stream, ready.kind, ready.round) == (
        "aurora",
        "aurora/EOU-01/2026-11-27",
        "take",
        "r-1",
    )
    assert str(ready.uid) == fact(1)["uid"]


@pytest.mark.parametrize(
    "raw",
    [b"", b"  ", b"x", b"{", b"{'a':1}", b'{"a":1}{"a":2}', b'{"a":1,}', b"\xef\xbb\xbf{}", b'{"a":01}'],
)
def test_a_line_that_is_not_json_is_refused(raw: bytes) -> None:
    assert refused(raw)[0] == "not-json"


@pytest.mark.parametrize("raw", [b"[]", b"7", b"7.5", b'"take"', b"null", b"true"])
def test_json_that_is_not_an_object_is_refused(raw: bytes) -> None:
    assert refused(raw)[0] == "not-an-object"


@pytest.mark.parametrize("name", ["uid", "table", "day", "kind", "at", "source", "spot", "wager", "amount"])
def test_a_missing_field_is_refused_and_named(name: str) -> None:
    assert refused(without(fact(1), name)) == ("missing-field", name)


@pytest.mark.parametrize(
    "name", ["uid", "table", "day", "kind", "at", "source", "n", "round", "v", "spot", "wager", "amount"]
)
def test_a_mistyped_field_is_refused_and_named(name: str) -> None:
    assert refused(fact(1) | {name: ["x"]}) == ("mistyped", name)


@pytest.mark.parametrize("kind", ["round-opened", "round-closed"])
def test_a_round_is_opened_and_closed_by_its_name(kind: str) -> None:
    assert refused(fact(1, kind=kind)) == ("missing-field", "round")
    prepare(fact(1, kind=kind, round="r-1"))


def test_an_unknown_kind_is_refused() -> None:
    assert refused(fact(1, kind="tip")) == ("unknown-kind", "kind")


@pytest.mark.parametrize(
    "number", ["1.0", "0.5", "1e2", "1E2", "100e-2", "-0.0", "1e400", "12345678901234567890123.5"]
)
@pytest.mark.parametrize("field", ["amount", "note"])
def test_numbers_with_a_fraction_or_an_exponent_are_refused_everywhere(number: str, field: str) -> None:
    raw = line(fact(1) | {field: "HERE"}).replace(b'"HERE"', number.encode())
    assert refused(raw) == ("fraction", field)


def test_a_fraction_deep_in_an_unknown_field_is_named_by_its_path() -> None:
    assert refused(fact(1) | {"seen": {"odds": [1, {"to": 0.98}]}}) == ("fraction", "seen.odds[1].to")


@pytest.mark.parametrize("word", [b"NaN", b"Infinity", b"-Infinity", b"nan", b"1e999999"])
def test_not_a_number_and_infinity_are_refused(word: bytes) -> None:
    assert refused(line(fact(1) | {"note": "HERE"}).replace(b'"HERE"', word))[0] in {"not-json", "fraction"}


@pytest.mark.parametrize("amount", [1, 2, LIMIT - 1, LIMIT])
def test_an_amount_up_to_its_limit_is_accepted(amount: int) -> None:
    prepare(fact(1, spot="1", wager="over", amount=amount))


@pytest.mark.parametrize("amount", [0, -1, -5, LIMIT + 1, 2**63, 2**64, 10**40])
def test_an_amount_below_one_or_beyond_its_limit_is_refused(amount: int) -> None:
    assert refused(fact(1, spot="1", wager="over", amount=amount)) == ("out-of-range", "amount")


@pytest.mark.parametrize(("amount", "fits"), [(-1, False), (0, True), (LIMIT, True), (LIMIT + 1, False)])
def test_a_count_may_be_zero_but_not_negative(amount: int, fits: bool) -> None:
    counted = fact(1, kind="opener-counted", chips={"100": 1}, amount=amount, by="chi", second="boris")
    if fits:
        prepare(counted)
    else:
        assert refused(counted) == ("out-of-range", "amount")


@pytest.mark.parametrize(
    ("chips", "fits"),
    [({"100": 0}, True), ({"100": -1}, False), ({"x": 1}, False), ({"0": 1}, False), ({}, True)],
)
def test_chips_are_counted_by_denomination(chips: dict[str, int], fits: bool) -> None:
    counted = fact(1, kind="closer-counted", chips=chips, amount=0, by="chi", second="boris")
    if fits:
        prepare(counted)
    else:
        assert refused(counted)[0] in {"out-of-range", "mistyped"}


def correction(amount: int) -> dict[str, Any]:
    return fact(
        1,
        kind="corrected",
        round="r",
        spot="1",
        wager="over",
        amount=amount,
        reason="x",
        by="boris",
        second="dana",
    )


def adjustment(amount: int) -> dict[str, Any]:
    fields = {
        "of_table": "aurora/EOU-01",
        "of_day": "2026-11-26",
        "what": "drop",
        "reason": "x",
        "by": "boris",
        "second": "dana",
    }
    return fact(1, kind="adjusted", table="aurora/house", amount=amount, **fields)


@pytest.mark.parametrize("signed", [correction, adjustment])
def test_corrections_and_adjustments_are_positive_or_negative_and_not_zero(signed: Any) -> None:
    for amount in (-LIMIT, -1, 1, LIMIT):
        prepare(signed(amount))
    for amount in (-LIMIT - 1, 0, LIMIT + 1):
        assert refused(signed(amount)) == ("out-of-range", "amount")


@pytest.mark.parametrize("kind", ["bets", "settled"])
def test_each_amount_of_a_betting_window_has_the_limits_of_one(kind: str) -> None:
    for amount, fits in ((0, False), (1, True), (LIMIT, True), (LIMIT + 1, False)):
        moves = [["p-1", "andar", 5], ["p-2", "bahar", amount]]
        window = fact(1, kind=kind, **({"bets": moves} if kind == "bets" else {"paid": moves, "taken": []}))
        if fits:
            prepare(window)
        else:
            assert refused(window)[0] == "out-of-range"


@pytest.mark.parametrize("text", ["\0", "a\0b", "\ud83d", "\ude00\ud83d", "x\ud83dy" + "z" * 20])
def test_text_that_postgres_cannot_hold_is_refused_in_values_and_in_names(text: str) -> None:
    assert refused(fact(1) | {"note": text})[0] == "not-text"
    assert refused(fact(1) | {"note": [{"deep": text}]})[0] == "not-text"
    assert refused(fact(1) | {text: 1})[0] == "not-text"


@pytest.mark.parametrize("text", ["\ud83d\ude00", "😀", "\\u0000", "\x01\x1f\x7f", "Zoë", "\u2028", "\ufffe"])
def test_text_that_only_looks_like_trouble_is_kept_unchanged(text: str) -> None:
    for raw in (
        line(fact(1) | {"note": text}),
        json.dumps(fact(1) | {"note": text.encode("utf-16", "surrogatepass").decode("utf-16")}).encode(),
    ):
        note = json.loads(prepare(raw).body)["note"]
        assert note == text.encode("utf-16", "surrogatepass").decode("utf-16")


def test_bytes_that_are_not_utf_8_are_refused() -> None:
    assert refused(line(fact(1) | {"note": "HERE"}).replace(b"HERE", b"\xff"))[0] == "not-text"
    assert refused(line(fact(1) | {"note": "HERE"}).replace(b"HERE", b"\xed\xa0\xbd"))[0] == "not-text"


def test_a_fact_is_nested_eight_deep_and_no_deeper() -> None:
    for levels in (DEPTH - 2, DEPTH - 1):
        prepare(fact(1) | {"note": nested(levels)})
    assert refused(fact(1) | {"note": nested(DEPTH)})[0] == "too-deep"


@pytest.mark.parametrize(
    "bomb",
    [
        b"[" * 100_000 + b"]" * 100_000,
        b"[" * 60_000,
        b'{"a":' * 10_000,
        b'{"kind":"bets","bets":' + b"[" * 300_000,
    ],
)
def test_a_hundred_thousand_nested_lists_are_refused_without_a_crash(bomb: bytes) -> None:
    assert refused(bomb)[0] in {"too-deep", "line-too-long"}
    prepare(fact(1))


def test_a_line_has_sixty_four_kilobytes_and_no_more() -> None:
    for length in (LINE_BYTES - 1, LINE_BYTES):
        prepare(padded(fact(1), length))
    assert refused(padded(fact(1), LINE_BYTES + 1))[0] == "line-too-long"


def test_a_betting_window_has_four_megabytes_and_no_more() -> None:
    for window in (fact(1, kind="bets", bets=[]), fact(1, kind="settled", paid=[], taken=[])):
        for length in (LINE_BYTES + 1, WINDOW_BYTES - 1, WINDOW_BYTES):
            prepare(padded(window, length))
        assert refused(padded(window, WINDOW_BYTES + 1))[0] == "line-too-long"


@pytest.mark.parametrize(
    "uid",
    [
        "",
        "7",
        "x" * 36,
        fact(1)["uid"] + "0",
        fact(1)["uid"][:-1],
        "{" + fact(1)["uid"][1:-1] + "}",
        fact(1)["uid"].replace("-", ""),
    ],
)
def test_a_uid_that_is_no_uuid_is_refused(uid: str) -> None:
    assert refused(fact(1) | {"uid": uid}) == ("not-a-uuid", "uid")


@pytest.mark.parametrize(
    "table", ["", "/", "aurora", "aurora/", "/EOU-01", "a/b/c", "aurora/" + "x" * 101, "aurora/x\u00a0y"]
)
def test_a_table_name_has_a_property_and_a_table_and_no_third_part(table: str) -> None:
    assert refused(fact(1, table=table)) == ("not-a-table", "table")


@pytest.mark.parametrize("table", ["aurora/" + "x" * 100, "x" * 100 + "/1", "Çeşme Oteli/Masa 4", "a/b"])
def test_a_table_may_have_any_name_that_can_be_read(table: str) -> None:
    assert prepare(fact(1, table=table)).stream == f"{table}/2026-11-27"


@pytest.mark.parametrize(
    "day", ["", "2026-02-30", "2026-2-3", "20260203", "27.11.2026", "2026-11-27T00:00:00Z"]
)
def test_a_day_is_a_date(day: str) -> None:
    assert refused(fact(1) | {"day": day}) == ("mistyped", "day")


@pytest.mark.parametrize("at", ["", "2026-11-27", "2026-11-27T12:00:00", "2026-11-27T25:00:00Z", "noon"])
def test_a_time_without_its_offset_is_refused(at: str) -> None:
    assert refused(fact(1) | {"at": at}) == ("mistyped", "at")


@pytest.mark.parametrize(("year", "fits"), [("0001", False), ("0002", True), ("9998", True), ("9999", False)])
def test_a_time_or_a_day_at_the_end_of_the_calendar_is_refused(year: str, fits: bool) -> None:
    ends = {"at": f"{year}-01-01T00:00:00+14:00", "day": f"{year}-12-31"}
    for name, end in ends.items():
        if fits:
            prepare(fact(1) | {name: end})
        else:
            assert refused(fact(1) | {name: end}) == ("out-of-range", name)
    if not fits:
        assert refused(opened(1) | {"shifts": {"day": ends["at"]}}) == ("out-of-range", "shifts")


@pytest.mark.parametrize(
    ("change", "code", "field"),
    [
        ({"game": "craps"}, "unknown-game", "game"),
        ({"edition": "1999"}, "unknown-edition", "edition"),
        ({"edition": "ezugi"}, "unknown-edition", "edition"),
        ({"pay_tables": {}}, "missing-pay-table", "pay_tables"),
        ({"pay_tables": {"spread": "Z"}}, "unknown-pay-table", "pay_tables"),
        ({"pay_tables": {"spread": "B", "bonus": "1"}}, "unknown-pay-table", "pay_tables"),
    ],
)
def test_a_table_opens_only_with_a_known_game_edition_and_pay_tables(
    change: dict[str, Any], code: str, field: str
) -> None:
    prepare(opened(1))
    assert refused(opened(1) | change) == (code, field)


@pytest.mark.parametrize("name", [name for name in OPENING if name != "kind"])
def test_a_table_opens_with_all_its_settings(name: str) -> None:
    assert refused(without(opened(1), name)) == ("missing-field", name)


def test_property_acts_are_in_the_property_stream_and_play_is_not() -> None:
    log = {"kind": "log-written", "about": "x", "words_sha256": "y", "by": "dana"}
    assert prepare(fact(1, table="aurora/house", **log)).stream == "aurora/house/2026-11-27"
    assert refused(fact(1, **log)) == ("wrong-stream", "table")
    assert refused(fact(1, table="aurora/house")) == ("wrong-stream", "table")
    assert refused(fact(1, kind="day-closed", table="aurora/house", by="boris")) == ("wrong-stream", "table")
    prepare(fact(1, kind="day-closed", by="boris"))


def test_an_unknown_schema_version_is_refused() -> None:
    prepare(fact(1) | {"v": 1})
    assert refused(fact(1) | {"v": 2}) == ("unknown-schema", "v")
    assert refused(fact(1) | {"v": 0}) == ("out-of-range", "v")


@pytest.mark.parametrize(("n", "fits"), [(0, False), (1, True), (2, True)])
def test_a_source_counts_from_one(n: int, fits: bool) -> None:
    if fits:
        prepare(fact(1) | {"n": n})
    else:
        assert refused(fact(1) | {"n": n}) == ("out-of-range", "n")


@pytest.mark.parametrize(
    "odd",
    [
        fact(1, kind="roll", dice=[7, 0, -3]),
        fact(1, kind="deal", to="1", card="1s"),
        fact(1, kind="deal", to="99", card=None),
        fact(1, kind="announce", what="nonsense", value="tie"),
        fact(1, kind="choose", spot="1", choice="dance"),
        fact(1, kind="mark", value=13, side="up"),
    ],
)
def test_an_impossible_value_of_the_right_type_is_recorded_and_judged_by_replay(
    odd: dict[str, Any],
) -> None:
    prepare(odd)


def test_a_refusal_is_one_sentence_that_names_fact_field_and_reason() -> None:
    with pytest.raises(Refused) as caught:
        check(line(fact(1, spot="1", wager="over", amount=0)))
    caught.value.index = 2
    assert (
        str(caught.value)
        == f"fact 3 of the post (uid {fact(1)['uid']}) is refused: amount: Expected `int` >= 1, given 0"
    )

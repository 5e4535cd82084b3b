"""A fact always has the same bytes. Tested are the canonical bytes, examples of every kind that must never
change, and the conversion of facts that earlier versions recorded.
"""

from __future__ import annotations

import json
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit import facts
from audit.facts import KINDS, LIMIT, Refused, Take, canonical, check, decode, kind_of
from tests.audit.floor import fact, line

GOLDEN = [
    json.loads(row)
    for row in (Path(__file__).parent / "golden" / "facts.ndjson").read_text("utf-8").splitlines()
]

text = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))
value = st.recursive(
    st.none() | st.booleans() | st.integers() | st.integers(-(10**60), 10**60) | text,
    lambda inside: st.lists(inside, max_size=4) | st.dictionaries(text, inside, max_size=4),
    max_leaves=12,
)


def python_canonical(sent: Any) -> bytes:
    """Return the canonical bytes as Python's json module writes them."""
    return json.dumps(sent, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def depth(inside: Any) -> int:
    if isinstance(inside, dict):
        return 1 + max(map(depth, inside.values()), default=0)
    return 1 + max(map(depth, inside), default=0) if isinstance(inside, list) else 0


@pytest.mark.parametrize("golden", GOLDEN, ids=lambda golden: golden["kind"])
def test_every_earlier_version_still_decodes_with_the_same_bytes_and_leaf(
    golden: dict[str, str],
) -> None:
    if not golden.get("earlier"):  # validation refuses words that only an earlier release recorded
        ready = check(golden["sent"].encode())
        assert ready.body.decode() == golden["body"]
        assert ready.leaf.hex() == golden["leaf"]
    assert golden["leaf"] == sha256(b"\0" + golden["body"].encode()).hexdigest()
    assert kind_of(decode(golden["body"].encode())) == golden["kind"]


def test_every_kind_has_a_golden_example() -> None:
    assert {golden["kind"] for golden in GOLDEN if not golden.get("earlier")} == set(KINDS)


@given(st.dictionaries(text.map(lambda name: "x" + name), value, max_size=5), st.booleans(), st.randoms())
def test_a_fact_has_one_spelling_however_it_was_sent(
    fields: dict[str, Any], escaped: bool, random: Any
) -> None:
    sent = fact(1) | fields
    names = list(sent)
    random.shuffle(names)
    raw = json.dumps(
        {name: sent[name] for name in names}, ensure_ascii=escaped, indent=random.choice([None, 1])
    ).encode()
    if depth(sent) > facts.DEPTH:
        with pytest.raises(Refused):
            check(raw)
        return
    ready = check(raw)
    assert ready.body == python_canonical(sent)
    assert json.loads(ready.body) == sent
    assert check(ready.body) == ready, "the canonical bytes are canonical"


@given(st.integers(-(10**400), 10**400))
def test_an_integer_of_any_size_is_kept_exactly_in_an_unknown_field(number: int) -> None:
    assert json.loads(check(line(fact(1) | {"note": [number]})).body)["note"] == [number]


def test_if_a_key_is_given_twice_only_the_last_value_is_kept() -> None:
    raw = line(fact(1))
    for doubled in (
        raw.replace(b'"kind"', b'"kind": "tip", "kind"'),
        raw.replace(b'"amount": 500', b'"amount": -7, "amount": 500'),
    ):
        assert check(doubled) == check(raw)
    with pytest.raises(Refused, match="tip"):
        check(raw.replace(b'"kind": "take"', b'"kind": "take", "kind": "tip"'))
    nested = check(line(fact(1) | {"note": "HERE"}).replace(b'"HERE"', b'{"a": 1, "a": {"b": 2, "b": 3}}'))
    assert json.loads(nested.body)["note"] == {"a": {"b": 3}}


def test_minus_zero_is_zero() -> None:
    raw = line(fact(1) | {"note": "HERE"}).replace(b'"HERE"', b"-0")
    assert check(raw) == check(line(fact(1) | {"note": 0}))


@given(st.text(st.characters(categories=["Cs"]), min_size=1, max_size=1), text, text)
def test_half_a_surrogate_pair_is_refused(half: str, before: str, after: str) -> None:
    with pytest.raises(Refused):
        check(line(fact(1) | {"note": before + half + after}))


@given(st.binary(max_size=200))
def test_no_bytes_crash_validation(raw: bytes) -> None:
    for sent in (raw, line(fact(1) | {"note": "HERE"}).replace(b'"HERE"', raw)):
        with suppress(Refused):
            check(sent)


@given(
    st.sampled_from(sorted(KINDS)),
    st.dictionaries(st.sampled_from(["amount", "spot", "chips", "bets", "value", "dice", "from"]), value),
)
def test_no_fields_crash_validation(kind: str, fields: dict[str, Any]) -> None:
    with suppress(Refused):
        decode(check(line(fact(1) | {"kind": kind} | fields)).body)


@given(st.permutations(["b", "a", "aa", "é", "z", "\U0001f600", "\uffff", "A"]))
def test_keys_are_sorted_by_code_point(names: list[str]) -> None:
    keys = json.loads(
        canonical(dict.fromkeys(names, 1)), object_pairs_hook=lambda pairs: [name for name, _ in pairs]
    )
    assert keys == sorted(names)


def test_a_fact_of_an_old_version_is_read_as_the_newest_and_its_bytes_stay(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    old = line(without(fact(1), "wager") | {"bet": "over"})
    monkeypatch.setitem(
        facts.UPCASTS, ("take", 1), lambda old: {**old, "v": 2, "wager": old.get("bet", old.get("wager"))}
    )
    ready = check(old)
    event = decode(ready.body)
    assert isinstance(event, Take)
    assert (event.v, event.wager) == (2, "over")
    assert json.loads(ready.body)["bet"] == "over"
    newest = decode(check(line(fact(1) | {"v": 2})).body)
    assert isinstance(newest, Take)
    with pytest.raises(Refused, match="no schema number 3"):
        check(line(fact(1) | {"v": 3}))


def without(sent: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in sent.items() if key != name}


def test_ten_to_the_fifteenth_is_written_with_all_digits() -> None:
    assert b'"amount":1000000000000000,' in check(line(fact(1, spot="1", wager="over", amount=LIMIT))).body

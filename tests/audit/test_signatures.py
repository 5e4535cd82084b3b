"""A fact of a kind that demands two signatures must have both, even if a file or a device sends it. Every
void must have a reason.
"""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import structs

from audit.facts import OF_THE_HOUSE
from audit.facts.installation_kinds import OF_THE_INSTALLATION
from audit.facts.kinds import EVERY
from audit.reference.examples import FIELDS
from audit.replay.checks.reasons import SAYS_WHY
from audit.replay.checks.signed_once import OTHER_CODE, SIGNED_BY_ONE, SIGNED_BY_TWO
from games.kit import events as e
from games.kit.events import kind_of
from games.kit.signatures import not_by_two, person_key
from tests.audit.controls import (
    FIVE,
    box,
    codes,
    drop,
    findings_of,
    marker,
    of_ledger,
    opened,
    recount,
    slip,
    tray,
    void,
)
from tests.audit.floor import DAY

ADJUSTED = {
    "kind": "adjusted",
    "of_table": "aurora/EOU-01",
    "of_day": DAY,
    "what": "drop",
    "amount": 100,
    "reason": "a note",
}
VERDICT = {
    "kind": "verdict-given",
    "finding": "x:y::",
    "code": "y",
    "says": "",
    "owed": 0,
    "moved": 0,
    "verdict": "confirmed",
    "note_sha256": None,
    "savings": 0,
    "losses": 0,
    "recovered": 0,
    "video": [],
}
PIECE = {"camera": "cam-1", "begins": "2026-11-27T20:00:00Z", "ends": "2026-11-27T20:01:00Z"}
LOST = {"kind": "marker-written-off", "slip": "M-1", "player": "p-1", "currency": "USD", "amount": 100}
BAG = {"deposit": "1", "currency": "USD", "amount": 100}
MADE: dict[str, dict[str, Any]] = {
    "opener-counted": tray("opener", 500),
    "closer-counted": tray("closer", 500),
    "slip-voided": void("F-1"),
    "box-pulled": box(),
    "adjusted": ADJUSTED,
    "verdict-given": VERDICT,
    "register-set": {
        "kind": "register-set",
        "register": "pits",
        "key": "pit-1",
        "value": {"title": "One"},
        "from": None,
    },
    "marker-issued": marker(),
    "marker-paid": {"kind": "marker-paid", "slip": "M-1", "player": "p-1", "amount": 100},
    "marker-written-off": {**LOST, "reason": "bankrupt"},
    "marker-recovered": LOST | {"kind": "marker-recovered"},
    "drop-received": {"kind": "drop-received", "of_day": DAY, "currency": "USD", "amount": 100},
    "deposit-sent": BAG | {"kind": "deposit-sent", "carrier": "transport"},
    "deposit-confirmed": BAG | {"kind": "deposit-confirmed"},
    "count-verified": recount(),
    "day-closed": {"kind": "day-closed"},
    "flagged": {"kind": "flagged", "of_table": "aurora/EOU-01", "of_day": DAY, "round": "r-1", "why": "look"},
    "hand-assigned": {
        "kind": "hand-assigned",
        "of_table": "aurora/EOU-01",
        "of_day": DAY,
        "hand": "r-1",
        "to": "v-2",
    },
    "hand-snoozed": {
        "kind": "hand-snoozed",
        "of_table": "aurora/EOU-01",
        "of_day": DAY,
        "hand": "r-1",
        "until": None,
    },
    "alert-rule-set": {"kind": "alert-rule-set", "rule": "x", "active": True, "on": "finding"},
    "webhook-set": {"kind": "webhook-set", "webhook": "x", "active": True, "url": "https://x.example/"},
    "hand-over-accepted": {"kind": "hand-over-accepted", "entry": "x"},
    "camera-down": {"kind": "camera-down", "camera": "cam-1", "reason": "no picture"},
    "camera-up": {"kind": "camera-up", "camera": "cam-1", "reason": "a new cable"},
    "hold-ordered": {"kind": "hold-ordered", **PIECE, "reason": "a dispute"},
    "hold-secured": {"kind": "hold-secured", "hold": "x", "where": "locked"},
    "hold-released": {"kind": "hold-released", "hold": "x", "reason": "settled"},
    "clip-exported": {"kind": "clip-exported", **PIECE, "where": "the police"},
    "log-written": {"kind": "log-written", "about": "the count room", "words_sha256": "0" * 64},
    **{kind: {"kind": kind, **FIELDS[kind]} for kind in FIELDS if kind.startswith("case-")},
    "read-corrected": {
        "kind": "read-corrected",
        "of": "00000000-0000-7000-8000-000000000099",
        "card": "Kd",
        "reason": "misread",
    },
    "round-cancelled": {"kind": "round-cancelled", "round": "r-1", "reason": "a card is missing"},
    "paused": {"kind": "paused", "reason": "a card is missing"},
    "resumed": {"kind": "resumed", "reason": "it was found"},
    "alarm-answered": {"kind": "alarm-answered", "alarm": "a-1"},
}
"""An example of each kind of fact that is signed."""


def signed(kind: type[e.Event], by: str, second: str | None) -> list[str]:
    """Return the codes of findings about signatures for a fact of this kind that these two people have
    signed.
    """
    fact = MADE[kind_of(kind)] | {"by": by} | ({"second": second} if second is not None else {})
    findings = of_ledger(fact) if kind in OF_THE_HOUSE else findings_of(opened(), fact)
    return [finding.code for finding in findings if finding.code == "signed-once"]


@pytest.mark.parametrize("kind", [pytest.param(kind, id=kind_of(kind)) for kind in SIGNED_BY_TWO])
def test_every_kind_with_two_signatures_is_found_when_one_person_gives_both_or_one_is_missing(
    kind: type[e.Event],
) -> None:
    assert signed(kind, "x-1", "x-2") == []
    for by, second in (("x-1", "x-1"), ("x-1", " X-1\t"), ("", "x-2"), ("x-1", ""), (" ", "\u200b")):
        assert signed(kind, by, second) == ["signed-once"], (by, second)


@pytest.mark.parametrize("kind", [pytest.param(kind, id=kind_of(kind)) for kind in SIGNED_BY_ONE])
def test_every_kind_with_one_signature_is_found_when_nobody_signs(kind: type[e.Event]) -> None:
    assert (signed(kind, "x-1", None), signed(kind, "", None), signed(kind, " \u200b", None)) == (
        [],
        ["signed-once"],
        ["signed-once"],
    )


def test_every_signed_kind_is_in_the_list_or_has_its_own_code() -> None:
    named = {kind for kind in EVERY if "by" in kind.__struct_fields__} - {*OF_THE_INSTALLATION}
    assert named == {*SIGNED_BY_TWO, *SIGNED_BY_ONE, *OTHER_CODE}
    assert {kind_of(kind) for kind in named - {*OTHER_CODE}} == set(MADE), "a new kind has a fact here"


def test_a_verdict_at_the_registered_amount_needs_a_second_signature() -> None:
    verdict = VERDICT | {"by": "o-1", "moved": 60_000}
    (finding,) = of_ledger(verdict)
    assert (finding.code, "o-1 alone" in finding.says) == ("signed-once", True)
    assert of_ledger(verdict | {"second": "o-2"}) == of_ledger(verdict | {"moved": 49_999}) == []
    entry = MADE["register-set"] | {
        "register": "thresholds",
        "key": "second-reviewer",
        "value": {"amount": 100_000},
    }
    assert of_ledger(verdict, entry | {"by": "m-1", "second": "m-2"}) == []
    assert of_ledger(verdict | {"owed": "no amount", "losses": 1}) == []


def test_a_count_is_signed_by_several_people_and_recounted_by_another() -> None:
    def says(*facts: dict[str, Any]) -> list[str]:
        return [finding.says for finding in findings_of(opened(), *facts) if finding.code == "signed-once"]

    assert says(box(), drop(), recount()) == []
    assert says(box(), drop(team=[])) == ["Drop counted: box b-1 was counted by nobody: its team is empty."]
    assert "is one person, n-1, named 2 times" in says(box(), drop(team=["n-1", "N-1 "]))[0]
    assert "has no name" in says(box(), drop(team=["n-1", ""]))[0]
    assert says(box(), drop(team=["n-1", "n-2", "n-2"])) == []
    assert says(box(), drop(), recount(by="N-2")) == ["Count verified: N-2 counted box b-1 and recounted it."]
    assert says(box(), drop(), recount(by="g-1")) == ["Count verified: g-1 pulled box b-1 and recounted it."]
    assert says(box(), recount(by="n-1"), drop()) == ["Drop counted: n-1 counted box b-1 and recounted it."]
    assert says(box("b-2", by="n-8", second="n-9"), box(), drop(), recount()) == [], "he pulled another box"
    pulls = (box(shift="day", by="n-9"), box(shift="swing"))
    assert says(*pulls, drop(shift="swing"), recount(shift="swing")) == [], "and this one in another shift"


def test_a_voided_slip_is_witnessed_by_somebody_who_did_not_sign_it() -> None:
    sent = [opened(), slip("F-1")]
    assert [
        finding.code for finding in findings_of(*sent, void("F-1")) if finding.code == "signed-once"
    ] == []
    (finding,) = [
        finding for finding in findings_of(*sent, void("F-1", second="g-1")) if finding.code == "signed-once"
    ]
    assert finding.says == "Slip voided: g-1 signed slip F-1 and witnessed that it was voided."
    assert finding.cite.startswith("Control SL-06")
    assert [finding.code for finding in findings_of(opened(), marker(), void("M-1", second="s-1"))] == [
        "signed-once"
    ]


def test_a_marker_names_the_player_who_owes_it() -> None:
    (finding,) = findings_of(opened(), marker(player=""))
    assert (finding.code, finding.says) == (
        "signed-once",
        "Marker issued: marker M-1 names no player who signed it.",
    )


@pytest.mark.parametrize("role", FIVE)
def test_every_signature_of_a_slip_is_given(role: str) -> None:
    assert codes(opened(), slip("F-1")) == []
    assert codes(opened(), slip("F-1", **{role: " "})) == [(2, "slip-signed-once")]


def test_two_spellings_of_a_staff_id_are_one_person() -> None:
    assert codes(opened(), slip("F-1", sent_by="D-1 ")) == [(2, "slip-signed-once")]
    assert codes(opened(), slip("F-1", verified_by="s-1")) == [], "who asked for it may verify it"
    assert person_key("Jose\u0301") == person_key("jos\u00e9 ") != person_key("jose")
    assert [not_by_two(*pair) for pair in (("a", "b"), ("a", "A"), ("a", ""), ("", "b"), ("", ""))] == [
        "",
        "a",
        "a",
        "b",
        "nobody",
    ]


@pytest.mark.parametrize(
    "kind", [pytest.param(kind, id=kind_of(kind)) for kind in SAYS_WHY if kind is not e.Corrected]
)
def test_a_missing_reason_is_found_in_every_kind_that_needs_one(kind: type[e.Event]) -> None:
    field = next(member.name for member in structs.fields(kind) if member.name in ("reason", "why"))
    signers = {"by": "x-1"} | ({"second": "x-2"} if "second" in kind.__struct_fields__ else {})
    fact = MADE[kind_of(kind)] | signers
    code = "void-without-reason" if kind_of(kind) == "slip-voided" else "without-reason"
    for sent, expected in ((fact, []), (fact | {field: " \t"}, [code])):
        findings = of_ledger(sent) if kind in OF_THE_HOUSE else findings_of(opened(), sent)
        assert [finding.code for finding in findings if finding.code == code] == expected

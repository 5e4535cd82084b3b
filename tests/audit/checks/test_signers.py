"""Signers are in the register of people on that day, in a role that may sign: tested for every field of every
fact kind that names a person.
"""

from __future__ import annotations

from typing import Any

import pytest

from audit import facts as f
from audit.facts.installation_kinds import OF_THE_INSTALLATION
from audit.replay.duties import SIGNED
from tests.audit.checks.ledgers import COUNTED, DAY, PULLED, SENT, STAFF, TWO, Book
from tests.audit.floor import OPENING

HOUSE = f.HOUSE_KINDS
MONEY = {
    "owed": None,
    "moved": None,
    "note_sha256": None,
    "savings": 0,
    "losses": 0,
    "recovered": 0,
    "video": [],
}
PIECE = {"camera": "cam-1", "begins": "2026-11-27T20:00:00Z", "ends": "2026-11-27T20:01:00Z"}
CASE = "2026-0001"
TITLED = {"title_sha256": "x", "about_sha256": None, "owner": "v-1", "due": None, "seen_by": [], "by": "v-1"}
LOST = {"slip": "M-EOU01-1", "player": "p-1", "currency": "USD", "amount": 500}
BAG = {"deposit": "1", "currency": "USD", "amount": 100}
RIGHT: dict[str, dict[str, Any]] = {
    "dealer-seated": {"dealer": "d-1", "supervisor": "s-1"},
    "opener-counted": {"chips": {}, "amount": 0, **TWO},
    "closer-counted": {"chips": {}, "amount": 0, **TWO},
    "fill-sent": SENT | {"slip": "F-EOU01-1", "verified_by": "s-2"},
    "credit-sent": SENT | {"slip": "C-EOU01-1", "sent_by": "d-1", "received_by": "c-1"},
    "slip-voided": {"slip": "F-EOU01-1", "reason": "torn", "by": "c-1", "second": "s-1"},
    "marker-issued": {"slip": "M-EOU01-1", "player": "p-1", "amount": 500, "by": "s-1"},
    "marker-paid": {"slip": "M-EOU01-1", "player": "p-1", "amount": 500, "by": "c-1"},
    "marker-written-off": LOST | {"reason": "bankrupt", "by": "a-1", "second": "a-2"},
    "marker-recovered": LOST | {"by": "c-1"},
    "drop-received": {"of_day": DAY, "currency": "USD", "amount": 100, "by": "c-1", "second": "n-1"},
    "deposit-sent": BAG | {"carrier": "transport", "by": "c-1", "second": "g-1"},
    "deposit-confirmed": BAG | {"by": "a-1"},
    "box-pulled": PULLED | {"box": "b-1"},
    "drop-counted": COUNTED | {"box": "b-1"},
    "count-verified": {"box": "b-1", "amount": 10000, "by": "c-1"},
    "day-closed": {"by": "a-1"},
    "void": {"reason": "misdeal", "by": "s-1", "second": "s-2"},
    "corrected": {
        "round": "r-1",
        "spot": "1",
        "wager": "over",
        "amount": 5,
        "reason": "video",
        "by": "s-1",
        "second": "s-2",
    },
    "read-corrected": {
        "of": "00000000-0000-7000-8000-000000000001",
        "card": "Td",
        "reason": "misread",
        "by": "s-1",
        "second": "s-2",
    },
    "round-cancelled": {"round": "r-1", "reason": "studio", "by": "s-1", "second": "s-2"},
    "paused": {"reason": "card", "by": "s-1"},
    "resumed": {"reason": "card", "by": "s-1"},
    "alarm-answered": {"alarm": "x", "by": "s-1"},
    "adjusted": {
        "of_table": "aurora/EOU-01",
        "of_day": DAY,
        "what": "drop",
        "amount": 5,
        "reason": "late",
        "by": "a-1",
        "second": "a-2",
    },
    "verdict-given": {
        "finding": "x",
        "code": "late-bet",
        "says": "x",
        "verdict": "confirmed",
        "by": "v-1",
        "second": "v-2",
        **MONEY,
    },
    "flagged": {"of_table": "aurora/EOU-01", "of_day": DAY, "round": "r-1", "why": "x", "by": "v-1"},
    "hand-assigned": {
        "of_table": "aurora/EOU-01",
        "of_day": DAY,
        "hand": "r-1",
        "to": "v-2",
        "by": "v-1",
    },
    "hand-snoozed": {
        "of_table": "aurora/EOU-01",
        "of_day": DAY,
        "hand": "r-1",
        "until": None,
        "by": "v-1",
    },
    "hand-over-accepted": {"entry": "x", "by": "v-1"},
    "camera-down": {"camera": "cam-1", "reason": "x", "by": "v-1"},
    "camera-up": {"camera": "cam-1", "reason": "x", "by": "v-1"},
    "hold-ordered": {**PIECE, "reason": "x", "by": "v-1"},
    "hold-secured": {"hold": "x", "where": "x", "by": "v-1"},
    "hold-released": {"hold": "x", "reason": "x", "by": "v-1"},
    "clip-exported": {**PIECE, "where": "x", "by": "v-1"},
    "log-written": {"about": "x", "words_sha256": "x", "by": "v-1"},
    "alert-rule-set": {"rule": "x", "active": True, "on": "finding", "by": "v-1"},
    "webhook-set": {"webhook": "x", "active": True, "url": "https://x.example/", "by": "m-1"},
    "case-opened": {"case": CASE, "concerns": "theft", **TITLED},
    "case-changed": {"case": CASE, "concerns": "theft", "status": "open", **TITLED},
    "case-joined": {"case": CASE, "parts": [], "by": "v-1"},
    "case-parted": {"case": CASE, "parts": [], "by": "v-1"},
    "case-noted": {"case": CASE, "note_sha256": "x", "by": "v-1"},
    "case-file-added": {
        "case": CASE,
        "file_sha256": "x",
        "bytes": 5,
        "media_type": "image/png",
        "name_sha256": "x",
        "by": "v-1",
    },
    "case-subject-set": {
        "case": CASE,
        "subject": 1,
        "role": "patron",
        "id": None,
        "description_sha256": "x",
        "reason_sha256": None,
        "measure": "none",
        "from": None,
        "to": None,
        "photo_sha256": None,
        "by": "v-1",
    },
    "case-erased": {"case": CASE, "erased": [], "why": "ordered", "by": "v-1", "second": "v-2"},
    "case-closed": {"case": CASE, "outcome": "settled", "note_sha256": None, "by": "v-1"},
    "register-set": {"register": "pits", "key": "p", "value": {}, "from": None, "by": "m-1", "second": "m-2"},
}
KINDS = sorted(set(SIGNED) & set(f.KINDS))
FIELDS = [(kind, signature.field) for kind in KINDS for rule in SIGNED[kind] for signature in rule.of]
CODES = ("signer-not-entitled", "person-unknown")


def wrong(book: Book) -> list[str]:
    return [finding.code for finding in book.findings() if finding.code in CODES]


def signed(kind: str, staffed: bool = True, day: str = DAY, **fields: Any) -> Book:
    book = Book()
    if staffed:
        book.staff()
    book.open(day=day)
    book.add(kind, "house" if kind in HOUSE else "EOU-01", day, **RIGHT[kind] | fields)
    return book


def test_every_kind_that_names_a_person_is_judged() -> None:
    """Test every kind of fact except the kinds about the installation. No check reads those, because they say
    nothing about play or money.
    """
    names = {
        "by",
        "second",
        "supervisor",
        "requested_by",
        "sent_by",
        "carried_by",
        "received_by",
        "verified_by",
        "team",
    }
    judged = {kind: shape for kind, shape in f.KINDS.items() if shape not in OF_THE_INSTALLATION}
    for kind, shape in judged.items():
        fields = (names | {"to"} if kind == "hand-assigned" else names) & set(shape.__struct_fields__)
        assert fields == {signature.field for rule in SIGNED.get(kind, ()) for signature in rule.of}, kind
    assert set(RIGHT) == set(KINDS) == set(SIGNED)


@pytest.mark.parametrize("kind", sorted(RIGHT))
def test_a_signer_in_the_right_role_causes_no_finding(kind: str) -> None:
    assert wrong(signed(kind)) == []


@pytest.mark.parametrize(("kind", "field"), [pair for pair in FIELDS if pair[0] in RIGHT])
def test_a_stranger_is_found_in_every_field(kind: str, field: str) -> None:
    stranger: Any = ["n-1", "x-9"] if field == "team" else "x-9"
    assert wrong(signed(kind, **{field: stranger})) == ["person-unknown"]
    assert wrong(signed(kind, staffed=False, **{field: stranger})) == [], (
        "without a register nobody is a stranger"
    )


@pytest.mark.parametrize(("kind", "field"), [pair for pair in FIELDS if pair[0] in RIGHT])
def test_a_signer_in_a_wrong_role_is_found_in_every_field(kind: str, field: str) -> None:
    roles = {
        role
        for rule in SIGNED[kind]
        for signature in rule.of
        if signature.field == field or not rule.in_order
        for role in signature.roles
    }
    person = next(
        person for person, role in STAFF.items() if role not in roles and person not in RIGHT[kind].values()
    )
    people: Any = ["n-1", "c-1"] if field == "team" else person
    assert wrong(signed(kind, **{field: people})) == ["signer-not-entitled"]


def test_the_sentence_names_the_signer_the_fact_and_the_roles() -> None:
    (finding,) = [
        finding for finding in signed("fill-sent", requested_by="d-2").findings() if finding.code in CODES
    ]
    assert (
        finding.says
        == "d-2 asked for fill F-EOU01-1. On 2026-11-27 d-2 has the role dealer; this requires the role"
        " supervisor or table-games."
    )
    assert finding.cite == "Control FI-01, N.J.A.C. 13:69D-1.22(a)"
    (finding,) = [
        finding for finding in signed("box-pulled", second="x-1").findings() if finding.code in CODES
    ]
    assert (
        finding.says
        == "x-1 pulled box b-1 of aurora/EOU-01 and is not in the register of people on 2026-11-27."
    )


def test_a_void_without_a_round_has_a_sentence_without_a_gap() -> None:
    (finding,) = [
        finding for finding in signed("void", round=None, second="x-1").findings() if finding.code in CODES
    ]
    assert (
        finding.says
        == "x-1 signed the void between rounds and is not in the register of people on 2026-11-27."
    )


@pytest.mark.parametrize(("kind", "field"), [pair for pair in FIELDS if pair[0] in RIGHT])
def test_every_signature_has_a_sentence(kind: str, field: str) -> None:
    stranger: Any = ["n-1", "x-9"] if field == "team" else "x-9"
    (finding,) = [
        finding for finding in signed(kind, **{field: stranger}).findings() if finding.code in CODES
    ]
    assert finding.says.startswith("x-9 ")
    assert "-" not in kind or kind not in finding.says
    assert "{" not in finding.says


@pytest.mark.parametrize("kind", ["opener-counted", "slip-voided", "box-pulled", "adjusted"])
def test_two_signers_may_be_named_in_either_order(kind: str) -> None:
    signers = RIGHT[kind]
    assert wrong(signed(kind, by=signers["second"], second=signers["by"])) == []


def test_dealer_and_supervisor_do_not_pull_their_own_box_with_any_register() -> None:
    for staffed in (True, False):
        book = Book()
        if staffed:
            book.staff()
        book.open()
        book.add("dealer-seated", dealer="d-1", supervisor="s-1")
        book.add("box-pulled", box="b-1", shift="day", by="d-1", second="s-1")
        assert wrong(book) == ["signer-not-entitled"]


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("fill-sent", {"sent_by": "d-1"}),
        ("fill-sent", {"requested_by": "d-1", "received_by": "d-2"}),
        ("day-closed", {"by": "d-1"}),
        ("verdict-given", {"by": "d-1"}),
        ("drop-counted", {"team": ["n-1", "d-1"]}),
    ],
)
def test_without_a_register_a_dealer_who_was_seated_that_day_has_no_other_duty(
    kind: str, fields: dict[str, Any]
) -> None:
    book = Book()
    book.open("HS-01")
    book.add("dealer-seated", "HS-01", dealer="d-1", supervisor="s-1")
    book.open()
    book.add(kind, "house" if kind in HOUSE else "EOU-01", **RIGHT[kind] | {"received_by": "d-2"} | fields)
    assert wrong(book) == ["signer-not-entitled"]


def test_one_person_in_two_fields_is_left_to_another_check() -> None:
    assert wrong(signed("fill-sent", sent_by="d-1", received_by="d-1")) == []
    assert wrong(signed("opener-counted", by="d-1", second="d-1")) == []


def test_a_register_of_dealers_alone_says_nothing_of_the_others() -> None:
    book = Book()
    book.staff({"d-1": "dealer"})
    book.open()
    book.add("opener-counted", **RIGHT["opener-counted"])
    book.add("fill-sent", **RIGHT["fill-sent"])
    book.add("day-closed", by="x-1")
    assert wrong(book) == []
    book.add("closer-counted", **RIGHT["closer-counted"] | {"by": "d-7"})
    assert wrong(book) == ["person-unknown"]


def test_a_role_is_that_of_the_gaming_day() -> None:
    book = Book()
    book.staff()
    book.enter("people", "g-1", {"role": "security"}, **{"from": None, "to": "2026-11-27"})
    book.enter("people", "g-1", {"role": "count"}, **{"from": "2026-11-27"})
    for day in ("2026-11-26", "2026-11-27"):
        book.open(day=day)
        book.add("box-pulled", day=day, box=f"b-{day}", **PULLED)
    assert [(finding.code, finding.stream) for finding in book.findings()] == [
        ("signer-not-entitled", "aurora/EOU-01/2026-11-27")
    ]
    book.enter("people", "g-1", None, **{"from": "2026-11-27"})
    assert wrong(book) == ["person-unknown"]


def test_a_person_entered_without_a_role_may_sign() -> None:
    book = Book()
    book.staff()
    book.enter("people", "c-9", {"name": "x"})
    book.open()
    book.add("marker-issued", **RIGHT["marker-issued"])
    book.add("marker-paid", **RIGHT["marker-paid"] | {"by": "c-9"})
    assert wrong(book) == []


def test_the_first_entries_need_no_registered_signers() -> None:
    book = Book()
    book.staff()
    assert wrong(book) == []
    book.enter("pits", "p-1", {}, by="i-1", second="i-2")
    assert wrong(book) == ["person-unknown"]


def test_nobody_enters_or_signs_their_own_roles() -> None:
    for fields in ({"by": "m-3", "second": "m-2"}, {"by": "m-1", "second": "m-3"}):
        book = Book()
        book.enter("people", "m-3", {"role": "administrator"}, **fields)
        assert book.only_finding("signer-not-entitled").cite == "Control AC-06, OAC 3772-10-15(E)"


def test_incompatible_roles_are_found_with_the_reason() -> None:
    book = Book()
    book.enter("people", "m-9", {"roles": ["accounting", "cage", "surveillance"]})
    finding = book.only_finding("roles-not-apart")
    assert (
        finding.says
        == "m-1 and m-2 gave m-9 roles that are kept apart: one person cannot be accounting and cage, because"
        " accounting takes no part in drops, counts, fills and the cage."
    )
    other = Book()
    other.enter("people", "m-9", {"roles": ["dealer", "supervisor"]})
    assert other.codes() == []


def test_the_opening_of_a_table_needs_nobody() -> None:
    assert OPENING["kind"] not in SIGNED

"""The chips of a tray add up to its amount, a tray does not change after its count, and a slip is voided
before its chips are received.
"""

from __future__ import annotations

from typing import Any

import pytest

from audit.replay.checks.does_not_foot import OF_CHIPS
from audit.replay.fold import Fold
from games.kit.events import kind_of
from tests.audit.controls import (
    CLOSE,
    CLOSED,
    COUNTED,
    bought,
    box,
    codes,
    events,
    findings_of,
    hand,
    marker,
    opened,
    seated,
    slip,
    tray,
    void,
)

CODE = "tray-moved-after-count"


def moved(*facts: Any) -> list[tuple[int, Any]]:
    """Return fact number and amount of each finding about a tray that changed after its count. Before the
    given facts, the table is opened and an opener is counted.
    """
    findings = findings_of(opened(), tray("opener", 10_000), *facts)
    return [(finding.number, finding.moved) for finding in findings if finding.code == CODE]


def test_chips_that_do_not_add_up_are_found_with_both_amounts_in_every_kind_that_names_chips() -> None:
    facts_of = {"fill-sent": slip("F-1"), "credit-sent": slip("C-1"), "opener-counted": tray("opener", 5_000)}
    facts_of |= {"closer-counted": tray("closer", 5_000), "chips-bought": bought(5_000, chips={"500": 10})}
    assert {kind_of(kind) for kind in OF_CHIPS} == set(facts_of), "a new kind has a fact here"
    for kind, fact in facts_of.items():
        assert [finding.code for finding in findings_of(opened(), fact)] == [], kind
        (finding,) = findings_of(opened(), fact | {"amount": 4_000})
        assert (finding.code, finding.grade, finding.owed, finding.moved) == (
            "does-not-foot",
            "money",
            5_000,
            4_000,
        )
        assert "add up to 50.00 USD, and its amount is 40.00 USD, which is 10.00 USD less" in finding.says
        (bare,) = findings_of(opened(), fact | {"chips": {}})
        assert (bare.code, bare.owed, bare.moved) == ("does-not-foot", None, None)
    assert codes(opened(), tray("closer", 0) | {"chips": {}}) == [], "an empty tray has no chips"
    assert codes(opened(), bought(5_000)) == [], "chips that are bought need not be counted"


LATE = {
    "fill": (slip("F-1"), 5_000),
    "credit": (slip("C-1"), -5_000),
    "chips bought": (bought(700), -700),
    "marker": (bought(700, tender="marker"), -700),
}


@pytest.mark.parametrize(("fact", "amount"), LATE.values(), ids=LATE)
def test_a_movement_of_the_tray_after_its_closer_is_found_with_the_amount(fact: Any, amount: int) -> None:
    assert moved(fact, tray("closer", 10_000)) == []
    assert moved(tray("closer", 10_000), fact) == [(4, amount)]
    assert moved(tray("closer", 10_000), tray("opener", 10_000), fact) == [], "the next opener counts it"


def test_the_finding_says_what_the_closer_was_and_what_is_wrong_with_the_win() -> None:
    (finding,) = [
        finding
        for finding in findings_of(opened(), tray("opener", 10_000), tray("closer", 10_000), slip("F-1"))
        if finding.code == CODE
    ]
    assert (finding.grade, finding.owed, finding.moved, finding.cite[:13]) == (
        "integrity",
        0,
        5_000,
        "Control OC-10",
    )
    assert (
        finding.says
        == "The closer of 100.00 USD was counted at 2026-11-27T12:03:00-08:00 by d-1 and s-1. After it the"
        " tray was changed through slips by 50.00 USD (fill-sent F-1): the win is 50.00 USD too low."
    )


def test_each_late_fact_has_its_own_amount_and_a_recount_keeps_the_findings() -> None:
    closer = tray("closer", 10_000)
    assert moved(closer, slip("F-1"), slip("F-2", 1_000), CLOSE) == [(4, 5_000), (5, 1_000)]
    assert moved(closer, slip("F-1"), tray("closer", 15_000), CLOSE) == [(4, 5_000)]
    assert moved(tray("closer", 15_000), tray("closer", 10_000), CLOSED, CLOSE) == [], (
        "a tray that was mistyped and counted again"
    )


def test_a_slip_that_is_voided_after_the_closer_moves_the_tray_back() -> None:
    assert moved(slip("F-1"), tray("closer", 15_000), void("F-1")) == [(5, -5_000)]
    assert moved(tray("closer", 10_000), void("F-1"), CLOSE) == [], (
        "a number that was never used moves nothing"
    )
    sold = [marker(), bought(1_000, tender="marker")]
    assert moved(*sold, tray("closer", 9_000), void("M-1")) == [(6, 1_000)], (
        "the chips of a marker come back with it"
    )


def test_play_without_a_new_opener_is_found_when_the_day_is_closed_or_the_next_opener_comes() -> None:
    closer = tray("closer", 10_000)
    assert moved(closer, *hand("r1", 300), CLOSED, CLOSE) == [(7, 300)], "at the closing of the table"
    assert moved(closer, *hand("r1", 300), tray("opener", 10_300)) == [(7, 300)]
    assert moved(closer, tray("opener", 10_000), *hand("r1", 300), CLOSE) == []
    correction = {
        "kind": "corrected",
        "round": "r1",
        "spot": "1",
        "wager": "over",
        "amount": 200,
        "reason": "misread",
    }
    correction |= {"by": "s-1", "second": "s-2"}
    assert moved(*hand("r1", 300), tray("closer", 10_300), correction, CLOSE) == [(7, -200)]


def test_each_currency_has_a_tray_of_its_own() -> None:
    euros = [opened(currency="EUR"), tray("opener", 2_000), bought(500), tray("closer", 1_500)]
    assert moved(slip("F-1"), tray("closer", 15_000), *euros, void("F-1"), CLOSE) == [(9, -5_000)]


def voided(*facts: Any) -> list[tuple[int, str, str]]:
    """Return the findings about voids: the number of the fact, code and grade of each."""
    findings = findings_of(opened(), *facts)
    return [
        (finding.number, finding.code, finding.grade)
        for finding in findings
        if finding.code in ("void-after-receipt", "slip-serial-twice")
    ]


def test_a_slip_whose_chips_were_received_is_not_voided() -> None:
    assert voided(slip("F-1"), void("F-1")) == [(3, "void-after-receipt", "integrity")]
    assert voided(slip("C-1"), void("C-1")) == [(3, "void-after-receipt", "integrity")]
    assert voided(slip("F-1"), void("F-2")) == [], "another number, whose paper was spoilt"
    assert voided(slip("F-1", received_by=" "), void("F-1")) == [], (
        "nobody received it: that is found of the slip"
    )
    assert voided(marker(), void("M-1")) == [], "a marker moves no chips by itself"
    (finding,) = [
        finding
        for finding in findings_of(opened(), slip("F-1"), void("F-1"))
        if finding.code == "void-after-receipt"
    ]
    says = (
        "Slip F-1, a fill of 50.00 USD, was received by d-1 and then voided; a fill that was received is"
        " reversed by a credit."
    )
    assert (finding.says, finding.cite[:13]) == (says, "Control SL-07")


def test_a_slip_voided_before_it_was_sent_by_the_clocks_is_a_notice() -> None:
    early, late = {"at": "2026-11-27T12:00:00-08:00"}, {"at": "2026-11-27T13:00:00-08:00"}
    assert voided(slip("F-1", **late), void("F-1", source="cage-2", **early)) == [
        (3, "void-after-receipt", "notice")
    ]
    assert voided(slip("F-1", **early), void("F-1", source="cage-2", **late)) == [
        (3, "void-after-receipt", "integrity")
    ]


def test_a_void_that_comes_before_its_slip_and_is_later_by_its_clock_is_found_at_the_slip() -> None:
    early, late = {"at": "2026-11-27T12:00:00-08:00"}, {"at": "2026-11-27T13:00:00-08:00"}
    assert voided(void("F-1", **late), slip("F-1", **early)) == [(3, "void-after-receipt", "integrity")]
    assert voided(void("F-1", source="cage-2", **late), slip("F-1", **early)) == [
        (3, "void-after-receipt", "notice")
    ]
    assert voided(void("F-1", **early), slip("F-1", **late)) == [], (
        "the number was spoilt: that is slip-serial-twice, in the ledger"
    )


def test_a_slip_is_voided_once() -> None:
    assert voided(void("F-1"), void("F-1")) == [(3, "slip-serial-twice", "integrity")]
    assert voided(slip("F-1"), void("F-1"), slip("F-1"), void("F-1")) == [
        (3, "void-after-receipt", "integrity"),
        (5, "void-after-receipt", "integrity"),
    ]


def test_findings_are_the_same_if_the_state_is_saved_after_every_fact() -> None:
    clocks = [{"at": f"2026-11-27T1{hour}:00:00-08:00"} for hour in range(2, 8)]
    shifts = {"day": "2026-11-27T06:00:00-08:00", "swing": "2026-11-27T20:00:00-08:00"}
    day = [
        opened(shifts=shifts),
        tray("opener", 10_000, **clocks[0]),
        *hand("r1", 500, **clocks[0]),
        slip("F-1", **clocks[1]),
        tray("closer", 15_500, **clocks[2]),
        void("F-1", source="cage-2", **clocks[0]),
        void("F-1", **clocks[3]),
        void("F-2", **clocks[3]),
        slip("F-2", **clocks[2]),
        box(shift="swing", **clocks[4]),
        CLOSE | clocks[5],
    ]
    at_once, parts = Fold("aurora/EOU-01/2026-11-27"), []
    fold = Fold("aurora/EOU-01/2026-11-27")
    for number, fact in enumerate(events(day), 1):
        at_once.take(number, fact)
        fold.take(number, fact)
        if not fold.in_round:
            parts += fold.findings.values()
            fold = Fold("aurora/EOU-01/2026-11-27", fold.keep())
    assert {finding.code for finding in parts} >= {
        CODE,
        "void-after-receipt",
        "slip-serial-twice",
        "no-such-shift",
        "drop-missing",
    }
    assert parts == list(at_once.findings.values())


def test_a_day_without_faults_and_with_every_cage_fact_has_no_finding() -> None:
    play = [*hand("r1", 500), bought(), void("F-2"), box(), tray("closer", 14_500)]
    assert codes(opened(), seated(), tray("opener", 10_000), slip("F-1"), *play, CLOSED, *COUNTED, CLOSE) == [
        (6, "no-such-bet")
    ]

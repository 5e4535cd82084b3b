"""The codes of findings, with their grades. The codes are part of the public interface and never change."""

from __future__ import annotations

_GRADES = {
    "integrity": (
        """duplicate-card impossible-card impossible-die not-shuffled dealt-past-cut cut-differs
        shoe-overrun wrong-decks late-bet late-unbet late-pull choice-too-late no-such-bet
        void-without-reason void-not-signed corrected-unsigned slip-signed-once slip-serial-gap
        slip-serial-twice inventory-does-not-balance pay-table-not-approved dealer-unknown
        unknown-kind-of-play alarm-unanswered feed-contradicts signed-once tray-moved-after-count
        void-after-receipt no-such-tray entry-not-understood"""
    ),
    "money": (
        """wrong-settlement not-settled settled-twice settled-too-soon no-such-wager below-minimum
        above-maximum side-without-main side-above-main unequal-bet both-sides bet-not-offered
        too-many-spots pull-not-allowed seven-not-swept void-not-returned corrected-beyond-owed
        drop-missing count-differs does-not-foot"""
    ),
    "outcome": (
        """wrong-card-count wrong-deal-order dealt-too-soon dealt-after-match stopped-before-match
        revealed-too-soon announced-wrong card-not-read void-required choice-missing
        choice-without-bet burn-count"""
    ),
    "procedure": (
        """bets-not-closed too-few-shakes not-announced marker-wrong-value marker-wrong-side not-marked
        settled-out-of-order not-cleared out-of-order cut-too-deep round-left-open
        without-reason count-missing dealer-missing table-left-open no-such-shift limits-not-in-chips"""
    ),
    "notice": "tie-unregulated feed-gap clock-backwards wrong-day sees-less",
}

_ACROSS_TABLES = {
    "integrity": (
        """box-elsewhere box-unknown box-pulled-twice opener-differs adjusted-twice
        deposit-twice adjusted-elsewhere adjusted-open-day signer-not-entitled person-unknown roles-not-apart
        supervises-himself slip-wrong-series unknown-chip opener-missing closer-missing
        recount-missing table-unknown"""
    ),
    "money": (
        """marker-overpaid marker-unknown marker-chips-differ write-off-exceeds-marker
        drop-received-differs deposit-differs deposit-unknown deposit-unconfirmed"""
    ),
    "procedure": (
        """person-at-two-tables limits-jumped team-too-small close-missing pull-missing
        camera-down-unlogged drop-not-logged table-without-camera"""
    ),
    "notice": "closed-out-of-order read-corrected",
}
"""Codes of checks that compare several tables, and of checks that need a register."""

GRADE: dict[str, str] = {
    code: grade
    for grades in (_GRADES, _ACROSS_TABLES)
    for grade, codes in grades.items()
    for code in codes.split()
}
"""For each code: its grade (integrity, money, outcome, procedure or notice)."""

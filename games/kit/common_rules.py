"""The rules that all games share, with the kinds of fact that each one needs and the clause that it cites."""

from __future__ import annotations

from collections.abc import Mapping

from games.kit import citations as c
from games.kit.rules import Rule

_KINDS_AND_CITES: dict[str, tuple[str, str]] = {
    # For each code: the kinds of fact that the rule needs, and its citation for a game whose manual has no
    # clause of its own.
    "unknown-kind-of-play": ("", c.ENVELOPE),
    "out-of-order": ("round-opened", c.ENVELOPE),
    "no-such-wager": ("bet", c.reference("bet")),
    "late-bet": ("bet", c.BETS_AND_LIMITS),
    "late-unbet": ("unbet", c.BETS_AND_LIMITS),
    "no-such-bet": ("bet", c.PAYOUT_RIGHT),
    "below-minimum": ("bet", c.BETS_AND_LIMITS),
    "above-maximum": ("bet", c.BETS_AND_LIMITS),
    "too-many-spots": ("bet", c.BETS_AND_LIMITS),
    "bets-not-closed": ("no-more-bets deal", c.BETS_AND_LIMITS),
    "card-not-read": ("deal", c.reference("deal")),
    "impossible-card": ("", c.CARDS_COMPLETE),
    "duplicate-card": ("deal shuffled", c.CARDS_COMPLETE),
    "not-shuffled": ("deal shuffled", c.CARDS_SHUFFLED),
    "dealt-past-cut": ("deal shuffled cut-card-shown", c.CARDS_SHUFFLED),
    "cut-differs": ("deal shuffled cut-card-shown", c.CARDS_COMPLETE),
    "shoe-overrun": ("deal shuffled", c.CARDS_COMPLETE),
    "wrong-decks": ("", c.CARDS_COMPLETE),
    "pay-table-not-approved": ("", c.PAY_TABLE_APPROVED),
    "void-without-reason": ("void", c.VOID_SIGNED),
    "void-not-signed": ("void", c.VOID_SIGNED),
    "void-not-returned": ("void return bet", c.STAKES_RETURNED),
    "void-required": ("void bet", c.STAKES_RETURNED),
    "corrected-unsigned": ("corrected", c.CORRECTION_SIGNED),
    "corrected-beyond-owed": ("corrected bet", c.GOODWILL),
    "round-left-open": ("round-opened round-closed", c.reference("round-closed")),
}
_ONE_ROUND_DECK = {code: ("deal", _KINDS_AND_CITES[code][1]) for code in ("duplicate-card", "shoe-overrun")}
"""For rules about the shoe, in a game whose deck is shuffled every round: the kinds of fact that the rule
needs, and the clause that it cites. The cards are counted within the round, so `shuffled` is not needed.
"""
_MONEY_CODES = ("wrong-settlement", "not-settled", "settled-twice", "settled-too-soon")
_OUTCOME_CODES = ("void-required",)
"""Codes of rules that also need the kinds of fact that decide the game's wagers."""
PAST_CUT_COUNTED = "dealt-past-cut, by the count of cards"
"""Key of the second rule with the code `dealt-past-cut`. It counts cards, so it does not need
`cut-card-shown`.
"""
CUT_DEPTH = "cut-depth"
"""Key under which a game cites the clause about the part of the shoe that may be dealt."""
MISDEAL = "misdeal"
"""Key under which a game cites the clause about the cards after a round with a wrong number of cards."""


def common_rules(
    *,
    decided_by: str,
    cites: Mapping[str, str],
    needs: Mapping[str, str],
    every_round: bool,
    burns: bool,
    has_unapproved_pay_tables: bool,
    waves: bool,
) -> dict[str, Rule]:
    """Return the rules that all games share, as they apply to one game, by their code.

    Args:
        decided_by: kinds of fact that a table must report to have settlements judged, with spaces between.
        cites: clauses of the game's manual that replace the usual citations, by rule code.
        needs: further kinds of fact that a rule needs in this game, by rule code.
        every_round: True if the deck is shuffled every round, so that there is no cut card.
        burns: True if cards are burned too, so that only a table that reports `burn` sees all cards.
        has_unapproved_pay_tables: True if the game names pay tables that no regulator has approved.
        waves: True if the dealer closes betting before the cards.
    """
    kinds_and_cites = _kinds_and_cites(decided_by, every_round, burns)
    if not has_unapproved_pay_tables:
        del kinds_and_cites["pay-table-not-approved"]  # the audit checks approvals in the register
    if not waves:
        del kinds_and_cites["bets-not-closed"]
    rules = {
        code: Rule(
            code=code,
            cite=cites.get(code, cite),
            needs=frozenset(f"{kinds} {needs.get(code, '')}".split()),
            says=code.replace("-", " "),
        )
        for code, (kinds, cite) in kinds_and_cites.items()
    }
    past = rules["dealt-past-cut"]
    if every_round:
        del rules["dealt-past-cut"]  # the deck is complete again before each round, so there is no cut card
    else:
        rules[PAST_CUT_COUNTED] = Rule(
            code=past.code,
            cite=past.cite,
            needs=frozenset({"deal", "shuffled"}),
            says=PAST_CUT_COUNTED.replace("-", " "),
        )
    return rules


def _kinds_and_cites(decided_by: str, every_round: bool, burns: bool) -> dict[str, tuple[str, str]]:
    """Return the kinds of fact that each shared rule needs and the clause that it cites, by rule code."""
    common = (
        dict(_KINDS_AND_CITES)
        | (_ONE_ROUND_DECK if every_round else {})
        | dict.fromkeys(_MONEY_CODES, (f"bet {decided_by}", c.PAYOUT_RIGHT))
    )
    for code in _OUTCOME_CODES:
        kinds, cite = common[code]
        common[code] = (f"{kinds} {decided_by}", cite)
    if burns:
        common["cut-differs"] = (f"{common['cut-differs'][0]} burn", common["cut-differs"][1])
    return common

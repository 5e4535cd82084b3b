"""Compare the sums of a stream: the tray with its facts, the tally with the tray, and the findings with the
difference between what moved and what was owed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from audit.replay.fold import Fold
from games.kit import events as e
from games.kit.events import Event

OF_CORRECTIONS = ("corrected-beyond-owed",)
"""Codes about corrections, which are not counted in the rows of play."""


def tray_of(facts: Iterable[Event]) -> int:
    """Return the net effect of the facts of play on the tray, in minor units.

    A return takes chips from the tray, except for chips of the player that are still on the layout. If the
    round is not open, all returned chips come from the tray.
    """
    tray, open_round, void = 0, None, False
    stakes: dict[tuple[str, str], int] = {}
    taken: dict[tuple[str, str], int] = {}
    lifted: dict[tuple[str, str], int] = {}
    for fact in facts:
        match fact:
            case e.RoundOpened():
                open_round, void, stakes, taken, lifted = fact.round, False, {}, {}, {}
            case e.Void():
                void = True
            case e.RoundClosed() | e.TableOpened() | e.TableClosed():
                open_round = None
            case e.Bet():
                stakes[fact.spot, fact.wager] = stakes.get((fact.spot, fact.wager), 0) + fact.amount
            case e.Pull() if not void and fact.wager.endswith(("-1", "-2")):
                stakes.pop((fact.spot, fact.wager), None)
            case e.Take():
                tray += fact.amount
                if not void:
                    taken[fact.spot, fact.wager] = taken.get((fact.spot, fact.wager), 0) + fact.amount
            case e.Pay():
                tray -= fact.amount
            case e.Settled():
                tray += sum(amount for _, _, amount in fact.taken) - sum(amount for _, _, amount in fact.paid)
            case e.Corrected():
                tray -= fact.amount
            case e.Return() if fact.round != open_round or open_round is None:
                tray -= fact.amount
            case e.Return():
                key = fact.spot, fact.wager
                undone = min(fact.amount, taken.get(key, 0))
                lying = max(0, stakes.get(key, 0) - taken.get(key, 0) - lifted.get(key, 0))
                taken[key] = taken.get(key, 0) - undone
                stakes[key] = stakes.get(key, 0) - undone
                lifted[key] = lifted.get(key, 0) + min(fact.amount - undone, lying)
                tray -= fact.amount - min(fact.amount - undone, lying)
    return tray


def differences(fold: Fold, facts: Sequence[Event]) -> list[str]:
    """Return a sentence for each sum that differs from the sum that it must equal, or an empty list if all
    agree.
    """
    rows = fold.tally.play.values()
    corrected = sum(row.amount for (_, _, kind), row in fold.tally.cage.items() if kind == "corrected")
    won = sum(row.taken - row.paid for row in rows)
    wrong = []
    tray, of_facts = sum(fold.state.tray.values()), tray_of(facts)
    if tray != of_facts:
        wrong.append(f"the fold has {tray} in the tray, the facts bring {of_facts}")
    if won - corrected != tray:
        wrong.append(f"the tally has won {won} and corrected {corrected}, the tray has {tray}")
    unexplained = won + sum(Fraction(row.unseen - row.owed - row.undivided, row.parts) for row in rows)
    of_findings = sum(
        Fraction(money)
        for row in rows
        for code, (_, money, _) in row.found.items()
        if code not in OF_CORRECTIONS
    )
    rounds = {fact.round for fact in facts if isinstance(fact, e.RoundOpened)}
    of_findings -= sum(
        fact.amount for fact in facts if isinstance(fact, e.Corrected) and fact.round not in rounds
    )
    if (
        unexplained != -of_findings and not fold.state.cancelled
    ):  # money that a cancelled round still owes is found when the day is closed
        wrong.append(
            f"the casino has {unexplained} beyond what the rules brought, and findings say {-of_findings}"
        )
    if any(row.staked < row.returned for row in rows):
        wrong.append("more was returned than staked: the handle is negative")
    return wrong

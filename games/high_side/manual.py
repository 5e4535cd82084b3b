"""The content of the manual of High Side: pay tables, open questions, and how each wager is settled."""

from __future__ import annotations

from collections.abc import Iterator

from games.high_side.dice_and_card import NUMBER, SWEPT
from games.high_side.hands import HighSideRound
from games.high_side.questions import CONTRADICTIONS, QUESTIONS
from games.kit import events as e
from games.kit.game import Game, Source
from games.kit.line import Line
from games.kit.odds import Odds, to_one
from games.kit.rules import Mistake

OVERVIEW, RULES, PAYOUTS = "HS Overview", "HS Rules", "HS Payouts"

BONUS_PAYS = {  # HS Payouts, by the margin of victory; a margin of five or less loses
    "1": {6: "1 to 1", 7: "2 to 1", 8: "4 to 1", 9: "6 to 1", 10: "10 to 1", 11: "15 to 1"},
    "2": {6: "1 to 1", 7: "2 to 1", 8: "3 to 1", 9: "5 to 1", 10: "10 to 1", 11: "30 to 1"},
    "3": {6: "1 to 1", 7: "2 to 1", 8: "4 to 1", 9: "5 to 1", 10: "10 to 1", 11: "20 to 1"},
    "4": {6: "1 to 1", 7: "2 to 1", 8: "3 to 1", 9: "5 to 1", 10: "10 to 1", 11: "25 to 1"},
    "felt": {
        6: "1 to 1",
        7: "2 to 1",
        8: "3 to 1",
        9: "5 to 1",
        10: "10 to 1",
        11: "20 to 1",
    },  # printed only on the layout
}


game = Game(
    code="high_side",
    source=Source(
        "HS",
        "High Side, Washington State Game Manual, Paradigm Table Games",
        "2013-03",
        (OVERVIEW, f"{RULES} ", PAYOUTS),
    ),
    round=HighSideRound,
    live_dealer=False,
    wagers=(*NUMBER, "bonus"),
    editions={"2013-03": None},
    pay_tables={"bonus": BONUS_PAYS},
    decks=6,
    every_round=False,
    has_place=frozenset(("community",)).__contains__,
    plays=(e.Shake, e.Roll, e.Choose, e.Pull),
    decided_by="deal roll pull",
    waves=False,
    options={"tie": ("lose", "push")},
    never_approved={"bonus": ("felt",)},
    needs={"void-not-returned": "pull"},
    cites={
        "shoe-overrun": OVERVIEW,
        "duplicate-card": OVERVIEW,
        "wrong-decks": OVERVIEW,
        "impossible-card": OVERVIEW,
        "too-many-spots": OVERVIEW,
        "late-bet": f"{RULES} 1 and 4",
        "late-unbet": f"{RULES} 1 and 4",
        "late-bet bonus": f"{RULES} 2 and 4",
        "late-unbet bonus": f"{RULES} 2 and 4",
        "no-such-wager": OVERVIEW,
        "no-such-bet": f"{RULES} 11 and 12",
        "settled-too-soon": f"{RULES} 11 and 12",
        "settled-twice": f"{RULES} 11 and 12",
        "below-minimum": f"{RULES} 1 and 2",
        "above-maximum": f"{RULES} 1 and 2",
        "pay-table-not-approved": PAYOUTS,
    },
    questions=QUESTIONS,
    contradictions=CONTRADICTIONS,
)

WINS = {
    "dice": Odds(
        1, 1, "The dice are higher than the card: wagers on the dice pay even money.", f"{RULES} 11"
    ),
    "card": Odds(1, 1, "The card is higher than the dice: wagers on the card pay even money.", f"{RULES} 11"),
}
LOSES = {
    "dice": Odds(-1, 1, "The card is higher than the dice: wagers on the dice are collected.", f"{RULES} 11"),
    "card": Odds(
        -1, 1, "The dice are higher than the card: wagers on the card are collected.", f"{RULES} 11"
    ),
}
SEVEN = Odds(-1, 1, "The dice sum to 7: the second and third wagers are collected.", f"{RULES} 8")
TIES = {
    "lose": Odds(
        -1,
        1,
        "Dice and card are equal, for which the manual has no rule; this table collects every wager that is"
        " not on a High Side.",
        f"{RULES} 11",
    ),
    "push": Odds(
        0,
        1,
        "Dice and card are equal, for which the manual has no rule; this table settles it as a push.",
        f"{RULES} 11",
    ),
}
BONUS = {
    name: {
        margin: Odds(*to_one(pays), f"A margin of {margin} pays {pays} by pay table {name}.", PAYOUTS)
        for margin, pays in table.items()
    }
    for name, table in BONUS_PAYS.items()
}
BONUS_LOSES = Odds(-1, 1, "The Bonus loses when the High Side wins by five or less.", PAYOUTS)


def by_the_values(side: str, dice: int, card: int, tie: str) -> Odds:
    """Return the odds of a main wager on `side` after the total of the dice is compared with the card."""
    if dice == card:
        return TIES[tie]
    return WINS[side] if (dice > card) == (side == "dice") else LOSES[side]


@game.settles(*NUMBER)
def high_side(round: HighSideRound, line: Line) -> Odds | None:
    """Return the odds owed on a wager on the dice or on the card (Rules 8 and 11)."""
    if round.seven and line.wager in SWEPT:
        return SEVEN
    if round.total is None or round.pip is None:
        return None
    return by_the_values(line.wager[:4], round.total, round.pip, round.table.answers["tie"])


@game.settles("bonus")
def bonus(round: HighSideRound, line: Line) -> Odds | None:
    """Return the odds owed on the Bonus by the margin of victory and the table's pay table."""
    table = BONUS.get(round.table.opened.pay_tables.get("bonus", ""))
    if round.total is None or round.pip is None or table is None:
        return None
    return table.get(abs(round.total - round.pip), BONUS_LOSES)


def counted_wrong(pip: int) -> Iterator[tuple[int, str]]:
    """Yield the wrong values that a dealer may give a card, because it has this value in other games. Each
    comes with a sentence that explains the mistake.
    """
    if pip > 10:
        yield 10, "the picture card was counted as 10."
    elif pip == 1:
        yield 11, "the ace was counted as 11."
        yield 14, "the ace was counted high."


@game.mistakes(*NUMBER)
def another_comparison(round: HighSideRound, line: Line) -> Iterator[Mistake]:
    """Yield the mistakes that a dealer may make on main wagers: missing a seven, settling a tie the other
    way, or counting a card or die wrongly.
    """
    side, total, pip, tie = line.wager[:4], round.total, round.pip, round.table.answers["tie"]
    if total is None or pip is None:
        return
    if round.seven and line.wager in SWEPT:
        yield Mistake(
            "the seven was missed and the wager was settled by the card.",
            by_the_values(side, total, pip, tie),
        )
        return
    if total == pip:
        other = "push" if tie == "lose" else "lose"
        yield Mistake(
            f"the tie was settled as {'a push' if tie == 'lose' else 'a loss'}; this table's reading is"
            f" {tie}.",
            TIES[other],
        )
        return
    if total == 7:
        yield Mistake("the first wager was collected on the seven, like the second and third.", SEVEN)
    for value, says in counted_wrong(pip):
        yield Mistake(says, by_the_values(side, total, value, tie))
    if abs(total - pip) == 1:
        yield Mistake("the dice and the card were treated as equal.", TIES[tie])


@game.mistakes("bonus")
def another_margin(round: HighSideRound, line: Line) -> Iterator[Mistake]:
    """Yield the mistakes that a dealer may make on the Bonus: paying by another pay table, paying a margin
    that is one higher or lower, or counting a card wrongly.
    """
    table_name = round.table.opened.pay_tables.get("bonus", "")
    total, pip = round.total, round.pip
    if total is None or pip is None or table_name not in BONUS:
        return
    margin = abs(total - pip)
    high = "dice" if total > pip else "card"
    if any(
        other.stake and other.wager in NUMBER and other.wager[:4] != high for other in round.spots[line.spot]
    ):
        yield Mistake(
            "the Bonus was collected with the side that lost; it wins with either side.", BONUS_LOSES
        )
    for name, table in BONUS.items():
        if name != table_name and margin in table:
            yield Mistake(
                f"it was paid by {'the felt' if name == 'felt' else f'pay table {name}'}; the table opened"
                f" with {table_name}.",
                table[margin],
            )
    for near in (margin - 1, margin + 1):
        if near <= max(BONUS[table_name]):
            yield Mistake(f"the margin was counted as {near}.", BONUS[table_name].get(near, BONUS_LOSES))
    for value, says in counted_wrong(pip):
        yield Mistake(says, BONUS[table_name].get(abs(total - value), BONUS_LOSES))

"""The content of the manual of Casino Over Under: the bonus table, open questions, and how each wager is
settled.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.casino_over_under.hands import BASE, OverUnderRound
from games.casino_over_under.questions import CONTRADICTIONS, QUESTIONS
from games.kit import events as e
from games.kit.common_rules import MISDEAL
from games.kit.game import Game, Source
from games.kit.line import Line
from games.kit.odds import Odds, to_one
from games.kit.rules import Mistake

OVERVIEW, DEALING, IRREGULAR = (
    "COU Overview of the Rules",
    "COU Dealing Procedures",
    "COU Irregularities in Dealing Procedures",
)
WAGERS, OUTCOMES, BONUS = (
    f"{OVERVIEW}, Time and location of wagers",
    f"{OVERVIEW}, How the outcomes are determined",
    "COU Bonus Payout Table",
)

OVER, UNDER = 23, 18  # COU How the outcomes are determined: greater than 23, less than 18
BONUS_PAYS = {  # COU Bonus Payout Table, Figure 1, by total; totals from 13 through 26 lose
    "figure-1": {
        12: "1 to 1",
        11: "2 to 1",
        10: "3 to 1",
        9: "4 to 1",
        8: "5 to 1",
        7: "10 to 1",
        6: "50 to 1",
        27: "1 to 1",
        28: "2 to 1",
        29: "3 to 1",
        30: "4 to 1",
        31: "5 to 1",
        32: "10 to 1",
        33: "50 to 1",
    },
}
SPOTS = 4  # COU Time and location of wagers: "a maximum of four games"


game = Game(
    code="casino_over_under",
    source=Source(
        "COU",
        "Casino Over Under, Procedure Manual, Casino Over Under LLC",
        "2016",
        (OVERVIEW, f"{DEALING} ", f"{IRREGULAR} ", BONUS),
    ),
    round=OverUnderRound,
    live_dealer=False,
    wagers=("ante", "over", "under", "bonus"),
    editions={"2016": None},
    pay_tables={"bonus": BONUS_PAYS},
    decks=None,
    every_round=False,
    has_place=lambda place: len(place) < 4 and place.isascii() and place.isdigit(),
    plays=(e.Choose, e.Burn),
    decided_by="deal",
    cites={
        "bets-not-closed": f"{DEALING} 2",
        MISDEAL: f"{IRREGULAR} 1",
        "shoe-overrun": f"{OVERVIEW}, Introduction",
        "duplicate-card": f"{OVERVIEW}, Introduction",
        "impossible-card": f"{OVERVIEW}, Introduction",
        "wrong-decks": f"{OVERVIEW}, Introduction",
        "no-such-wager": f"{OVERVIEW}, Introduction",
        "late-bet": WAGERS,
        "late-unbet": WAGERS,
        "late-bet over": f"{DEALING} 5",
        "late-bet under": f"{DEALING} 5",
        "late-unbet over": f"{DEALING} 5",
        "late-unbet under": f"{DEALING} 5",
        "out-of-order": WAGERS,
        "below-minimum": f"{DEALING} 1",
        "above-maximum": f"{DEALING} 1",
        "settled-too-soon": f"{DEALING} 6",
        "settled-twice": f"{DEALING} 6",
        "no-such-bet": f"{DEALING} 6",
        "void-not-returned": f"{IRREGULAR} 1",
        "void-required": f"{IRREGULAR} 1",
    },
    questions=QUESTIONS,
    contradictions=CONTRADICTIONS,
)

WINS = {
    "over": Odds(1, 1, f"Over {OVER} wins even money on a total above {OVER}.", OUTCOMES),
    "under": Odds(1, 1, f"Under {UNDER} wins even money on a total below {UNDER}.", OUTCOMES),
}
LOSES = {
    "over": Odds(-1, 1, f"Over {OVER} loses on a total of {OVER} or less; there are no pushes.", OUTCOMES),
    "under": Odds(
        -1, 1, f"Under {UNDER} loses on a total of {UNDER} or more; there are no pushes.", OUTCOMES
    ),
}
SURRENDER = Odds(-1, 1, "The player surrendered: the ante is forfeited.", f"{DEALING} 4")
NOTHING_SURRENDERED = Odds(0, 1, "The player surrendered: nothing is owed on over or under.", f"{DEALING} 4")
BONUSES = {
    name: {
        total: Odds(*to_one(pays), f"A total of {total} pays {pays} on the bonus.", f"{BONUS}, Figure 1")
        for total, pays in table.items()
    }
    for name, table in BONUS_PAYS.items()
}
NO_BONUS = Odds(-1, 1, "The bonus loses on a total of 13 through 26.", f"{BONUS}, Figure 1")


def base(side: str, total: int) -> Odds:
    """Return the odds of a wager on over or under with this total."""
    return (WINS if (total > OVER if side == "over" else total < UNDER) else LOSES)[side]


@game.settles("ante", "over", "under")
def over_or_under(round: OverUnderRound, line: Line) -> Odds | None:
    """Return the odds owed on over or under by the total, or on the ante by the side that was chosen. After a
    surrender only the ante is settled.
    """
    if round.surrendered(line.spot):
        return SURRENDER if line.wager == "ante" else NOTHING_SURRENDERED
    total, side = round.hands[line.spot].total, line.wager if line.wager in BASE else round.side(line.spot)
    return base(side, total) if total is not None and side is not None else None


@game.settles("bonus")
def bonus(round: OverUnderRound, line: Line) -> Odds | None:
    """Return the odds owed on the bonus by the total of the three cards, independently of the base game."""
    total, table = round.hands[line.spot].total, BONUSES.get(round.table.opened.pay_tables.get("bonus", ""))
    return table.get(total, NO_BONUS) if total is not None and table is not None else None


def aces_as_one(round: OverUnderRound, spot: str) -> list[int]:
    """Return the totals that result if one ace or more is counted as 1."""
    hand = round.hands[spot]
    return (
        [hand.total - 10 * ace for ace in range(1, hand.values.count(11) + 1)]
        if hand.total is not None
        else []
    )


@game.mistakes("ante", "over", "under")
def base_mistakes(round: OverUnderRound, line: Line) -> Iterator[Mistake]:
    """Yield the mistakes that a dealer may make on the base game: taking half on a surrender, counting an ace
    as 1, treating 18 or 23 as a push, or settling both circles together as one wager.
    """
    if line.wager == "ante" and round.surrendered(line.spot):
        yield Mistake(
            "half of the ante was taken, and a surrender forfeits all of it.", Odds(-1, 2, "", f"{DEALING} 4")
        )
        return
    total, side = round.hands[line.spot].total, line.wager if line.wager in BASE else round.side(line.spot)
    if total is None or side is None:
        return
    right = base(side, total)
    if round.surrendered(line.spot):
        yield Mistake(f"the surrender was overlooked, and {side} settled on a total of {total}.", right)
        return
    for counted in aces_as_one(round, line.spot):
        if base(side, counted) is not right:
            yield Mistake(f"an ace was counted as 1, a total of {counted} for {total}.", base(side, counted))
    if total in (OVER, UNDER):
        yield Mistake(f"{total} was treated as a push; it loses.", Odds(0, 1, "", OUTCOMES))
        yield Mistake(f"{total} was counted among the winning totals; it loses.", WINS[side])
    yield Mistake(
        "ante and base wager were settled together on one circle.",
        Odds(2 * right.up, right.down, "", f"{DEALING} 6"),
    )


@game.mistakes("bonus")
def bonus_mistakes(round: OverUnderRound, line: Line) -> Iterator[Mistake]:
    """Yield the mistakes that a dealer may make on the bonus: counting an ace as 1, reading the multiplier as
    odds for one, or paying for another total.
    """
    total, table = round.hands[line.spot].total, BONUSES.get(round.table.opened.pay_tables.get("bonus", ""))
    if total is None or table is None:
        return
    for counted in aces_as_one(round, line.spot):
        yield Mistake(
            f"an ace was counted as 1, a total of {counted} for {total}.", table.get(counted, NO_BONUS)
        )
    right = table.get(total)
    if right is not None:
        yield Mistake(
            "the multiplier was read as for one, the stake included.",
            Odds(right.up - right.down, right.down, "", right.cite),
        )
    for other in sorted(table, key=lambda paid: abs(paid - total)):
        yield Mistake(f"it was paid as on a total of {other}; the cards make {total}.", table[other])

"""The content of the manual of Easy Over Under: pay tables, open questions, and how each wager is settled."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from games.easy_over_under.hands import EasyRound
from games.easy_over_under.questions import CONTRADICTIONS, QUESTIONS
from games.kit import events as e
from games.kit.common_rules import CUT_DEPTH
from games.kit.game import Game, Source
from games.kit.line import Line
from games.kit.odds import Odds, to_one
from games.kit.rules import Mistake

RULES, DEALER, PAYOUTS = "EOU Game Rules", "EOU Dealer Instructions", "EOU Payouts & House Edge"

SPREAD_PAYS = {  # EOU Payouts & House Edge, Bet The Spread
    "A": {6: "1 to 1", 7: "2 to 1", 8: "3 to 1", 9: "5 to 1", 10: "10 to 1", 11: "30 to 1"},
    "B": {6: "1 to 1", 7: "2 to 1", 8: "3 to 1", 9: "5 to 1", 10: "10 to 1", 11: "25 to 1"},
}
# EOU Payouts & House Edge, Short Side: by the roll; on a seven the wager is not permitted
SHORT_SIDE_PAYS = {
    2: "11 to 1",
    3: "5 to 1",
    4: "3 to 1",
    5: "2 to 1",
    6: "7 to 5",
    8: "7 to 5",
    9: "2 to 1",
    10: "3 to 1",
    11: "5 to 1",
    12: "11 to 1",
}
# EOU Game Rules 8 and rack card: the cards below a roll under seven, or above a roll over seven, win
SHORT_SIDE = {
    roll: frozenset(range(1, roll) if roll < 7 else range(roll + 1, 14)) for roll in SHORT_SIDE_PAYS
}
SHAKES = 5  # EOU Dealer Instructions 3: "a minimum of five times"


game = Game(
    code="easy_over_under",
    source=Source(
        "EOU",
        "Easy Over Under, Game Manual, Paradigm Table Games",
        "2010-02-05",
        ("EOU Overview", f"{RULES} ", f"{DEALER} ", f"{PAYOUTS}, "),
    ),
    round=EasyRound,
    live_dealer=False,
    wagers=("over", "under", "spread", "short-side"),
    editions={"2010-02-05": None},
    pay_tables={"spread": SPREAD_PAYS},
    decks=None,
    every_round=False,
    has_place=lambda place: len(place) < 4 and place.isascii() and place.isdigit(),
    plays=(e.Shake, e.Roll, e.Mark),
    decided_by="deal roll",
    cites={
        "bets-not-closed": f"{DEALER} 10",
        "not-shuffled": f"{DEALER} 1",
        "shuffled": f"{DEALER} 17",
        "dealt-past-cut": f"{DEALER} 17",
        CUT_DEPTH: f"{DEALER} 1",
        "shoe-overrun": "EOU Overview",
        "impossible-card": "EOU Overview",
        "duplicate-card": "EOU Overview",
        "wrong-decks": "EOU Overview",
        "late-bet": f"{RULES} 1 and 2",
        "late-unbet": f"{RULES} 1 and 2",
        "late-bet short-side": f"{DEALER} 10",
        "late-unbet short-side": f"{DEALER} 10",
        "out-of-order": f"{RULES} 4",
        "too-many-spots": "EOU Overview",
        "no-such-wager": "EOU Overview",
        "settled-too-soon": f"{RULES} 5",
        "settled-twice": f"{DEALER} 13",
        "no-such-bet": f"{DEALER} 12 and 13",
    },
    questions=QUESTIONS,
    contradictions=CONTRADICTIONS,
)
game.cut_within = Fraction(1, 2)  # EOU Dealer Instructions 1: "no more than half of the cards can be dealt"

WIN = "{} wins even money when the card is {} than the roll."
WINS = {
    "over": Odds(1, 1, WIN.format("Over", "higher"), f"{RULES} 6"),
    "under": Odds(1, 1, WIN.format("Under", "lower"), f"{RULES} 7"),
}
LOSES = {
    "over": Odds(-1, 1, "Over loses when the card is lower than the roll.", f"{RULES} 6"),
    "under": Odds(-1, 1, "Under loses when the card is higher than the roll.", f"{RULES} 7"),
    "spread": Odds(-1, 1, "Bet The Spread loses when card and roll differ by less than six.", f"{RULES} 10"),
    "short-side": Odds(-1, 1, "The card lies on the long side of the roll.", f"{RULES} 8"),
}
TIE_HALF = Odds(-1, 2, "The card equals the roll, which is not doubles: half is lost.", f"{RULES} 9")
TIE_PUSH = Odds(0, 1, "The card equals the roll of doubles: a push.", f"{RULES} 9")
SPREAD = {
    name: {
        spread: Odds(
            *to_one(pays),
            f"A spread of {spread} pays {pays} by table {name}.",
            f"{PAYOUTS}, Bet The Spread {name}",
        )
        for spread, pays in table.items()
    }
    for name, table in SPREAD_PAYS.items()
}
SHORT = {
    roll: Odds(*to_one(pays), f"Roll {roll}: the Short Side pays {pays}.", f"{PAYOUTS}, Short Side")
    for roll, pays in SHORT_SIDE_PAYS.items()
}


@game.settles("over", "under", "short-side")
def against_the_roll(round: EasyRound, line: Line) -> Odds | None:
    """Return the odds owed on Over, Under or the Short Side (Game Rules 6 to 9)."""
    pip, total = round.hands[line.spot].pip, round.total
    if pip is None or total is None:
        return None
    if pip == total:
        return TIE_PUSH if round.doubles else TIE_HALF
    if line.wager == "short-side":
        return SHORT[total] if pip in SHORT_SIDE[total] else LOSES["short-side"]
    return WINS[line.wager] if (pip > total) == (line.wager == "over") else LOSES[line.wager]


@game.settles("spread")
def bet_the_spread(round: EasyRound, line: Line) -> Odds | None:
    """Return the odds owed on Bet The Spread by the table's pay table (Game Rules 10)."""
    pip, total, table = (
        round.hands[line.spot].pip,
        round.total,
        SPREAD.get(round.table.opened.pay_tables.get("spread", "")),
    )
    if pip is None or total is None or table is None:
        return None
    return table.get(abs(pip - total), LOSES["spread"])


@game.mistakes("over", "under", "short-side")
def tie_or_doubles_missed(round: EasyRound, line: Line) -> Iterator[Mistake]:
    """Yield the mistakes that a dealer may make on Over, Under and the Short Side: missing doubles or seeing
    them wrongly, counting an ace high, and paying the Short Side for another roll.
    """
    pip, total = round.hands[line.spot].pip, round.total
    if pip is None or total is None:
        return
    if pip == total:
        yield Mistake("the doubles were missed and half was taken.", TIE_HALF)
        yield Mistake("the tie was treated as a push, as if the roll were doubles.", TIE_PUSH)
    elif line.wager == "short-side":
        for roll, odds in SHORT.items():
            yield Mistake(f"the Short Side was paid as on a roll of {roll}.", odds)
    elif pip == 1:
        yield Mistake(
            "the ace was counted high.", WINS[line.wager] if line.wager == "over" else LOSES[line.wager]
        )
    elif abs(pip - total) == 1:
        yield Mistake("the card was treated as equal to the roll, and half was taken.", TIE_HALF)


@game.mistakes("spread")
def another_spread(round: EasyRound, line: Line) -> Iterator[Mistake]:
    """Yield the mistakes that a dealer may make on Bet The Spread: paying by the other pay table, or for a
    spread that is one higher or lower.
    """
    pip, total = round.hands[line.spot].pip, round.total
    if pip is None or total is None:
        return
    spread = round.table.opened.pay_tables.get("spread", "")
    for name, table in SPREAD.items():
        if name != spread and (odds := table.get(abs(pip - total))) is not None:
            yield Mistake(f"it was paid by pay table {name}; the table opened with {spread}.", odds)
    for near in (abs(pip - total) - 1, abs(pip - total) + 1):
        if odds := SPREAD.get(spread, {}).get(near):
            yield Mistake(f"it was paid for a spread of {near}.", odds)

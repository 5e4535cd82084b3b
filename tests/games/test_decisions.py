"""The cost of a decision is its difference from the best decision, computed over everything that may follow.
The average of luck over all outcomes is zero. Hands are replayed with stakes proportional to the number of
their combinations, so that the sums of the tally are averages over all outcomes.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations, product
from math import comb

import pytest

from audit.replay.fold import Fold
from games import GAMES
from games.kit import events as e
from games.kit.cards import DECK, RANKS
from games.kit.certificate import certificate_of
from games.kit.events import Event
from games.kit.game import Game
from games.kit.poker import HIGH_CARD, three
from games.kit.seat import Seat
from games.teen_patti.manual import ANTE_BONUS, THREE_NAMES
from games.teen_patti.odds import costs_by_hand, played_or_folded, suit_pattern
from tests.vectors.dealing import fact

SIGHT = ("bet", "roll", "deal", "take", "pay", "choose", "pull")
Sums = tuple[Fraction, Fraction, Fraction]
"""Theoretical win, cost of the decisions, and win by the rules, in minor units."""


def played(
    game: Game, rounds: Iterable[list[Event]], sees: tuple[str, ...] = SIGHT, **opening: object
) -> Sums:
    """Play each of these hands as a round at one table, replay them, and return the sums of the tally."""
    tables = {wager: next(iter(known)) for wager, known in game.pay_tables.items()}
    settings = {
        "game": game.code,
        "edition": next(iter(game.editions)),
        "pay_tables": tables,
        "decks": game.decks or 1,
        "spots": 0,
        "limits": {},
        "currency": "USD",
        "chip": 1,
        "readings": {},
        "sees": list(sees),
    } | opening
    fold, number = Fold("aurora/T/2026-11-27"), 1
    fold.take(1, fact(e.TableOpened, **settings))
    for facts in rounds:
        for event in (fact(e.RoundOpened), *facts, fact(e.RoundClosed)):
            number += 1
            fold.take(number, event)
    sums = [Fraction(0)] * 3
    for (_, _, _, _, wager, _, price_class, _), row in fold.tally.play.items():
        if not wager:
            continue
        certificate = certificate_of(game)
        assert certificate is not None
        if row.decided:
            edge = certificate.edge(
                str(settings["edition"]),
                wager,
                pay_tables=tables,
                decks=int(str(settings["decks"])),
                readings=dict(settings["readings"]),
                price_class=price_class,  # type: ignore[call-overload]
            )
            sums[0] += row.decided * edge
        sums[1] += Fraction(row.choices, row.parts)
        sums[2] += Fraction(row.owed, row.parts)
    return sums[0], sums[1], sums[2]


def bet(wager: str, ways: int, spot: str = "1") -> Event:
    return fact(e.Bet, spot=spot, wager=wager, amount=ways, player=None)


def deal(to: str, card: str) -> Event:
    return fact(e.Deal, to=to, card=card)


def choose(choice: str) -> Event:
    return fact(e.Choose, spot="1", choice=choice)


# -- Casino Over Under -------------------------------------------------------------------------------


def over_under(first: str, choice: str) -> list[list[Event]]:
    """Return hands with every combination of a second and a third card after this first card, from one
    deck.
    """
    hands = []
    for second, third in product(RANKS, repeat=2):
        ways = (4 - (second == first)) * (4 - (third == first) - (third == second))
        staked = [bet("ante", ways), deal("1", f"{first}s"), choose(choice)]
        if choice != "surrender":
            staked.append(bet(choice, ways))
        if ways:
            hands.append([*staked, deal("1", f"{second}h"), deal("1", f"{third}d")])
    return hands


def test_over_under_and_surrender_cost_the_difference_to_the_best_on_every_first_card() -> None:
    game, sums = GAMES["casino_over_under"], [Fraction(0)] * 3
    for first in RANKS:
        by_choice = [played(game, over_under(first, choice)) for choice in ("over", "under", "surrender")]
        results = [owed for _, _, owed in by_choice]
        assert [cost for _, cost, _ in by_choice] == [owed - min(results) for owed in results], first
        for theoretical, cost, owed in by_choice:
            sums = [total + part for total, part in zip(sums, (theoretical, cost, owed), strict=True)]
    theoretical, cost, owed = sums
    assert owed - theoretical - cost == 0, "luck over the whole space, for every choice"
    assert cost > 0


def test_a_choice_that_is_not_seen_leaves_theoretical_win_choices_and_luck_in_one_figure() -> None:
    game, unseen = GAMES["casino_over_under"], ("bet", "deal", "take", "pay")
    fold = Fold("aurora/T/2026-11-27")
    opened = fact(
        e.TableOpened,
        game=game.code,
        edition="2016",
        pay_tables={"bonus": "figure-1"},
        decks=6,
        spots=0,
        limits={},
        currency="USD",
        chip=1,
        readings={},
        sees=list(unseen),
    )
    hand = [
        bet("ante", 500),
        bet("bonus", 500),
        deal("1", "2s"),
        bet("over", 500),
        deal("1", "3h"),
        deal("1", "4d"),
    ]
    for number, event in enumerate([opened, fact(e.RoundOpened), *hand, fact(e.RoundClosed)], 1):
        fold.take(number, event)
    rows = {key[4]: row for key, row in fold.tally.play.items()}
    assert {wager: (row.decided, row.owed, row.undivided) for wager, row in rows.items() if wager} == {
        "ante": (0, 0, 500),
        "over": (0, 0, 500),
        "bonus": (500, -2000, 0),
    }


# -- High Side ---------------------------------------------------------------------------------------


def high_side(side: str, first: bool, second: bool) -> list[list[Event]]:
    """Return hands with every combination of rolls and card. `first` and `second` are the decisions about the
    first and the second wager: True keeps the wager, False withdraws it.
    """
    hands = []
    for die, other_die, rank in product(range(1, 7), range(1, 7), RANKS):
        hand = [*(bet(f"{side}-{number}", 1) for number in (1, 2, 3)), fact(e.Roll, dice=[die])]
        hand += [
            choose("keep") if first else fact(e.Pull, spot="1", wager=f"{side}-1"),
            fact(e.Roll, dice=[other_die]),
        ]
        if die + other_die != 7:
            hand.append(choose("keep") if second else fact(e.Pull, spot="1", wager=f"{side}-2"))
        hands.append([*hand, deal("community", f"{rank}s")])
    return hands


@pytest.mark.parametrize(("side", "tie"), [("dice", "lose"), ("card", "push")])
def test_at_high_side_wrong_decisions_are_the_whole_loss_beyond_the_edge(side: str, tie: str) -> None:
    costs = []
    for first, second in product((True, False), repeat=2):
        theoretical, cost, owed = played(
            GAMES["high_side"], high_side(side, first, second), readings={"tie": tie}
        )
        assert owed - theoretical - cost == 0, (first, second)
        costs.append(cost)
    assert min(costs) > 0, "none of the four is right on every die"


# -- Teen Patti --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "hand",
    [("Qs", "6h", "4d"), ("Qs", "6h", "3d"), ("Js", "Ts", "8s"), ("2s", "2h", "5c"), ("As", "Ks", "Qs")],
)
def test_play_and_fold_cost_the_difference_over_every_hand_that_the_dealer_may_hold(
    hand: tuple[str, ...],
) -> None:
    strength = three(hand, "lowest")
    bonus = Fraction(ANTE_BONUS.get(THREE_NAMES[strength >> 12], "0:1").split(":")[0])
    nets = []
    for cards in combinations([card for card in DECK if card not in hand], 3):
        dealer = three(cards, "lowest")
        nets.append(
            1 if dealer < (HIGH_CARD << 12 | 12 << 8) else 2 * ((strength > dealer) - (strength < dealer))
        )
    play, fold = Fraction(sum(nets), len(nets)) + bonus, Fraction(-1)
    cost = costs_by_hand("lowest")[suit_pattern(hand)]
    assert cost == {"play": max(play, fold) - play, "fold": max(play, fold) - fold}


def test_a_fold_by_default_is_a_decision_too() -> None:
    dealt = [
        *(deal("player", card) for card in ("Qs", "Qh", "4d")),
        *(deal("dealer", card) for card in ("2c", "5d", "9h")),
    ]
    chosen = [bet("ante", 1000), *dealt, fact(e.Choose, spot="1", choice="fold", timeout=True)]
    silent = [bet("ante", 1000), *dealt]
    by_time, by_default = (played(GAMES["teen_patti"], [hand]) for hand in (chosen, silent))
    cost = costs_by_hand("lowest")[suit_pattern(("Qs", "Qh", "4d"))]["fold"]
    assert by_time == by_default == (1000 * Fraction(686689, 20358520), 1000 * cost, Fraction(1000))
    assert cost > 0


@pytest.mark.parametrize(
    "hand", [("Qs", "6h", "3d"), ("2s", "2h", "5c"), ("4s", "5d", "6h"), ("As", "Ks", "Qs")]
)
def test_a_missing_or_unequal_play_wager_costs_its_lost_return(hand: tuple[str, ...]) -> None:
    strength = three(hand, "lowest")
    bonus = Fraction(ANTE_BONUS.get(THREE_NAMES[strength >> 12], "0:1").split(":")[0])
    against = [
        three(cards, "lowest") for cards in combinations([card for card in DECK if card not in hand], 3)
    ]
    unqualified = HIGH_CARD << 12 | 12 << 8
    wins = [1 if dealer < unqualified else (strength > dealer) - (strength < dealer) for dealer in against]
    plays = [0 if dealer < unqualified else (strength > dealer) - (strength < dealer) for dealer in against]
    ante, play = (Fraction(sum(nets), len(nets)) for nets in (wins, plays))
    best = max(ante + play + bonus, Fraction(-1))
    game = GAMES["teen_patti"]
    seat = Seat(
        game,
        edition="ezugi",
        pay_tables=dict.fromkeys((*game.wagers, "ante-bonus"), "ezugi"),
        decks=1,
        readings={},
    )
    for stakes in (0, 1, 2, 3):
        wagers = [fact(e.Bet, spot="1", wager="play", amount=stakes)] if stakes else []
        dealt = [
            *(deal("player", card) for card in hand),
            *(deal("dealer", card) for card in ("2d", "7d", "9c")),
        ]
        round = seat.hand(fact(e.Bet, spot="1", wager="ante", amount=1), *dealt, choose("play"), *wagers)
        brings = ante + stakes * play + (bonus if stakes else 0)
        assert played_or_folded(round, round.lines["1", "ante"]) == best - brings, stakes


def test_a_folded_hand_with_a_play_wager_and_a_default_fold_are_divided_as_a_fold() -> None:
    dealt = [
        *(deal("player", card) for card in ("4s", "5d", "6h")),
        *(deal("dealer", card) for card in ("2c", "5c", "9h")),
    ]
    ante, play, take = bet("ante", 1000), bet("play", 1000), fact(e.Take, spot="1", wager="ante", amount=1000)
    fold, stays, lost = choose("fold"), choose("play"), fact(e.PlayerLost, spot="1")
    timed_out = fact(e.Choose, spot="1", choice="play", timeout=True)
    sees = (*SIGHT, "player-lost")
    hands = [
        [ante, *dealt, fold, take],
        [ante, *dealt, fold, play, take],
        [ante, *dealt, timed_out, play, take],
        [ante, fact(e.NoMoreBets), lost, *dealt, take],
        [ante, fact(e.NoMoreBets), lost, *dealt, stays, play, take],
    ]
    sums = {played(GAMES["teen_patti"], [hand], sees) for hand in hands}
    cost = costs_by_hand("lowest")[suit_pattern(("4s", "5d", "6h"))]["fold"]
    assert sums == {(1000 * Fraction(686689, 20358520), 1000 * cost, Fraction(1000))}


# -- games without a decision ------------------------------------------------------------------------


def easy_over_under() -> list[list[Event]]:
    hands = []
    for die, other_die, rank in product(range(1, 7), range(1, 7), RANKS):
        side = [] if die + other_die == 7 else [bet("short-side", 10)]
        first = [bet("over", 10), bet("spread", 10), bet("under", 10, "2")]
        hands.append(
            [*first, fact(e.Roll, dice=[die, other_die]), *side, deal("1", f"{rank}s"), deal("2", f"{rank}h")]
        )
    return hands


def lucky_7() -> list[list[Event]]:
    return [[*(bet(wager, 1000) for wager in GAMES["lucky_7"].wagers), deal("table", card)] for card in DECK]


def andar_bahar() -> list[list[Event]]:
    others, hands = [card for card in DECK if card[0] != "A"], []
    for place in range(49):
        ways = 10 * comb(50 - place, 2)
        cards = [*others[:place], "As"]
        dealt = [deal(("andar", "bahar")[number % 2], card) for number, card in enumerate(cards)]
        hands.append(
            [deal("joker", "Ah"), *(bet(wager, ways) for wager in GAMES["andar_bahar"].wagers), *dealt]
        )
    return hands


@pytest.mark.parametrize("space", [easy_over_under, lucky_7, andar_bahar])
def test_luck_is_zero_over_all_outcomes_of_a_game_without_decisions(space: object) -> None:
    theoretical, cost, owed = played(GAMES[space.__name__], space())  # type: ignore[attr-defined, operator]
    assert cost == 0
    assert theoretical == owed != 0

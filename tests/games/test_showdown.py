"""Games with two hands of three cards. The probabilities of the dealer's hands are compared with a count of
all hands. Between two hand strengths at which a result changes, all settlements are the same.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest

from games import GAMES
from games.kit import patti_odds
from games.kit.cards import DECK
from games.kit.chances import chances, mean
from games.kit.patti import TwoHands
from games.kit.poker import three
from games.kit.seat import Seat, bet, choose, deal
from games.kit.showdown import Own, suit_pattern
from tests.counts import LONG

ORDER = "23456789TJQKA"


def seat_of(game: str, a23: str = "lowest", edition: str = "ezugi") -> Seat:
    tables = dict.fromkeys(GAMES[game].pay_tables, "ezugi")
    return Seat(GAMES[game], edition=edition, pay_tables=tables, decks=1, readings={"a23": a23})


def test_hands_that_differ_only_in_suits_are_counted_once_and_none_is_lost() -> None:
    show = patti_odds.showdown("lowest")
    assert sum(own.ways for own in show.own) == 22_100
    assert len(show.strengths) == 741
    first, second, third = (
        suit_pattern(tuple(cards.split())) for cards in ("As Kh 2h", "2d Ac Kd", "As Kh 2s")
    )
    assert first == second != third


@pytest.mark.parametrize("cards", ["2s 3h 5d", "Qs 6h 4d", "Qs Qh 4d", "Ah 2h 3h", "7s 7h 7d", "As Ks Qs"])
def test_the_other_hands_are_those_of_the_49_other_cards(cards: str) -> None:
    show, hand = patti_odds.showdown("lowest"), tuple(sorted(cards.split(), key=DECK.index))
    own = Own(hand, show.strengths.index(three(hand)), 1)
    dealt = Counter(three(other) for other in combinations([card for card in DECK if card not in hand], 3))
    assert {show.strengths[place]: show.disjoint_hands(own, place, place + 1) for place in range(741)} == {
        strength: dealt[strength] for strength in show.strengths
    }
    assert show.disjoint_hands(own, 0, 741) == 18_424


def settlement_changes(
    seat: Seat, round: TwoHands, own: str, other: str, strengths: list[int]
) -> list[list[tuple[int, Fraction]]]:
    """Settle every pair of hand strengths of `own` and `other`. Return a list for each strength of `own`. It
    has each strength of `other` at which the settlement changes, with the net result from there on.
    """
    lines = seat.lines(round)
    asks = [(seat.game.settlements[line.wager], line) for line in lines]
    result = []
    for round.strengths[own] in strengths:
        turns: list[tuple[int, Fraction]] = []
        before = None
        for place, round.strengths[other] in enumerate(strengths):
            odds = [settle(round, line) for settle, line in asks]
            if odds != before:
                turns.append((place, seat.total(round, lines)))
                before = odds
        result.append(turns)
    return result


PAIRS = [
    (game, edition, wager, a23)
    for game, edition, wager in (
        ("teen_patti", "ezugi", "ante"),
        ("bet_on_teen_patti", "ezugi", "player-a"),
        ("bet_on_teen_patti", "ezugi", "player-b"),
        ("bet_on_teen_patti", "ezugi-0.95", "player-a"),
        ("bet_on_teen_patti", "ezugi-0.95", "player-b"),
    )
    for a23 in ("lowest", "second", "highest")
    if LONG or (a23, edition) == ("lowest", "ezugi")
]


@pytest.mark.parametrize(("game", "edition", "wager", "a23"), PAIRS)
def test_between_two_turning_points_all_pairs_of_hands_settle_alike(
    game: str, edition: str, wager: str, a23: str
) -> None:
    seat, show = seat_of(game, a23, edition), patti_odds.showdown(a23)
    facts = (choose("play"), bet("play")) if game == "teen_patti" else ()
    round = patti_odds.six_dealt(seat, bet(wager), *facts)
    own, other = round.places
    turns = [
        [(low, net) for low, _, net in runs]
        for runs in show.net_results(seat, round, round.strengths, own, other)
    ]
    assert turns == settlement_changes(seat, round, own, other, show.strengths)


def ranked(cards: tuple[str, ...]) -> tuple[int, ...]:
    """Return the rank of three cards, computed by separate code: the kind of hand, then what decides ties."""
    high = sorted((ORDER.index(card[0]) for card in cards), reverse=True)
    suited, kinds = len({card[1] for card in cards}) == 1, Counter(high)
    run = high[0] if high[0] - high[2] == 2 and len(kinds) == 3 else 1 if high == [12, 1, 0] else 0
    if len(kinds) == 1:
        return (4, *high)
    if run:
        return (5 if suited else 3, run)
    if suited:
        return (2, *high)
    pair = [rank for rank, count in kinds.items() if count == 2]
    return (1, pair[0], *[rank for rank in high if rank != pair[0]]) if pair else (0, *high)


def plain_game(hand: tuple[str, ...]) -> Fraction:
    """Return the average result of a player who plays this hand. It is computed over all hands of the dealer.
    This function settles ante, play and bonus itself, without Catwalk's rules.
    """
    own, total, count = ranked(hand), 0, 0
    bonus = {5: 5, 4: 4, 3: 1}.get(own[0], 0)
    for dealer in combinations([card for card in DECK if card not in hand], 3):
        his = ranked(dealer)
        unqualified = his[0] == 0 and his[1] < ORDER.index("Q")
        total += bonus + (1 if unqualified else 2 if own > his else -2 if his > own else 0)
        count += 1
    return Fraction(total, count)


@pytest.mark.parametrize(
    "cards",
    [
        "2s 3h 5d",
        "Qs 6h 3d",
        "Qs 6h 4d",
        "Qs 6s 3d",
        "2s 2h 4d",
        "Ah 2d 3h",
        "Ah 2h 3h",
        "7s 7h 7d",
        "As Ks Qs",
    ],
)
def test_the_result_of_playing_equals_a_count_over_all_dealer_hands(cards: str) -> None:
    seat, show = seat_of("teen_patti"), patti_odds.showdown("lowest")
    round = patti_odds.six_dealt(seat, bet("ante"), choose("play"), bet("play"))
    runs = show.net_results(seat, round, round.strengths, "player", "dealer")
    [own] = [own for own in show.own if suit_pattern(own.cards) == suit_pattern(tuple(cards.split()))]
    assert mean(chances(show.outcomes(own, runs[own.place]))) == plain_game(tuple(cards.split()))


def test_queen_six_four_is_played_and_queen_six_three_is_folded_in_all_suits() -> None:
    seat, show = seat_of("teen_patti"), patti_odds.showdown("lowest")
    round = patti_odds.six_dealt(seat, bet("ante"), choose("play"), bet("play"))
    runs = show.net_results(seat, round, round.strengths, "player", "dealer")
    folded = {own for own in show.own if mean(chances(show.outcomes(own, runs[own.place]))) < -1}
    weakest = three(("Qs", "6h", "4d"))
    assert folded == {own for own in show.own if show.strengths[own.place] < weakest}


def test_a_hand_dealt_card_by_card_is_owed_what_its_strengths_are() -> None:
    seat = seat_of("teen_patti")
    facts = [deal("player", card) for card in ("As", "Kh", "Qd")] + [
        deal("dealer", card) for card in ("7s", "7h", "2d")
    ]
    assert seat.net(bet("ante"), *facts, choose("play"), bet("play")) == 1 + 1 + 1
    assert seat.net(bet("ante"), *facts, choose("fold")) == -1

"""The cards of a shoe. The position of the cut card is compared with the number of cards. The order of the
cards is compared with that of earlier shoes.
"""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import json

from audit.facts import check, decode
from audit.replay.fold import Fold, replay
from audit.replay.results import Finding
from casino.sample import TABLES, plant
from games.kit.cards import DECK, RANKS
from games.kit.events import Event
from tests.vectors.filling import FILLING
from tests.vectors.notation import facts

SHOE_GAMES = ("casino_over_under", "easy_over_under", "high_side", "lucky_7")
ONE_CARD = {
    "casino_over_under": "deal 1 {}",
    "easy_over_under": "deal 1 {}",
    "high_side": "deal community {}",
    "lucky_7": "deal table {}",
}
CODES = ("cut-differs", "dealt-past-cut", "not-shuffled")


def shoe(game: str, *hand: str, **table: Any) -> list[dict[str, Any]]:
    """Return the facts that these notations describe. No facts of correct play are added."""
    return facts(game, {"hand": list(hand), "around": "nothing", "table": table})


def rounds(game: str, number: int, first: int = 0) -> list[str]:
    """Return this number of rounds with one card each. The order of the cards is not one of the known orders
    of a new deck or shoe.
    """
    cards = [DECK[place * 11 % 52] for place in range(first, first + number)]
    return [text for card in cards for text in (ONE_CARD[game].format(card), "next")]


def events(sent: list[dict[str, Any]]) -> list[Event]:
    return [decode(check(json.encode(fact)).body) for fact in sent]


def shoe_findings(sent: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """Return the code and the round of each finding about the shoe."""
    return [(finding.code, finding.round or "") for finding in of_shoe(sent)]


def of_shoe(sent: list[dict[str, Any]]) -> list[Finding]:
    return [finding for finding in replay(events(sent)).findings if finding.code in CODES]


def without_number(sent: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    """Return the facts. Facts of this kind have no sequence number, as if a person had entered them. The
    other facts are numbered again from 1.
    """
    sent = [
        {name: value for name, value in fact.items() if name != "n"} if fact["kind"] == kind else fact
        for fact in sent
    ]
    number = 0
    for fact in sent:
        if "n" in fact:
            number += 1
            fact["n"] = number
    return sent


# The cut card.


@pytest.mark.parametrize("game", SHOE_GAMES)
@pytest.mark.parametrize(("cut", "differs"), [(20, False), (19, True), (21, True)])
def test_the_cut_card_shows_after_the_cards_that_a_device_counted(game: str, cut: int, differs: bool) -> None:
    sent = shoe(
        game,
        f"shuffle cut {cut}",
        *rounds(game, 19),
        *rounds(game, 1, first=19)[:1],
        "cut-card",
        "shuffle",
        *rounds(game, 1),
    )
    assert shoe_findings(sent) == ([("cut-differs", "r-0020")] if differs else [])


@pytest.mark.parametrize("game", SHOE_GAMES)
@pytest.mark.parametrize(("cut", "differs"), [(18, False), (22, False), (17, True), (23, True)])
def test_a_cut_entered_by_hand_may_differ_by_two_cards(game: str, cut: int, differs: bool) -> None:
    sent = shoe(
        game, f"shuffle cut {cut}", *rounds(game, 19), *rounds(game, 1, first=19)[:1], "cut-card", "shuffle"
    )
    codes = [code for code, _ in shoe_findings(without_number(sent, "shuffled"))]
    assert ("cut-differs" in codes) == differs


def test_the_sentence_has_both_numbers_and_cites_the_control() -> None:
    (finding,) = of_shoe(shoe("high_side", "shuffle cut 100", *rounds("high_side", 3), "cut-card", "shuffle"))
    assert (finding.code, finding.grade, finding.cite) == ("cut-differs", "integrity", "Control CA-06")
    assert (
        finding.says
        == "The shuffle put 100 cards in front of the cut card; it was shown after 3 cards, 97 cards fewer"
        " than that."
    )


@pytest.mark.parametrize("game", SHOE_GAMES)
def test_more_cards_in_front_of_the_cut_card_than_the_decks_hold(game: str) -> None:
    decks = FILLING[game].TABLE["decks"]
    sent = shoe(game, f"shuffle cut {52 * decks}", *rounds(game, 1))
    assert "cut-differs" not in [code for code, _ in shoe_findings(sent)]
    sent = shoe(game, f"shuffle cut {52 * decks + 1}", *rounds(game, 1))
    assert [code for code, _ in shoe_findings(sent)] == ["cut-differs"]


def test_a_second_cut_card_of_the_same_shoe_says_nothing_new() -> None:
    sent = shoe(
        "high_side",
        "shuffle cut 2",
        *rounds("high_side", 1),
        "deal community As",
        "cut-card",
        "cut-card",
        "shuffle",
    )
    assert shoe_findings(sent) == []


def test_unread_cards_count_as_cards_of_the_shoe() -> None:
    hand = ["shuffle cut 4", "burn -", "burn -", "burn -", "deal table 8s", "cut-card", "shuffle"]
    assert shoe_findings(shoe("lucky_7", *hand)) == []


@pytest.mark.parametrize(
    ("game", "kind", "judged"),
    [("lucky_7", "burn", False), ("casino_over_under", "burn", False), ("high_side", "burn", True)],
)
def test_a_table_that_does_not_see_every_card_is_not_judged(game: str, kind: str, judged: bool) -> None:
    sees = [name for name in FILLING[game].TABLE["sees"] if name != kind]
    sent = shoe(game, "shuffle cut 30", *rounds(game, 3), "cut-card", "shuffle", sees=sees)
    assert [code for code, _ in shoe_findings(sent)] == (["cut-differs"] if judged else [])


def test_a_shoe_that_continues_from_the_day_before_is_not_judged() -> None:
    sent = shoe(
        "high_side",
        "shuffle cut 5",
        *rounds("high_side", 3),
        "reopen continues",
        *rounds("high_side", 3, first=3),
        "cut-card",
    )
    assert shoe_findings(sent) == []


def test_if_facts_are_missing_cards_may_have_been_dealt_unseen() -> None:
    early = shoe("high_side", "shuffle cut 9", *rounds("high_side", 4), "cut-card", "shuffle")
    late = shoe("high_side", "shuffle cut 3", *rounds("high_side", 4), "cut-card", "shuffle")
    for sent, codes in ((early, []), (late, ["cut-differs"])):
        place = next(place for place, fact in enumerate(sent) if fact["kind"] == "deal")
        for fact in sent[place:]:
            fact["n"] += 5
        assert [code for code, _ in shoe_findings(sent)] == codes


@pytest.mark.parametrize("cut", [3, 4])
def test_a_card_that_belongs_to_no_round_may_have_been_counted_or_not(cut: int) -> None:
    hand = [
        f"shuffle cut {cut}",
        *rounds("high_side", 2),
        "bet 1 dice-1 1000",
        "deal community 4s",
        "void",
        "deal community 5s",
        "cut-card",
        "shuffle",
    ]
    assert shoe_findings(shoe("high_side", *hand)) == []


# A new round past the cut card.


@pytest.mark.parametrize("game", SHOE_GAMES)
def test_a_new_round_after_more_cards_than_lay_in_front_of_the_cut_card(game: str) -> None:
    assert shoe_findings(shoe(game, "shuffle cut 3", *rounds(game, 4))) == []
    late = shoe_findings(shoe(game, "shuffle cut 3", *rounds(game, 6)))
    assert late == [("dealt-past-cut", "r-0005"), ("dealt-past-cut", "r-0006")]
    assert (
        shoe_findings(shoe(game, "shuffle cut 3", *rounds(game, 4), "shuffle", *rounds(game, 2, first=4)))
        == []
    )


@pytest.mark.parametrize("game", SHOE_GAMES)
def test_the_count_is_judged_even_if_the_cut_card_is_not_reported(game: str) -> None:
    sees = [name for name in FILLING[game].TABLE["sees"] if name != "cut-card-shown"]
    assert shoe_findings(shoe(game, "shuffle cut 3", *rounds(game, 5), sees=sees)) == [
        ("dealt-past-cut", "r-0005")
    ]


@pytest.mark.parametrize(("decks", "cards"), [(6, 156), (2, 52)])
def test_easy_over_under_without_a_declared_cut_deals_half_of_a_shoe(decks: int, cards: int) -> None:
    full_shoe = shoe("easy_over_under", *rounds("easy_over_under", cards + 1), decks=decks)
    assert shoe_findings(full_shoe) == []
    (finding,) = of_shoe(shoe("easy_over_under", *rounds("easy_over_under", cards + 2), decks=decks))
    assert (finding.code, finding.round, finding.cite) == (
        "dealt-past-cut",
        f"r-{cards + 2:04}",
        "EOU Dealer Instructions 1",
    )


@pytest.mark.parametrize("game", ["casino_over_under", "high_side", "lucky_7"])
def test_other_games_without_a_declared_cut_are_not_judged(game: str) -> None:
    assert shoe_findings(shoe(game, *rounds(game, 200))) == []


def test_one_deck_of_easy_over_under_without_a_declared_cut_is_not_judged() -> None:
    assert shoe_findings(shoe("easy_over_under", *rounds("easy_over_under", 40), decks=1)) == []


def test_each_cause_cites_its_own_rule() -> None:
    cites = {
        ("easy_over_under", "shuffle cut 1"): "EOU Dealer Instructions 17",
        ("casino_over_under", "shuffle cut 1"): "Control CA-08",
        ("high_side", "shuffle cut 1"): "Control CA-08",
        ("lucky_7", "shuffle cut 1"): "Ezugi Lucky 7 Game Rules",
    }
    assert {key: of_shoe(shoe(*key, *rounds(key[0], 3)))[0].cite for key in cites} == cites


# The order of cards.


@pytest.mark.parametrize("game", TABLES)
@pytest.mark.parametrize("fault", ["not-shuffled:order", "not-shuffled:new-deck"])
def test_a_repeated_order_is_found_once_at_its_sixth_card(game: str, fault: str) -> None:
    sent, expectations = plant(fault, game, 7)
    (finding,) = [finding for finding in replay(events(sent)).findings if finding.code == "not-shuffled"]
    assert finding.uid == expectations["expect"][0]["uid"]
    assert finding.grade == "integrity"
    order = (
        "the order of a new deck"
        if fault.endswith("new-deck")
        else f"the order in which they lay in the {deck(game)} before"
    )
    assert f"6 cards one after another came in {order}:" in finding.says
    assert finding.says.endswith(" billion fair shuffles does that.")


def deck(game: str) -> str:
    return "deck" if TABLES[game].every_round else "shoe"


@pytest.mark.parametrize("game", TABLES)
def test_a_fold_that_goes_on_from_a_kept_state_finds_the_same(game: str) -> None:
    sent, _ = plant("not-shuffled:order", game, 3)
    by_id = {finding.id: finding for finding in replay(events(sent)).findings}
    parts: dict[str, Finding] = {}
    fold = Fold(f"{sent[0]['table']}/{sent[0]['day']}")
    for number, event in enumerate(events(sent), 1):
        fold.take(number, event)
        if not fold.in_round:
            parts |= fold.findings
            fold = Fold(fold.stream, fold.keep())
    assert parts == by_id
    assert any(finding.code == "not-shuffled" for finding in by_id.values())


def test_a_new_shoe_is_compared_with_the_one_before_it() -> None:
    cards = rounds("high_side", 6)
    assert shoe_findings(shoe("high_side", *cards, "reopen", "shuffle", *cards)) == [
        ("not-shuffled", "r-0012")
    ]


def test_no_order_is_judged_without_a_shuffle() -> None:
    cards = [text for rank in RANKS for text in (f"deal community {rank}s", "next")]
    assert shoe_findings(shoe("high_side", "reopen continues", *cards)) == []
    assert shoe_findings(shoe("high_side", "reopen", *cards)) == [
        ("not-shuffled", "r-0001")
    ]  # the cards were not shuffled

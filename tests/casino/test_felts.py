"""Table layouts of every game: cards and dice are drawn in their places, a finding is marked on its card, and
screen readers get the same information as text.
"""

from __future__ import annotations

import re
from html import unescape

import pytest

from audit.review import hands, verdicts
from casino.presentation import formatting
from casino.sample import FAULTS
from casino.sample.tables.table import TABLES
from casino.surveillance.layouts import Felt, felt_of
from casino.templatetags.felt import name_of
from games import GAMES
from games.kit import events as e
from tests.casino.conftest import Cast
from tests.casino.nights import DAY, record, troubled_day
from tests.casino.pages import markup
from tests.furnished import furnishing

NIGHTS = {
    "easy_over_under": ("marker-wrong-side:doubles", "not-marked", "impossible-die"),
    "high_side": ("seven-not-swept", "wrong-settlement:card-1:overpaid", "out-of-order:third-roll"),
    "casino_over_under": ("wrong-settlement:over:overpaid", "burn-count:one", "wrong-card-count:four"),
    "andar_bahar": ("duplicate-card", "wrong-deal-order:wrong-side", "dealt-after-match"),
    "teen_patti": (
        "wrong-settlement:3+3:full-house-as-flush",
        "duplicate-card:both-hands",
        "wrong-card-count:first-hand",
    ),
    "bet_on_teen_patti": ("wrong-settlement:3+3:flush-as-straight", "duplicate-card:one-hand"),
    "lucky_7": (
        "burn-count:four",
        "burn-count:none",
        "wrong-settlement:7-up:half-missed",
        "wrong-card-count:second",
    ),
}
"""Faults to show for each game. A hand without a fault precedes each of them."""
NAMING = (
    "wrong-settlement",
    "not-settled",
    "settled-twice",
    "late-",
    "below-minimum",
    "both-sides",
    "unequal-bet",
    "settled-out-of-order",
    "seven-not-swept",
    "side-without-main",
    "pull-not-allowed",
    "no-such-bet",
    "no-such-wager",
)
"""Codes, or their beginnings, of findings that name a wager."""


@furnishing
def all_games() -> Cast:
    """Record and examine a table's day for every game."""
    cast = Cast()
    for game, faults in NIGHTS.items():
        record(troubled_day(game.upper(), 1, faults, game))
    return cast


def stream(game: str) -> str:
    return f"aurora/{game.upper()}/{DAY}"


def rounds(game: str) -> list[str]:
    played_hands = [hands.played("aurora", stream(game), f"r-{number:04d}") for number in range(1, 20)]
    return [hand.name for hand in played_hands if hand is not None]


def lies(game: str, name: str) -> tuple[hands.Played, Felt]:
    played = hands.played("aurora", stream(game), name)
    assert played is not None
    felt = felt_of(played, verdicts.findings_of("aurora", played.stream, name), 200)
    assert felt is not None
    return played, felt


def page(cast: Cast, game: str, name: str) -> str:
    answer = cast.browser("Dana").get(f"/hand/{stream(game)}/{name}/")
    assert answer.status_code == 200
    felt = re.search(r'<section\s+class="felt".*?</section>', answer.content.decode(), re.DOTALL)
    assert felt is not None
    return unescape(markup(felt[0]))


def cached_page(all_games: Cast, game: str, name: str) -> str:
    """Return the page of a hand as `page` does, but request it only once for all tests. It is the same in
    every copy of the database.
    """
    if (game, name) not in _seen:
        _seen[game, name] = page(all_games, game, name)
    return _seen[game, name]


_seen: dict[tuple[str, str], str] = {}


def words(shown: str) -> str:
    """Return the text of a page in which each tag is replaced by a space."""
    return " ".join(re.sub(r"<[^>]+>", " ", shown).split())


def with_finding(game: str, code: str) -> str:
    return next(
        name
        for name in rounds(game)
        if any(finding.code == code for finding in verdicts.findings_of("aurora", stream(game), name))
    )


def test_every_game_has_its_own_layout_and_a_night_in_these_tests() -> None:
    assert set(NIGHTS) == set(GAMES) == set(TABLES)
    assert all(name in FAULTS[game] for game, faults in NIGHTS.items() for name in faults)


@pytest.mark.parametrize("game", NIGHTS)
def test_every_card_and_die_of_every_hand_is_drawn_once_and_named(all_games: Cast, game: str) -> None:
    for name in rounds(game):
        played, felt = lies(game, name)
        assert felt.template == f"felts/{game}.html"
        facts = [fact.fact for fact in played.facts]
        cards = [name_of(fact.card) for fact in facts if isinstance(fact, e.Deal)]
        burned = [
            name_of(fact.card) if fact.card else "card face down"
            for fact in facts
            if isinstance(fact, e.Burn)
        ]
        dice = sum(len(fact.dice) for fact in facts if isinstance(fact, e.Roll))
        shown = cached_page(all_games, game, name)
        named = sorted(re.findall(r'<svg class="card [^>]*aria-label="([^"]+)"', shown))
        assert named == sorted(cards + burned) or (
            game == "casino_over_under" and len(named) < len(cards + burned)
        )  # cards that are burned for no player are not drawn
        assert shown.count('<svg class="die"') == dice
        for wager in played.wagers:
            assert f'id="spot-{wager.spot}"' in shown


@pytest.mark.parametrize("game", NIGHTS)
def test_the_layout_shows_owed_and_moved_amounts(all_games: Cast, game: str) -> None:
    for name in rounds(game):
        played, _ = lies(game, name)
        off = [wager for wager in played.wagers if wager.difference]
        assert cached_page(all_games, game, name).count("owed ") == len(off)


@pytest.mark.parametrize("game", NIGHTS)
def test_every_wager_named_by_a_finding_is_marked_in_its_place(cast: Cast, game: str) -> None:
    faults = {name.partition(":")[0]: name for name in reversed(FAULTS[game]) if name.startswith(NAMING)}
    record(troubled_day(game.upper(), 1, tuple(faults.values()), game))
    marked = set()
    for number in range(1, 2 * len(faults) + 2):
        for finding in verdicts.findings_of("aurora", stream(game), f"r-{number:04d}"):
            if finding.spot and finding.wager:
                area = (
                    page(cast, game, f"r-{number:04d}")
                    .split(f'id="spot-{finding.spot}"')[1]
                    .split('id="spot-')[0]
                )
                named = [
                    name
                    for names in re.findall(r'<span class="named">(.*?)</span>', area)
                    for name in names.split(", ")
                ]
                assert formatting.code_label(finding.code) in named, finding
                marked.add(finding.code)
    assert marked >= faults.keys()


def test_the_disc_lies_where_the_dealer_put_it(all_games: Cast) -> None:
    wrong = cached_page(all_games, "easy_over_under", with_finding("easy_over_under", "marker-wrong-side"))
    total = re.search(r"Dice <b>(\d+), doubles", wrong)
    assert total is not None
    assert f"the roll is {total[1]}; the disc lies on {total[1]}, its side up says ties lose 1/2" in wrong
    assert "no disc on it" in cached_page(
        all_games, "easy_over_under", with_finding("easy_over_under", "not-marked")
    )
    assert "impossible die" in page(
        all_games, "easy_over_under", with_finding("easy_over_under", "impossible-die")
    )


def test_high_side_shows_its_dice_one_by_one_and_a_withdrawn_wager_as_withdrawn(all_games: Cast) -> None:
    pulled = 0
    for name in rounds("high_side"):
        shown, (played, _) = cached_page(all_games, "high_side", name), lies("high_side", name)
        assert "Die 1" in shown
        assert shown.index("Die 1") < shown.index("Die 2")
        pulled += shown.count(" gone")
        assert shown.count(" gone") == sum(1 for wager in played.wagers if wager.pulled and not wager.in_play)
        for side in ("dice", "card"):
            if any(wager.wager.startswith(f"{side}-") for wager in played.wagers):
                assert f"on the {side}" in shown
    assert pulled
    assert "7: wagers 2 and 3 lose" in cached_page(
        all_games, "high_side", with_finding("high_side", "seven-not-swept")
    )


def test_casino_over_under_shows_each_spots_three_cards_total_and_four_places(all_games: Cast) -> None:
    for name in rounds("casino_over_under"):
        played, felt = lies("casino_over_under", name)
        shown = words(cached_page(all_games, "casino_over_under", name))
        assert played.round is not None
        for spot in felt.own["spots"]:
            assert [label for label, _ in spot.boxes] == ["Over 23", "Under 18", "Ante", "Bonus"]
            if spot.total is not None:
                assert f"{spot.place.name} total {spot.total}" in shown
    wrong = cached_page(all_games, "casino_over_under", with_finding("casino_over_under", "wrong-card-count"))
    assert "too many" in wrong or "wrong count" in wrong
    assert "burned" in cached_page(
        all_games, "casino_over_under", with_finding("casino_over_under", "burn-count")
    )


def test_andar_bahar_lays_two_rows_in_the_order_of_play_to_the_match(all_games: Cast) -> None:
    for name in rounds("andar_bahar"):
        played, felt = lies("andar_bahar", name)
        rows = dict(felt.own["rows"])
        order = sorted(int(card.says.split(",")[0]) for cards in rows.values() for card in cards)
        assert order == list(range(1, len(order) + 1))
        joker = [
            fact.fact.card
            for fact in played.facts
            if isinstance(fact.fact, e.Deal) and fact.fact.to == "joker"
        ]
        assert [card.face for card in felt.own["joker"]] == joker
    assert ", came twice" in cached_page(
        all_games, "andar_bahar", with_finding("andar_bahar", "duplicate-card")
    )
    after = cached_page(all_games, "andar_bahar", with_finding("andar_bahar", "dealt-after-match"))
    assert "the match" in after
    assert "after the match" in after


@pytest.mark.parametrize("game", ["teen_patti", "bet_on_teen_patti"])
def test_both_hands_are_named_and_the_best_five_of_the_six_are_marked(all_games: Cast, game: str) -> None:
    count = 0
    for name in rounds(game):
        _, felt = lies(game, name)
        cards = [card for hand in felt.own["hands"] for card in hand.cards]
        if len(cards) == 6 and felt.own["five"]:
            count += 1
            assert sum("one of the best five" in card.says for card in cards) == 5
            assert all(hand.says for hand in felt.own["hands"])
    assert count >= 2
    wrong = words(cached_page(all_games, game, with_finding(game, "wrong-settlement")))
    assert "for the wager 3+3: full house" in wrong or "for the wager 3+3: flush" in wrong
    assert ("qualifies" in wrong or "does not qualify" in wrong) == (game == "teen_patti")
    assert "came twice" in cached_page(all_games, game, with_finding(game, "duplicate-card"))


def test_lucky_7_shows_its_burned_cards_apart_and_what_the_card_makes_win(all_games: Cast) -> None:
    for name in rounds("lucky_7"):
        played, felt = lies("lucky_7", name)
        assert len(felt.own["burned"]) == sum(isinstance(fact.fact, e.Burn) for fact in played.facts)
        wins = {label for label, wins, _ in felt.own["boxes"] if wins}
        assert len(wins) == 3
        assert len(wins & {"Red", "Black"}) == len(wins & {"Odd", "Even"}) == 1
        assert sum(stake for *_, stake in felt.own["boxes"]) == sum(wager.stake for wager in played.wagers)
    assert "too many" in cached_page(all_games, "lucky_7", with_finding("lucky_7", "wrong-card-count"))


def test_a_wrong_number_of_burned_cards_is_marked_at_the_burned_cards(
    all_games: Cast,
) -> None:
    for name in rounds("lucky_7"):
        _, felt = lies("lucky_7", name)
        burn_findings = [
            finding
            for finding in verdicts.findings_of("aurora", stream("lucky_7"), name)
            if finding.code == "burn-count"
        ]
        shown = cached_page(all_games, "lucky_7", name)
        assert all("burned wrongly" not in card.says for card in felt.own["cards"])
        assert ("Burned <b>wrong number of cards</b>" in shown) == bool(burn_findings)
        assert burn_findings == [] or len(felt.own["burned"]) == 4 or '<p class="stake">no card</p>' in shown
    over = lies("casino_over_under", with_finding("casino_over_under", "burn-count"))[1].own["spots"]
    burn_findings = verdicts.findings_of(
        "aurora", stream("casino_over_under"), with_finding("casino_over_under", "burn-count")
    )
    assert [spot.place.spot for spot in over if spot.miscounted] == [
        finding.spot for finding in burn_findings
    ]


def test_a_game_without_its_own_layout_uses_the_general_one(
    all_games: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("casino.surveillance.layouts.OWN", frozenset())
    for game in NIGHTS:
        shown = page(all_games, game, "r-0001")
        assert '<svg class="card ' in shown
        assert lies(game, "r-0001")[1].template == "felts/general.html"


def test_a_game_is_named_as_its_manual_names_it_and_a_range_stays_a_range() -> None:
    names = [formatting.game_title(code) for code in ("lucky_7", "high_side", "bet_on_teen_patti")]
    assert names == ["Lucky 7", "High Side", "Bet on Teen Patti"]
    assert all(formatting.game_title(code) in game.source.title for code, game in GAMES.items())
    assert [formatting.code_label(code) for code in ("1-5", "wrong-settlement")] == [
        "1-5",
        "Wrong settlement",
    ]


def test_a_finding_is_shown_with_its_wager_in_words_and_amounts_with_separators() -> None:
    says = "Spot 2, dice-1: +2500.00 USD is owed on 1250.50 USD on 2026-11-27. 6-10 and player-a: 10.00 USD."
    assert formatting.finding_sentence(says) == (
        "Spot 2, dice 1: +2,500.00 USD is owed on 1,250.50 USD on 27 Nov 2026. 6-10 and player A: 10.00 USD."
    )


@pytest.mark.parametrize("game", NIGHTS)
def test_every_page_calls_a_game_by_the_one_name(all_games: Cast, game: str) -> None:
    shown = all_games.browser("Dana").get(f"/hand/{stream(game)}/r-0001/").content.decode()
    named = formatting.game_title(game)
    assert f"<h1>{game.upper()} <span>{named}</span></h1>" in markup(shown)
    opened = all_games.browser("Dana").get(f"/fact/{stream(game)}/1/").content.decode()
    assert f"Table opened for {named}," in opened
    assert f">{named} <span" in markup(all_games.browser("Dana").get("/certificate/"))


def test_a_spot_without_a_stake_shows_no_zero(all_games: Cast) -> None:
    bonus = 0
    for name in rounds("teen_patti"):
        played, _ = lies("teen_patti", name)
        page = markup(all_games.browser("Dana").get(f"/hand/{played.stream}/{name}/"))
        for wager in played.wagers:
            if wager.wager == "ante-bonus":
                bonus += 1
                assert '<td class="w">Ante bonus</td><td class="n"></td>' in page
        assert "Ante bonus 0.00" not in cached_page(all_games, "teen_patti", name)
    assert bonus

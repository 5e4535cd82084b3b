"""The certificate states the exact odds and reports, by computation, which printed values of the manuals are
wrong.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest

from games import GAMES
from games.casino_over_under.odds import choices
from games.easy_over_under.odds import ROLLS
from games.high_side.odds import three_wagers
from games.kit.certificate import Case, Certificate, CertificateLine, certificate_of
from games.kit.chances import Chances, by_rank, chances, draws, figures, mean, mix
from games.kit.printed_odds import PrintedFigure, percent
from games.kit.seat import Seat, roll
from tests.games.published import ROWS, Row

CERTIFIED = sorted(code for code, game in GAMES.items() if certificate_of(game))


def certificate_for(game: str) -> Certificate:
    certificate = certificate_of(GAMES[game])
    assert certificate is not None, game
    return certificate


@cache
def certified(game: str, decks: int | None = None) -> list[CertificateLine]:
    return certificate_for(game).certify(decks)


def line(
    game: str,
    wager: str,
    pay_table: str | None = None,
    edition: str = "",
    decks: int | None = None,
    **reading: object,
) -> CertificateLine:
    """Return the only matching line of a certificate. If no edition is given, use the first edition."""
    edition = edition or next(iter(GAMES[game].editions))
    lines = [
        row
        for row in certified(game, decks)
        if row.case[:2] == (edition, wager) and pay_table in (None, row.case.pay_table)
    ]
    [row] = [row for row in lines if decks in (None, row.case.decks) and row.case.conditions == reading][:1]
    return row


def case_of(row: Row) -> Case:
    edition = next(iter(GAMES[row.game].editions))
    wanted = (edition, row.wager, row.pay_table, row.decks)
    [case] = [
        case
        for case in certificate_for(row.game).cases(row.decks)
        if case[:4] == wanted and case.conditions == row.reading
    ]
    return case


def chances_of(row: Row) -> Chances:
    certificate, case = certificate_for(row.game), case_of(row)
    if not row.otherwise:
        return certificate.chances(case)
    [other] = [
        other
        for other in certificate.alternatives
        if row.wager in other.wagers and other.name == row.otherwise
    ]
    return certificate.under(other, case)


def decimal(exact: Fraction, digits: int) -> str:
    return percent(exact / 100, digits)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: "-".join(str(part) for part in row[:4] if part))
def test_a_wager_has_the_odds_of_the_independent_computation(row: Row) -> None:
    computed = figures(chances_of(row))
    assert (str(computed.edge), decimal(computed.variance, 4), percent(computed.hit, 3)) == (
        row.edge,
        row.variance,
        row.hit,
    )
    assert computed.rtp == 1 - Fraction(row.edge)


def test_every_wager_of_a_certificate_is_in_the_independent_table() -> None:
    for game in CERTIFIED:
        assert set(certificate_for(game).spaces) == {row.wager for row in ROWS if row.game == game}


@pytest.mark.parametrize("game", CERTIFIED)
def test_probabilities_add_up_to_one_and_none_is_negative(game: str) -> None:
    for row in certified(game):
        assert sum(row.chances.values()) == 1
        assert all(part > 0 for part in row.chances.values()), row.case
        odds = row.figures
        assert 0 <= odds.push <= 1 - odds.hit <= 1
        assert odds.variance > 0


@pytest.mark.parametrize("game", CERTIFIED)
def test_every_wager_of_the_table_has_a_cost_or_is_counted_in_one_that_has(game: str) -> None:
    certificate = certificate_for(game)
    for wager in GAMES[game].wagers:
        assert wager in certificate.spaces or wager in certificate.counted_in, wager


def test_all_five_printed_edges_of_easy_over_under_agree() -> None:
    printed = {
        (row.case.wager, row.printed.figure)
        for row in certified("easy_over_under")
        if row.printed and row.verdict == "agrees"
    }
    assert printed == {
        ("over", "3.21"),
        ("under", "3.21"),
        ("short-side", "3.85"),
        ("short-side", "0.00"),
        ("spread", "2.99"),
        ("spread", "5.13"),
    }
    assert {row.verdict for row in certified("easy_over_under")} == {"agrees", "not printed"}


def test_andar_bahars_three_to_one_contradicts_its_table_and_would_be_the_players_edge() -> None:
    row = line("andar_bahar", "1-5")
    assert (row.verdict, row.fits) == (
        "contradicts",
        "3:1 (the text of the side bets, which contradicts their table)",
    )
    assert row.fitting is not None
    assert figures(row.fitting).edge == Fraction(-351, 4165)


@pytest.mark.parametrize("decks", [1, 2, 3, 6, 8])
def test_in_casino_over_under_two_to_five_go_under_all_else_over_and_nobody_surrenders(decks: int) -> None:
    seat = Seat(
        GAMES["casino_over_under"], edition="2016", pay_tables={"bonus": "figure-1"}, decks=decks, readings={}
    )
    for _, first, deck in draws(by_rank(decks)):
        gains = {choice: mean(nets) for choice, nets in choices(seat, first, deck).items()}
        best = max(("over", "under", "surrender"), key=lambda choice: gains[choice])
        assert best == ("under" if first[0] in "2345" else "over"), first


@pytest.mark.parametrize(
    ("first", "over", "under"),
    [
        ("2", "-1.977098", "0.262421"),
        ("6", "-0.858874", "-1.151623"),
        ("T", "0.407800", "-1.763012"),
        ("A", "0.786184", "-1.858604"),
    ],
)
def test_each_decision_on_a_first_card_has_the_independently_computed_result(
    first: str, over: str, under: str
) -> None:
    seat = Seat(
        GAMES["casino_over_under"], edition="2016", pay_tables={"bonus": "figure-1"}, decks=6, readings={}
    )
    [deck] = [deck for _, card, deck in draws(by_rank(6)) if card[0] == first]
    brings = {choice: decimal(mean(of), 6) for choice, of in choices(seat, f"{first}s", deck).items()}
    assert brings == {"over": over, "under": under, "surrender": "-1.000000"}


@pytest.mark.parametrize("tie", ["lose", "push"])
def test_high_side_costs_the_same_on_the_dice_and_on_the_card(tie: str) -> None:
    seat = Seat(
        GAMES["high_side"], edition="2013-03", pay_tables={"bonus": "1"}, decks=6, readings={"tie": tie}
    )
    assert three_wagers(seat, "main", "card") == three_wagers(seat, "main", "dice")
    assert figures(three_wagers(seat, "main", "card")).edge == line("high_side", "main", tie=tie).figures.edge


def test_the_felt_of_high_side_draws_a_fifth_table_that_costs_more_than_the_four() -> None:
    bonus = {row.case.pay_table: row for row in certified("high_side") if row.case.wager == "bonus"}
    felt = bonus.pop("felt")
    assert (felt.verdict, felt.fits) == ("contradicts", None)
    assert {row.verdict for row in bonus.values()} == {"not printed"}
    assert all(row.figures.edge < felt.figures.edge for row in bonus.values())
    assert felt.printed is not None
    assert felt.printed.is_what(felt.chances)
    assert not any(felt.printed.is_what(row.chances) for row in bonus.values())


OLDER = "edition ezugi-0.9; pages of the game from 2020 to 2025"
LUCKY_7 = {
    "7-up": "a 7 takes the whole bet (against the text of the payout table)",
    "7-down": "a 7 takes the whole bet (against the text of the payout table)",
    "red": f"0.9:1 ({OLDER})",
    "black": f"0.9:1 ({OLDER})",
    "even": f"1:1 ({OLDER})",
}


def test_lucky_7_contradicts_its_returns_of_95_0_and_twice_92_31_and_agrees_with_the_others() -> None:
    first = [row for row in certified("lucky_7") if row.case.edition == "ezugi"]
    assert {row.case.wager: row.fits for row in first if row.verdict == "contradicts"} == LUCKY_7
    assert {row.case.wager for row in first if row.verdict == "agrees"} == {"7", "odd"}
    assert {str(row.printed) for row in first} == {
        f"RTP {figure}% (Ezugi Lucky 7 RTP)" for figure in ("92.31", "95.0", "96.92")
    }


def test_the_older_edition_of_lucky_7_has_the_returns_that_are_still_printed() -> None:
    older = {
        row.case.wager: row.figures.rtp for row in certified("lucky_7") if row.case.edition == "ezugi-0.9"
    }
    assert (older["red"], older["black"], older["even"]) == (
        Fraction("0.95"),
        Fraction("0.95"),
        Fraction(12, 13),
    )


SIX_CARDS = "1000-200-100-20-15-10-7 (Evolution's 6 Card Bonus, where a suited A-2-3-4-5 is a straight flush)"
THREE_CARDS = "100-40-30-5-4-1 (Evolution's Three Card Poker)"


@pytest.mark.parametrize(
    ("game", "agree", "contradict"),
    [
        (
            "teen_patti",
            {("ante", "96.63")},
            {("pair-or-better", "95.51", THREE_CARDS), ("3+3", "91.44", SIX_CARDS)},
        ),
        (
            "bet_on_teen_patti",
            {("player-a", "99.00"), ("player-b", "99.00")},
            {("pair-a", "95.51", THREE_CARDS), ("pair-b", "95.51", THREE_CARDS), ("3+3", "91.44", SIX_CARDS)},
        ),
    ],
)
def test_both_teen_pattis_contradict_95_51_and_91_44_and_agree_with_the_main_game(
    game: str, agree: set[tuple[str, str]], contradict: set[tuple[str, str, str]]
) -> None:
    first = [row for row in certified(game) if row.case.edition == "ezugi"]
    assert {
        (row.case.wager, row.printed.figure) for row in first if row.printed and row.verdict == "agrees"
    } == agree
    assert {
        (row.case.wager, row.printed.figure, row.fits)
        for row in first
        if row.printed and row.verdict == "contradicts"
    } == contradict


def test_another_edition_is_not_compared_with_figures_of_the_first() -> None:
    assert line("andar_bahar", "1-5", edition="ezugi-bahar-first").verdict == "not printed"


def test_the_side_that_is_dealt_first_and_pays_less_costs_the_same_in_both_editions() -> None:
    first, other = (
        {row.case.wager: row.figures for row in certified("andar_bahar") if row.case.edition == name}
        for name in GAMES["andar_bahar"].editions
    )
    assert (first["andar"], first["bahar"]) == (other["bahar"], other["andar"])


@pytest.mark.parametrize(
    ("part", "digits", "text"),
    [
        ("1/2000", 1, "0.1"),
        ("-1/2000", 1, "-0.1"),
        ("1/2001", 1, "0.0"),
        ("-1/2001", 1, "0.0"),
        ("5/156", 2, "3.21"),
        ("0", 2, "0.00"),
        ("1", 0, "100"),
    ],
)
def test_a_share_is_rounded_half_up_from_the_exact_fraction(part: str, digits: int, text: str) -> None:
    assert percent(Fraction(part), digits) == text


@pytest.mark.parametrize(
    ("figure", "agrees"),
    [("3.21", True), ("3.2", True), ("3.205", True), ("3.20", False), ("3.22", False), ("3.2051", True)],
)
def test_the_digits_that_are_printed_decide_whether_a_figure_agrees(figure: str, agrees: bool) -> None:
    over = line("easy_over_under", "over").chances
    assert PrintedFigure(("over",), "edge", figure, "EOU").is_what(over) is agrees


@pytest.mark.parametrize("game", CERTIFIED)
def test_every_printed_figure_names_its_document_and_heading(game: str) -> None:
    for printed in certificate_for(game).printed:
        assert printed.cite.startswith(GAMES[game].source.headings), printed
        assert set(printed.wagers) <= set(certificate_for(game).spaces), printed


def test_theoretical_win_of_a_stake_is_known_by_the_tables_opening_and_the_tallys_price_class() -> None:
    easy, opened = certificate_for("easy_over_under"), {"decks": 6, "readings": {"rounding": "house"}}

    def edge(wager: str, table: str = "", price_class: str = "") -> str:
        return str(
            easy.edge(
                "2010-02-05",
                wager,
                pay_tables={"spread": table} if table else {},
                price_class=price_class,
                **opened,
            )
        )

    assert (edge("over"), edge("spread", "B"), edge("spread", "A"), edge("spread")) == (
        "5/156",
        "2/39",
        "7/234",
        "7/234",
    )
    assert (
        edge("short-side", price_class="4"),
        edge("short-side", price_class="4 doubles"),
        edge("short-side"),
    ) == ("1/26", "0", "2/65")


@pytest.mark.parametrize(
    ("game", "costs"),
    [
        ("casino_over_under", {"ante": "13158/626665", "over": "0", "under": "0", "bonus": "2702/48205"}),
        (
            "high_side",
            {
                "dice-1": "95/468",
                "dice-2": "0",
                "dice-3": "0",
                "card-1": "95/468",
                "card-2": "0",
                "card-3": "0",
                "bonus": "1/39",
            },
        ),
        (
            "teen_patti",
            {"ante": "686689/20358520", "play": "0", "pair-or-better": "242/5525", "3+3": "15306/149695"},
        ),
    ],
)
def test_the_cost_of_a_main_game_is_on_its_first_stake_alone(game: str, costs: dict[str, str]) -> None:
    certificate = certificate_for(game)
    edition = next(iter(GAMES[game].editions))
    assert {
        wager: str(certificate.edge(edition, wager, pay_tables={}, decks=6, readings={}))
        for wager in GAMES[game].wagers
    } == costs


def test_every_price_class_that_a_round_can_name_has_its_cost() -> None:
    seat = Seat(
        GAMES["easy_over_under"], edition="2010-02-05", pay_tables={"spread": "A"}, decks=6, readings={}
    )
    known = certificate_for("easy_over_under").spaces["short-side"].classes
    assert {seat.hand(roll(*dice)).price_class("short-side") for dice in ROLLS if sum(dice) != 7} | {
        ""
    } == set(known)


def test_a_wager_without_a_certificate_has_no_cost() -> None:
    with pytest.raises(KeyError):
        certificate_for("lucky_7").edge("ezugi", "8", pay_tables={}, decks=8, readings={})


def test_a_space_without_outcomes_is_refused() -> None:
    for empty in (
        lambda: chances([]),
        lambda: mix([]),
        lambda: chances([(-1, Fraction(1)), (2, Fraction(0))]),
    ):
        with pytest.raises(ValueError, match="way"):
            empty()

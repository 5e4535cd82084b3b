"""`manage.py certificate` prints sentences for people, also about contradictions in a game's manual. For
programs it prints exact fractions.
"""

from __future__ import annotations

import json
import re
from fractions import Fraction
from html import unescape

import pytest
from django.core.management import call_command, execute_from_command_line

from casino.reports import certificates
from games import GAMES
from games.kit.codes import GRADE
from tests.casino.conftest import Cast
from tests.casino.pages import markup
from tests.manage import Manage

FIELDS = [
    "game",
    "edition",
    "wager",
    "unit",
    "pay_table",
    "decks",
    "reading",
    "edge",
    "rtp",
    "variance",
    "hit",
    "push",
    "printed",
    "verdict",
    "fits",
]


@pytest.mark.long
def test_programs_get_every_wager_as_fractions(manage: Manage) -> None:
    process = manage("certificate", "--format", "json")
    assert (process.returncode, process.stderr) == (0, "")
    rows = json.loads(process.stdout)
    assert {row["game"] for row in rows} == set(certificates.certified_games())
    for row in rows:
        assert list(row) == FIELDS
        assert Fraction(row["edge"]) + Fraction(row["rtp"]) == 1
        assert row["verdict"] in ("agrees", "contradicts", "not printed")
        assert (row["printed"] is None) == (row["verdict"] == "not printed")
        assert row["fits"] is None or row["verdict"] == "contradicts"
    units = {(row["game"], row["wager"]): row["unit"] for row in rows}
    assert units["high_side", "main"] == "one of the three equal main wagers"
    assert units["high_side", "bonus"] == "the stake on the wager"
    assert units["teen_patti", "ante"] == "the ante, with Ante, Play and ante bonus together"
    assert units["casino_over_under", "ante"] == "the ante, with Ante and Over or Under together"
    [short] = [row for row in rows if row["reading"] == {"roll": 4, "doubles": True} and row["decks"] == 6]
    assert (short["wager"], short["edge"], short["printed"]) == (
        "short-side",
        "0",
        "edge 0.00% (EOU Payouts & House Edge, Short Side)",
    )


def test_every_game_has_a_certificate() -> None:
    assert certificates.certified_games() == sorted(GAMES)


def test_a_number_of_decks_takes_the_place_of_the_manuals(manage: Manage) -> None:
    rows = json.loads(manage("certificate", "easy_over_under", "--decks", "3", "--format", "json").stdout)
    assert {(row["game"], row["decks"]) for row in rows} == {("easy_over_under", 3)}


@pytest.mark.long
def test_the_output_for_people_names_contradictions_and_their_place(manage: Manage) -> None:
    process = manage("certificate", "andar_bahar")
    assert process.returncode == 0
    assert "61/1190 = 5.1261%" in process.stdout
    assert ["1-5", "ezugi", "5:2", "27.1068%", "1-5 returns X3.5, the stake included."] in [
        re.split(r"\s{2,}", line) for line in process.stdout.splitlines()
    ]
    lines = [line for line in process.stdout.splitlines() if line.startswith("! ")]
    sentence = (
        "1-5: the manual prints a pay of 3:1 (Ezugi Andar Bahar Side Bets, text); the rules settle 5:2, with"
        " an edge of 61/1190 = 5.1261%. The printed figure belongs to 3:1 (the text of the side bets, which"
        " contradicts their table), which gives the player an edge of 8.4274%."
    )
    assert lines == [f"! {sentence}", *(f"! {text}" for text in GAMES["andar_bahar"].contradictions)]
    assert "\nAll odds in the manual are correct.\n" in manage("certificate", "easy_over_under").stdout
    assert "\nThe manual prints no odds.\n" in manage("certificate", "casino_over_under").stdout


@pytest.mark.long
def test_a_game_of_one_deck_says_so_if_another_number_is_given(manage: Manage) -> None:
    process = manage("certificate", "teen_patti", "--decks", "6", "--format", "json")
    assert process.returncode == 0
    assert process.stderr == "teen_patti is only dealt from 1 deck; its odds are for that number\n"
    assert {row["decks"] for row in json.loads(process.stdout)} == {1}


def test_the_output_for_people_names_the_pay_table_drawn_on_the_felt(
    capsys: pytest.CaptureFixture[str],
) -> None:
    call_command("certificate", "high_side")
    output = capsys.readouterr().out
    sentence = (
        "! bonus, pay table felt: the layout shows a pay table of 1:1 2:1 3:1 5:1 10:1 20:1 (HS Payouts,"
        " the layout's Bonus Pays), which the manual does not print; the edge of this pay table"
        " is 17/234 = 7.2650%."
    )
    assert sentence in output.splitlines()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["baccarat"], "No certificate for 'baccarat'. Available: andar_bahar, "),
        (["--decks", "0"], "'0' is not a number of decks from 1 to 99"),
        (["--decks", "-1"], "'-1' is not a number of decks from 1 to 99"),
        (["--decks", "six"], "'six' is not a number of decks from 1 to 99"),
        (["--decks", "100"], "'100' is not a number of decks from 1 to 99"),
        (["--format", "xml"], "invalid choice: 'xml'"),
    ],
)
def test_invalid_options_exit_2(capsys: pytest.CaptureFixture[str], arguments: list[str], says: str) -> None:
    with pytest.raises(SystemExit) as left:
        execute_from_command_line(["manage.py", "certificate", *arguments])
    output = capsys.readouterr()
    assert (left.value.code, output.out) == (2, "")
    assert says in output.err


def test_the_command_needs_no_database(manage: Manage) -> None:
    assert manage("certificate", "easy_over_under").returncode == 0
    assert not (manage.data / "postgres").exists()


def test_lines_that_differ_only_in_the_number_of_decks_are_joined() -> None:
    over = [
        row
        for row in certificates.shown(certificates.lines("easy_over_under"))
        if row.line.case.wager == "over"
    ]
    assert [(row.decks, row.reading) for row in over] == [("6, 8", "")]


def test_a_manager_sees_contradictions_odds_and_the_drawn_pay_table(cast: Cast) -> None:
    page = markup(cast.browser("Boris").get("/certificate/"))
    assert "1-5: the manual prints a pay of 3:1 (Ezugi Andar Bahar Side Bets, text)" in page
    figures = '<b>3.2051</b></td><td class="n">96.7949</td><td class="n fraction">5/156</td>'
    assert figures in page
    verdict = (
        '<th scope="row">1-5<small>table ezugi · 1 deck</small></th><td class="w">pays 3:1'
        ' <span class="verdict-contradicts">contradicts</span></td><td class="n"><b>5.1261</b></td>'
    )
    assert verdict in page
    assert (
        '<th scope="row" class="n">30 to 1</th><td><span>A spread of 11 pays 30 to 1 by table'
        ' A.</span></td><td class="n">0.4274%</td>' in page
    )
    assert page.count('<div class="wf bars"') == sum(
        len(GAMES[game].editions) for game in certificates.certified_games()
    )
    assert "style=" not in page


def test_a_certificate_page_needs_a_right_at_the_property(cast: Cast) -> None:
    for name in ("Eve", "Mia"):
        answer = cast.browser(name).get("/certificate/")
        assert answer.status_code == 403
        assert b"5/156" not in answer.content
    assert cast.browser(None).get("/certificate/").status_code == 302


def test_every_game_lists_its_open_questions_and_contradictions(cast: Cast) -> None:
    page = unescape(cast.browser("Boris").get("/certificate/").content.decode())
    for game in GAMES.values():
        assert game.questions
        for text in (
            *(
                part
                for question in game.questions
                for part in (question.asks, question.answer, question.cite)
            ),
            *game.contradictions,
        ):
            assert text in page
    assert "There are two pay table options" in page
    assert "Payouts and house edges are listed below" in page


def test_a_certificate_names_its_unit(capsys: pytest.CaptureFixture[str], cast: Cast) -> None:
    call_command("certificate", "high_side")
    assert (
        "main: edge, RTP and variance are per one of the three equal main wagers" in capsys.readouterr().out
    )
    assert "one of the three equal main wagers" in cast.browser("Boris").get("/certificate/").content.decode()


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_question_cites_a_heading_and_names_codes_wagers_and_readings_of_its_game(game: str) -> None:
    of = GAMES[game]
    for question in of.questions:
        assert any(question.cite.startswith(heading) for heading in of.source.headings), question.cite
        assert set(question.codes) <= GRADE.keys()
        assert set(question.wagers) <= {"", *of.wagers, *of.payments}
        assert question.option in ("", *of.options)
    assert {question.option for question in of.questions} - {""} == set(of.options)

"""The hand page explains each finding for this hand: the rule, why money moved, and the verdict that fits."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from html import unescape

import pytest
from msgspec import json

from audit.facts import decode
from audit.queries import tray_equation
from audit.review import hands, verdicts
from audit.review.verdicts import CurrentFinding
from casino.presentation.fact_descriptions import sentence
from games import GAMES
from tests.casino.conftest import Cast
from tests.casino.nights import DAY, record, troubled_day
from tests.casino.pages import markup, text
from tests.counted_queries import counted_queries


def record_day(game: str, *faults: str) -> None:
    """Record and examine one table's day with these faults."""
    record(troubled_day(game.upper(), 1, faults, game))


def with_finding(game: str, code: str, cite: str = "") -> tuple[hands.Played, list[CurrentFinding]]:
    """Return the first hand at this game's table that has a finding with this code, and all findings of the
    hand.
    """
    for number in range(1, 40):
        played = hands.played("aurora", f"aurora/{game.upper()}/{DAY}", f"r-{number:04d}")
        findings = verdicts.findings_of("aurora", played.stream, played.name) if played is not None else []
        if played is not None and any(
            finding.code == code and finding.cite.startswith(cite) for finding in findings
        ):
            return played, findings
    raise AssertionError(f"no {code} in the night of {game}")


def page(cast: Cast, played: hands.Played) -> str:
    answer = cast.browser("Dana").get(f"/hand/{played.stream}/{played.name}/")
    assert answer.status_code == 200
    return unescape(markup(answer))


def rules_on(shown: str) -> list[str]:
    """Return for each finding on a page the line that names its rule."""
    return lines("rule", shown)


def lines(kind: str, shown: str) -> list[str]:
    """Return the text of every paragraph with this CSS class."""
    return [text(line) for line in re.findall(rf'<p class="{kind}">(.*?)</p>', shown)]


def test_a_finding_shows_the_rule_that_found_it_and_not_another_of_its_code(cast: Cast) -> None:
    record_day("high_side", "out-of-order:late-shake", "dealt-too-soon:between-the-dice", "late-pull:first")
    of_game, shown_rules = [rule for rule in GAMES["high_side"].every_rule() if rule.judge is not None], set()
    for code, cite in (("out-of-order", "HS Rules 3"), ("dealt-too-soon", "HS Rules 6"), ("late-pull", "HS")):
        played, findings = with_finding("high_side", code, cite)
        for finding, line in zip(findings, rules_on(page(cast, played)), strict=True):
            own = {rule.says for rule in of_game if (rule.code, rule.cite) == (finding.code, finding.cite)}
            shown = {rule.says for rule in of_game if rule.says in line}
            assert shown == (own if len(own) == 1 else set()), line
            shown_rules |= shown
    assert len(shown_rules) > 1


def test_if_several_rules_share_code_and_citation_none_is_shown(cast: Cast) -> None:
    record_day("lucky_7", "burn-count:two")
    played, (finding,) = with_finding("lucky_7", "burn-count")
    assert rules_on(page(cast, played)) == [f"{finding.cite} · outcome · fact {finding.number}"]


def test_catwalks_sentence_for_a_rule_is_not_shown_as_the_manuals(cast: Cast) -> None:
    record_day("high_side", "seven-not-swept")
    played, _ = with_finding("high_side", "seven-not-swept")
    shown = page(cast, played)
    assert rules_on(shown)[0].startswith("Rule: ")
    assert "<q>" not in shown


def test_a_void_hand_says_that_the_stake_goes_back_and_not_how_it_would_have_been_settled(cast: Cast) -> None:
    for game in GAMES:
        record_day(game, "void-not-returned:taken-before")
        played, (finding,) = with_finding(game, "void-not-returned")
        assert played.voided
        assert {(wager.why, wager.cite) for wager in played.wagers} == {
            ("The round is void: every stake goes back.", finding.cite)
        }
        assert f"The round is void: every stake goes back. <cite>{finding.cite}</cite>" in page(cast, played)


def test_one_bet_and_one_wager_are_named_in_the_singular(cast: Cast) -> None:
    at = datetime(2026, 11, 27, 12, tzinfo=UTC)
    envelope = {
        "uid": "00000000-0000-4000-8000-000000000001",
        "table": "aurora/TP-01",
        "day": DAY,
        "at": at,
        "source": "x",
        "round": "r",
    }
    fields = {"bets": [["1", "ante", 500]], "paid": [["1", "ante", 500]], "taken": [["1", "ante", 500]]}
    sentences = [
        sentence(decode(json.encode(envelope | fields | {"kind": kind})), "USD")
        for kind in ("bets", "settled")
    ]
    assert sentences == [
        "Betting window: 1 bet, 5.00 in all",
        "Settled at once: 5.00 taken from 1 bet, 5.00 paid on 1",
    ]


def test_a_finding_that_depends_on_an_open_question_shows_it_with_the_reading_of_the_table(
    cast: Cast,
) -> None:
    record_day("high_side", "tie-unregulated:lose")
    played, _ = with_finding("high_side", "tie-unregulated")
    (question,) = (question for question in GAMES["high_side"].questions if question.option == "tie")
    shown = lines("question", page(cast, played))
    assert played.opened is not None
    chosen = played.opened.readings.get("tie", "lose")
    assert (
        f"Open question: {question.asks} {question.answer} This table: tie = {chosen}. {question.cite}"
        in shown
    )


def test_a_finding_that_depends_on_no_open_question_shows_none(cast: Cast) -> None:
    record_day("easy_over_under", "marker-wrong-value")
    played, _ = with_finding("easy_over_under", "marker-wrong-value")
    assert 'class="question"' not in page(cast, played)


def test_the_verdict_bar_says_how_to_judge_missing_chips(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    record_day("easy_over_under", "late-bet:new")
    played, _ = with_finding("easy_over_under", "late-bet")
    assert "Missing or surplus chips" not in page(cast, played)
    monkeypatch.setattr(tray_equation, "CHIP_CODES", ("late-bet",))
    shown = text(page(cast, played))
    assert "wrongly, dismiss with “Capture error”" in shown
    assert "dismiss with “Inconclusive, no video”" in shown


def test_the_pages_of_a_hand_take_few_queries(cast: Cast) -> None:
    """Test that the pages of a hand need no more queries if the queue has more hands."""
    record_day("lucky_7", "burn-count:two")
    played, _ = with_finding("lucky_7", "burn-count")
    browser, hand = cast.browser("Dana"), f"/hand/{played.stream}/{played.name}/"
    limits = {"/queue/": 13, hand: 36, hand.replace("/hand/", "/replay/"): 31}

    def queries() -> dict[str, int]:
        numbers = {}
        for page in limits:
            browser.get(page)
            with counted_queries() as statements:
                assert browser.get(page).status_code == 200
            numbers[page] = len(statements)
        return numbers

    before = queries()
    for page, number in before.items():
        assert number <= limits[page], page
    record_day("high_side", "out-of-order:late-shake", "dealt-too-soon:between-the-dice", "late-pull:first")
    assert queries() == before


def test_no_identifier_at_the_head_of_a_hand_is_broken(cast: Cast) -> None:
    record_day("lucky_7", "burn-count:two")
    played, _ = with_finding("lucky_7", "burn-count")
    assert re.search(r'<span class="w">dealer [^<]+,</span>\s*<span class="w">supervisor', page(cast, played))

"""The replay of a hand, step by step. The state after a step equals a replay of the facts up to that step.
The last state equals the hand page. Every step has its own address.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from html import unescape

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from audit.facts import decode
from audit.ledger.store import read_stream
from audit.replay.fold import Fold
from audit.review import hands, replay_steps, verdicts
from audit.review.hands import Played
from casino.accounts import view_log
from casino.surveillance.replay_timeline import timeline
from casino.surveillance.replay_views import MOST_STATES
from games import GAMES
from games.kit import events as e
from games.kit.amounts import Exact
from games.kit.events import Event
from tests.casino.conftest import Cast
from tests.casino.nights import DAY, record, troubled_day
from tests.casino.pages import markup, text
from tests.casino.test_felts import NIGHTS, rounds, stream
from tests.counts import LONG
from tests.furnished import furnishing

Lines = dict[tuple[str, str], tuple[Exact | None, int]]


@furnishing
def all_games() -> Cast:
    """Record and examine a table's day for every game."""
    cast = Cast()
    for game, faults in NIGHTS.items():
        record(troubled_day(game.upper(), 1, faults, game))
    return cast


def hand(game: str, name: str) -> Played:
    played = hands.played("aurora", stream(game), name)
    assert played is not None
    return played


def facts_until(played: Played, step: int) -> list[tuple[int, Event]]:
    """Return the facts of the stream up to this step of the hand, each as (number, event)."""
    last = played.facts[step - 1].number
    rows = read_stream("aurora", played.stream)
    return [(row.number, decode(bytes(row.body))) for row in rows if row.number <= last]


def lines_of(facts: Iterable[tuple[int, Event]], stream: str, name: str) -> Lines:
    """Replay these facts, and return the amounts owed and moved for each wager of the round."""
    facts = list(facts)
    learned = [fact for _, fact in facts if isinstance(fact, e.ReadCorrected | e.RoundCancelled)]
    fold = Fold(stream, learned=learned)
    for number, fact in facts:
        fold.take(number, fact)
    assert fold.table is not None
    if name in fold.book:
        return dict(fold.book[name].lines)
    round = fold.table.round
    assert round is not None
    assert round.name == name
    return {key: fold.table.settlement(round, line) for key, line in round.lines.items()}


def hands_to_replay(game: str) -> list[str]:
    """Return the hands of a game that the tests replay: all of the day in `make long`, and otherwise the
    first two.
    """
    return rounds(game) if LONG else rounds(game)[:2]


@pytest.mark.parametrize("game", NIGHTS)
def test_the_state_at_a_step_equals_a_replay_of_the_facts_up_to_it(all_games: Cast, game: str) -> None:
    compared = 0
    for name in hands_to_replay(game):
        played = hand(game, name)
        for step in range(1, len(played.facts) + 1):
            state = replay_steps.after(played, step)
            lines = lines_of(facts_until(played, step), played.stream, name)
            shown = {(wager.spot, wager.wager): (wager.owed, wager.moved) for wager in state.wagers}
            assert {key: shown[key] for key in lines} == lines, (name, step)
            payments = GAMES[game].payments
            assert all(
                wager in payments and shown[spot, wager][0] for spot, wager in shown.keys() - lines.keys()
            )
            assert [recorded.number for recorded in state.facts] == [
                earlier.number for earlier in played.facts[:step]
            ]
            compared += len(lines)
    assert compared > 50


@pytest.mark.parametrize("game", NIGHTS)
def test_no_difference_is_shown_before_money_moves_and_the_last_state_is_the_hand(
    all_games: Cast, game: str
) -> None:
    for name in hands_to_replay(game):
        played = hand(game, name)
        moved: set[tuple[str, str]] = set()
        for step, recorded in enumerate(played.facts, 1):
            fact = recorded.fact
            if isinstance(fact, e.Take | e.Pay | e.Return):
                moved.add((fact.spot, fact.wager))
            elif isinstance(fact, e.Settled):
                moved |= {(spot, wager) for spot, wager, _ in (*fact.paid, *fact.taken)}
            state = replay_steps.after(played, step)
            if not state.closed:
                differing = {(wager.spot, wager.wager) for wager in state.wagers if wager.difference}
                assert differing <= moved, (name, step)
        assert replay_steps.after(played, len(played.facts)) is played


def page(cast: Cast, played: Played, query: str = "") -> str:
    answer = cast.browser("Dana").get(f"/replay/{played.stream}/{played.name}/{query}")
    assert answer.status_code == 200
    return markup(answer)


def part(shown: str, pattern: str) -> str:
    return unescape(re.search(pattern, shown, re.DOTALL)[0])  # type: ignore[index]


def cells(shown: str) -> list[list[str]]:
    """Return the table of wagers on a page. Each row has place (the betting spot), wager, stake, owed, moved
    and difference.
    """
    table = part(shown, r'<table class="lines.*?</table>')
    rows = re.findall(r"<tr(?: class=\"off\")?><td.*?</tr>", table.split("<tbody>")[1])
    return [[text(cell) for cell in re.findall(r"<td.*?</td>", row)] for row in rows]


@pytest.mark.parametrize("game", NIGHTS)
def test_the_last_state_shows_what_the_hand_page_shows(all_games: Cast, game: str) -> None:
    for name in hands_to_replay(game):
        played = hand(game, name)
        own = markup(all_games.browser("Dana").get(f"/hand/{played.stream}/{name}/"))
        last = page(all_games, played, f"?step={len(played.facts)}")
        layout = r'<section class="felt".*?</section>'
        assert part(own, layout) == part(last, layout).replace(' tabindex="0"', "", 1)
        assert [[*row[:6]] for row in cells(own)] == [[*row[:4], *row[5:7]] for row in cells(last)]


def test_a_step_shows_owed_amounts_early_and_nothing_from_later_facts(
    all_games: Cast,
) -> None:
    played = hand("easy_over_under", "r-0001")
    kinds = [type(recorded.fact) for recorded in played.facts]
    before = cells(page(all_games, played, f"?step={kinds.index(e.Roll)}"))
    assert all(row[3] == row[5] == "not yet" and row[6] == "" for row in before)
    dealt = kinds.index(e.Deal) + 1
    state = replay_steps.after(played, dealt)
    owed = {wager.spot for wager in state.wagers if wager.owed is not None}
    assert owed == {played.facts[dealt - 1].fact.to}  # type: ignore[attr-defined]
    shown = [row for row in cells(page(all_games, played, f"?step={dealt}")) if row[3] != "not yet"]
    assert shown
    assert all(row[4] and row[6] == "" for row in shown)


def due(played: Played, step: int) -> set[tuple[str, bool]]:
    return {(step.says, step.is_late) for step in replay_steps.due_steps(played, step)}


def test_the_steps_that_are_missing_are_those_of_the_rules_and_none_is_missing_at_the_end(
    all_games: Cast,
) -> None:
    played = hand("easy_over_under", "r-0001")
    kinds = [type(recorded.fact) for recorded in played.facts]
    rolled, marked = kinds.index(e.Roll) + 1, kinds.index(e.Mark) + 1
    mark = "Mark the roll with the disc."
    assert (mark, False) in due(played, rolled)
    assert not {says for says, _ in due(played, rolled - 1)} & {mark}
    assert not {says for says, _ in due(played, marked)} & {mark}
    assert mark in page(all_games, played, f"?step={rolled}")
    for game in NIGHTS:
        clean = hand(game, "r-0001")
        assert due(clean, len(clean.facts)) == set()
        assert due(clean, len(clean.facts) - 1) == set()


def test_a_step_that_was_left_out_is_late_as_soon_as_the_hand_goes_on(all_games: Cast) -> None:
    name = next(
        name
        for name in rounds("easy_over_under")
        if any(
            finding.code == "not-marked"
            for finding in verdicts.findings_of("aurora", stream("easy_over_under"), name)
        )
    )
    played = hand("easy_over_under", name)
    rolled = [type(recorded.fact) for recorded in played.facts].index(e.Roll) + 1
    states = [
        ("Mark the roll with the disc.", late) in due(played, step) for step, late in ((rolled, False),)
    ]
    assert states == [True]
    assert any(
        ("Mark the roll with the disc.", True) in due(played, step) for step in range(rolled, rolled + 5)
    )


def test_every_step_has_a_url_and_the_script_gets_the_same_states(all_games: Cast) -> None:
    played, dana = hand("high_side", "r-0002"), all_games.browser("Dana")
    address = f"/replay/{played.stream}/{played.name}/"
    states = markup(dana.get(f"{address}?step=2&states={MOST_STATES}"))
    sent = re.split(r'<div data-state="(\d+)">', states)
    assert [int(step) for step in sent[1::2]] == list(range(2, min(len(played.facts), 1 + MOST_STATES) + 1))
    for step, state in list(zip(sent[1::2], sent[2::2], strict=True))[:: 1 if LONG else 5]:
        own = page(all_games, played, f"?step={step}")
        for pattern in (r'<section class="felt".*?</section>', r"<tbody>.*?</tbody>"):
            assert part(own, pattern) == part(state, pattern)
        assert len(re.findall('aria-current="step"', own)) == 1
        assert f'step={step}" aria-current="step"' in own
        assert f'<b id="replay-step">{step}</b> of {len(played.facts)}' in own


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("?step=0", 400),
        ("?step=x", 400),
        ("?step=", 400),
        ("?step=-1", 400),
        ("?step=99999", 404),
        ("?step=" + "9" * 40, 400),
        ("?step=1&states=0", 400),
        ("?step=1&states=1000", 400),
        ("?step=1", 200),
        ("", 200),
    ],
)
def test_a_step_that_does_not_exist_is_a_clear_error(all_games: Cast, query: str, status: int) -> None:
    address = f"/replay/{stream('lucky_7')}/r-0001/"
    assert all_games.browser("Dana").get(f"{address}{query}").status_code == status
    assert all_games.browser("Dana").get(address.replace("r-0001", "r-9999")).status_code == 404


def test_a_replay_and_its_states_need_the_right_at_the_property(all_games: Cast) -> None:
    address = f"/replay/{stream('lucky_7')}/r-0001/"
    for query in ("?step=1", "?step=1&states=3"):
        assert all_games.browser("Dana").get(f"{address}{query}").status_code == 200
        for name in ("Ada", "Eve", "Chi", "Mia"):
            assert all_games.browser(name).get(f"{address}{query}").status_code == 403
        denied = all_games.browser("Dana").get(f"{address.replace('aurora', 'borealis')}{query}")
        assert denied.status_code == 403
        assert "see-hand at borealis" in denied.content.decode()


def test_a_view_is_recorded_once_and_states_without_a_recorded_view_are_recorded_too(all_games: Cast) -> None:
    played, dana = hand("teen_patti", "r-0001"), all_games.browser("Dana")
    address = f"/replay/{played.stream}/{played.name}/"

    def views() -> int:
        return len(view_log.viewings(["aurora"], table=f"aurora/{'teen_patti'.upper()}"))

    token = re.search('data-view="([^"]+)"', page(all_games, played))
    assert token is not None
    assert views() == 1
    dana.get(f"{address}?step=1&states=5", {"view": token[1]})
    assert dana.get(address, {"step": 1, "states": 5, "view": token[1]}).status_code == 200
    known = views()
    assert dana.get(address, {"step": 1, "states": 5, "view": "x"}).status_code == 200
    assert views() == known + 1
    other = all_games.browser("Boris")
    assert other.get(address, {"step": 1, "states": 5, "view": token[1]}).status_code == 200
    assert views() == known + 2  # the token of a view is valid only for the user who opened the page


def test_the_queries_of_a_replay_do_not_grow_with_its_steps(all_games: Cast) -> None:
    played, dana = hand("casino_over_under", "r-0002"), all_games.browser("Dana")
    address = f"/replay/{played.stream}/{played.name}/"
    assert len(played.facts) > MOST_STATES
    counts = []
    for query in (
        "?step=1",
        f"?step={len(played.facts)}",
        "?step=1&states=1",
        f"?step=1&states={MOST_STATES}",
    ):
        dana.get(f"{address}{query}")
        with CaptureQueriesContext(connection) as queries:
            dana.get(f"{address}{query}")
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 50
    assert counts[2] == counts[3] <= 25


def test_a_replay_opens_where_the_first_finding_is(all_games: Cast) -> None:
    for game in NIGHTS:
        for name in hands_to_replay(game):
            played = hand(game, name)
            findings = verdicts.findings_of("aurora", played.stream, name)
            numbers = [recorded.number for recorded in played.facts]
            step = next(
                (numbers.index(finding.number) + 1 for finding in findings if finding.number in numbers), 1
            )
            shown = page(all_games, played)
            assert f'step={step}" aria-current="step"' in shown
            assert shown.count('class="diamond ') == sum(finding.number in numbers for finding in findings)


def test_a_take_without_a_bet_leaves_its_mark_on_the_layout_and_its_line(cast: Cast) -> None:
    record(troubled_day("EOU-07", 1, ("no-such-bet:taken",)))
    for number in range(1, 9):
        played = hands.played("aurora", "aurora/EOU-07/2026-11-27", f"r-{number:04d}")
        findings = verdicts.findings_of("aurora", played.stream, played.name) if played else []
        for finding in findings:
            if finding.code == "no-such-bet" and played is not None:
                step = [recorded.number for recorded in played.facts].index(finding.number) + 1
                shown = page(cast, played, f"?step={step}")
                area = shown.split(f'id="spot-{finding.spot}"')[1].split('id="spot-')[0]
                assert 'class="chip taken"' in area
                assert 'class="call"' in area
                assert cells(shown)[0][0] == f"Spot {finding.spot}"
                return
    raise AssertionError("no hand with a take without a bet")


def test_the_clock_shows_pauses_and_long_waits_and_never_goes_backwards(all_games: Cast) -> None:
    played = hand("lucky_7", "r-0001")
    begins = datetime(2026, 11, 27, 8, tzinfo=UTC)
    first = played.facts[0].fact

    def at(seconds: int, kind: type[Event], **fields: str) -> hands.Recorded:
        fact = kind(
            uid=first.uid,
            table=first.table,
            day=first.day,
            at=begins + timedelta(seconds=seconds),
            source="x",
            round="r-0001",
            **fields,
        )
        return played.facts[0]._replace(fact=fact)

    facts = [
        at(0, e.RoundOpened),
        at(4, e.NoMoreBets),
        at(2, e.Paused, reason="dropped card", by="s-1"),
        at(16, e.Resumed, reason="found", by="s-1"),
        at(40, e.RoundClosed),
    ]
    line = timeline(played._replace(facts=facts), [], UTC, "/replay/", 2)
    assert [tick.offset for tick in line.ticks] == [0, 4000, 4000, 16000, 40000]
    assert [tick.x for tick in line.ticks] == ["1.50%", "11.20%", "11.20%", "40.30%", "98.50%"]
    assert [box.says for box in line.pauses] == ["Paused: dropped card, 12.0 s"]
    assert [box.says for box in line.waits] == ["12.0 s before resumed", "24.0 s before round closed"]
    assert (line.begins, line.ends) == ("Fri 27 Nov, 08:00:00.000", "Fri 27 Nov, 08:00:40.000")
    at_once = timeline(played._replace(facts=[facts[0]] * 3), [], UTC, "/replay/", 1)
    assert [tick.x for tick in at_once.ticks] == ["1.50%", "50.00%", "98.50%"]


def test_a_misread_card_counts_until_the_step_that_corrects_it(cast: Cast) -> None:
    facts = troubled_day("EOU-07", 1, ())
    place, deal = next((place, fact) for place, fact in enumerate(facts) if fact["kind"] == "deal")
    true, signed = deal["card"], {"reason": "reader dirty", "by": "s-201", "second": "s-202"}
    deal["card"] = "Ks" if true[0] in "A2345" else "As"
    envelope = {name: deal[name] for name in ("table", "day", "at", "source", "round", "v") if name in deal}
    inserted = [
        {"kind": "paused", "reason": "reader dirty", "by": "s-201"},
        {"kind": "read-corrected", "of": deal["uid"], "card": true, **signed},
        {"kind": "resumed", "reason": "card corrected", "by": "s-201"},
    ]
    facts[place + 1 : place + 1] = [
        envelope | fact | {"uid": f"00000000-0000-4000-8000-{number:012}"}
        for number, fact in enumerate(inserted)
    ]
    record(facts)
    played = hands.played("aurora", f"aurora/EOU-07/{DAY}", deal["round"])
    assert played is not None
    step = [recorded.fact.uid for recorded in played.facts].index(deal["uid"]) + 1
    owed = [
        {wager.why for wager in replay_steps.after(played, at).wagers if wager.spot == deal["to"]}
        for at in (step, step + 1, step + 2, len(played.facts))
    ]
    assert owed[0] == owed[1] != owed[2] == owed[3]
    for at in range(1, len(played.facts) + 1):
        lines = lines_of(facts_until(played, at), played.stream, played.name)
        state = replay_steps.after(played, at)
        assert {(wager.spot, wager.wager): (wager.owed, wager.moved) for wager in state.wagers} == lines

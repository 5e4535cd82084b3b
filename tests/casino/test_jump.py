"""Quick search finds a hand by what an officer knows: a table ID in upper or lower case, the name of a round,
or a player and a time.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import permutations

import pytest

from audit.review import hands
from casino.surveillance import quick_search_text
from games.kit import events as e
from tests.casino.conftest import Cast
from tests.casino.nights import DAY, STREAM, record, troubled_day
from tests.casino.test_report_hours import dealt
from tests.furnished import furnishing


@furnishing
def two_days() -> Cast:
    """Record a day of a felt table, at which the bets at one spot name a player, and a day of a Teen Patti
    table.
    """
    cast = Cast()
    facts = troubled_day(times=1, faults=("late-bet:new", "wrong-settlement:over:overpaid"))
    named = next(fact["spot"] for fact in facts if fact["kind"] == "bet")
    record(
        [
            fact | ({"player": "p-77"} if fact["kind"] == "bet" and fact["spot"] == named else {})
            for fact in facts
        ]
    )
    record(troubled_day("TP-01", 1, ("not-settled:ante", "late-bet:new"), "teen_patti"))
    return cast


def played(stream: str, name: str) -> hands.Played:
    hand = hands.played("aurora", stream, name)
    assert hand is not None
    return hand


def begins(hand: hands.Played) -> datetime:
    return hand.facts[0].fact.at.astimezone(UTC)


def jump_to(cast: Cast, typed: str) -> str:
    """Return the address to which quick search leads for this text. If it finds nothing, return its page."""
    answer = cast.browser("Dana").get("/jump/", {"to": typed})
    return answer["Location"] if answer.status_code == 302 else answer.content.decode()


@pytest.mark.parametrize("table", ["EOU-07", "eou-07", "Eou-07", "aurora/eou-07", "AURORA/EOU-07"])
def test_a_table_is_found_in_upper_and_lower_case(two_days: Cast, table: str) -> None:
    at = begins(played(STREAM, "r-0003")) + timedelta(seconds=1)
    assert jump_to(two_days, f"{table} {DAY} {at:%H:%M:%S}") == f"/hand/{STREAM}/r-0003/"


@pytest.mark.parametrize("written", ["27 nov 2026", "27 Nov 2026", "Nov 27, 2026", "27.11.2026"])
def test_the_date_may_be_written_as_people_write_it(two_days: Cast, written: str) -> None:
    at = begins(played(STREAM, "r-0003")) + timedelta(seconds=1)
    parts = (written, "EOU-07", f"{at:%H:%M:%S}")
    for typed in (" ".join(order) for order in permutations(parts)):
        assert jump_to(two_days, typed) == f"/hand/{STREAM}/r-0003/"
    assert jump_to(two_days, f"EOU-07 r-0003 {written} spot 3") == f"/hand/{STREAM}/r-0003/?spot=3#spot-3"


@pytest.mark.parametrize("written", ["27 nov 2026", "Nov 27, 2026", "27.11.2026", "2026-11-27"])
def test_a_date_alone_or_with_a_table_leads_to_the_hands_of_that_gaming_day(
    two_days: Cast, written: str
) -> None:
    hands_of_day = f"/hands/?property=aurora&day_from={DAY}&day_last={DAY}"
    assert jump_to(two_days, written) == hands_of_day
    for typed in (f"eou-07 {written}", f"{written} EOU-07"):
        assert jump_to(two_days, typed) == f"{hands_of_day}&table=EOU-07"


def test_a_date_with_a_table_that_does_not_exist_is_no_search(two_days: Cast) -> None:
    assert "Type a table and a time, or a table and a hand." in jump_to(two_days, "XYZ-99 27 nov 2026")


def test_a_time_without_a_date_means_the_latest_day_that_has_a_hand_then(two_days: Cast) -> None:
    for day in ("2025-11-24", "2025-11-25"):
        record(dealt("aurora/L8", day, f"{day}T22:05:00Z", f"{day}T22:30:00Z"))
    record(dealt("aurora/L8", "2025-11-26", "2025-11-26T06:05:00Z"))
    assert jump_to(two_days, "L8 06:05") == "/hand/aurora/L8/2025-11-26/0/"
    assert jump_to(two_days, "L8 22:05 spot 3") == "/hand/aurora/L8/2025-11-25/0/?spot=3#spot-3"
    assert jump_to(two_days, "L8 22:05 p-1") == "/hand/aurora/L8/2025-11-25/0/?spot=p-1#spot-p-1"
    assert jump_to(two_days, "L8 2025-11-24 22:05") == "/hand/aurora/L8/2025-11-24/0/"


def test_a_time_between_hands_offers_those_of_the_latest_day_with_the_spot(two_days: Cast) -> None:
    record(dealt("aurora/L9", "2025-11-24", "2025-11-24T22:15:00Z"))
    record(dealt("aurora/L9", "2025-11-25", "2025-11-25T22:05:00Z", "2025-11-25T22:30:00Z"))
    page = jump_to(two_days, "L9 22:15 spot 3")  # the hand of 22:05 is near enough
    assert "No hand of L9 was open at 22:15:00." in page
    assert 'href="/hand/aurora/L9/2025-11-25/0/?spot=3#spot-3"' in page
    assert "Hand 0 · Spot 3</a>" in " ".join(page.split())
    assert "2025-11-24" not in page
    assert "2025-11-25/1/" in jump_to(two_days, "L9 12:00")  # no hand near: those of the latest day


def test_a_date_with_slashes_is_refused_with_the_reason(two_days: Cast) -> None:
    page = jump_to(two_days, "EOU-07 11/27 06:30")
    assert "“11/27” can be read in two ways." in page
    assert "27 Nov" in page


def test_an_exact_table_name_is_preferred_to_another_spelling(two_days: Cast) -> None:
    record(troubled_day("eou-07", times=1, faults=()))
    assert jump_to(two_days, "eou-07 r-0001") == f"/hand/aurora/eou-07/{DAY}/r-0001/"
    assert jump_to(two_days, "EOU-07 r-0001") == f"/hand/{STREAM}/r-0001/"


@pytest.mark.parametrize(
    "typed", ["TP-01 r-0002", "tp-01 hand r-0002", f"TP-01 r-0002 {DAY}", f"{'aurora/TP-01'} {DAY} r-0002"]
)
def test_a_hand_is_found_by_the_name_that_pages_give_it(two_days: Cast, typed: str) -> None:
    assert jump_to(two_days, typed) == f"/hand/aurora/TP-01/{DAY}/r-0002/"
    assert jump_to(two_days, f"{typed} spot 3") == f"/hand/aurora/TP-01/{DAY}/r-0002/?spot=3#spot-3"


@pytest.mark.parametrize(
    ("typed", "says"),
    [("TP-01 r-0999", "TP-01 has no hand r-0999."), ("TP-01 r-0002 2026-11-26", "on 26 Nov 2026")],
)
def test_a_hand_that_was_not_dealt_is_reported(two_days: Cast, typed: str, says: str) -> None:
    assert says in jump_to(two_days, typed)


def test_a_player_and_a_time_lead_to_the_hand_near_it_in_which_that_player_bets(two_days: Cast) -> None:
    stream = f"aurora/TP-01/{DAY}"
    all_hands = [played(stream, f"r-{number:04d}") for number in range(1, 6)]
    seated = [{wager.spot for wager in hand.wagers} for hand in all_hands]
    player, of = next((spot, of) for of in range(1, 5) for spot in sorted(seated[of] - seated[of - 1]))
    moment = begins(all_hands[of - 1]) + timedelta(seconds=1)
    other = sorted(seated[of - 1])[0]
    assert (
        jump_to(two_days, f"tp-01 {DAY} {moment:%H:%M:%S} {other}")
        == f"/hand/{stream}/{all_hands[of - 1].name}/?spot={other}#spot-{other}"
    )
    near = [hand for hand, spots in zip(all_hands, seated, strict=True) if player in spots]
    to = jump_to(two_days, f"tp-01 {DAY} {moment:%H:%M:%S} {player}")
    assert to in {f"/hand/{stream}/{hand.name}/?spot={player}#spot-{player}" for hand in near}
    page = jump_to(two_days, f"TP-01 {DAY} {moment:%H:%M:%S} p-nobody")
    assert "p-nobody has no bet at TP-01 within 10 min of" in page
    assert f"/hand/{stream}/{all_hands[of - 1].name}/" in page  # shown as a link, not opened


def test_a_player_at_a_felt_table_is_found_at_the_spot_of_the_bet(two_days: Cast) -> None:
    for number in range(1, 6):
        hand = played(STREAM, f"r-{number:04d}")
        for bet in [fact.fact for fact in hand.facts if isinstance(fact.fact, e.Bet) and fact.fact.player]:
            to = jump_to(two_days, f"EOU-07 {DAY} {bet.at.astimezone(UTC):%H:%M:%S} {bet.player}")
            spots = {
                fact.fact.spot
                for fact in hand.facts
                if isinstance(fact.fact, e.Bet) and fact.fact.player == bet.player
            }
            assert to in {f"/hand/{STREAM}/{hand.name}/?spot={spot}#spot-{spot}" for spot in spots}
            return
    raise AssertionError("nobody at this table is named")


def test_a_spot_that_the_hand_does_not_have_is_reported(two_days: Cast) -> None:
    hand = played(STREAM, "r-0003")
    lies = hand.wagers[0].spot
    dana = two_days.browser("Dana")
    assert (
        "Spot 9: nothing was bet or dealt there in this hand."
        in dana.get(f"/hand/{STREAM}/r-0003/?spot=9").content.decode()
    )
    for address in (f"/hand/{STREAM}/r-0003/?spot={lies}", f"/hand/{STREAM}/r-0003/"):
        assert "nothing was bet or dealt there" not in dana.get(address).content.decode()


@pytest.mark.parametrize(
    ("typed", "hand", "spot"),
    [
        ("TP-01 4711", "4711", ""),
        ("TP-01 4711 3", "4711", "3"),
        ("TP-01 22:05 3", "", "3"),
        ("TP-01 22:05 p-90210", "", "p-90210"),
        ("TP-01 hand 3 spot 2", "3", "2"),
        ("TP-01 r-0009 22:05 3", "r-0009", "3"),
    ],
)
def test_a_number_is_a_spot_after_a_time_or_hand_and_otherwise_a_hand(
    typed: str, hand: str, spot: str
) -> None:
    wanted = quick_search_text.read(typed)
    assert wanted is not None
    assert (wanted.hand, wanted.spot) == (hand, spot)


@pytest.mark.parametrize(
    "typed",
    ["TP-01 r-0001 r-0002", "TP-01 p-1 p-2 22:05", "TP-01 spot", "r-0001", "TP-01 p-90210", "TP-01 \0 22:05"],
)
def test_two_hands_two_players_or_no_table_lead_nowhere(typed: str) -> None:
    assert quick_search_text.read(typed) is None

"""Replay of any list of facts, in any order and with absurd amounts, never raises and gives the same result
twice.
"""

from __future__ import annotations

import os
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import structs

from audit import facts as f
from audit.facts import check, decode
from audit.replay.fold import Fold, NeedsWholeDay, in_order, replay
from games import GAMES
from games.kit import events as e
from games.kit.cards import DECK
from games.kit.events import LIMIT, Event
from tests.counts import LONG
from tests.nights.reading import NIGHTS, nights

FEW = 25
EXAMPLES = 10_000 if LONG else int(os.environ.get("CATWALK_EXAMPLES", str(FEW)))

PLACES = ("dealer", "player", "a", "b", "table", "community", "joker", "andar", "bahar")
spots = st.sampled_from(["1", "2", "6", "7", "0", "12", "99999", "p-1", ""])
places = st.sampled_from(["1", "2", "7", "p-1", "", *PLACES])
choices = st.sampled_from(["over", "under", "surrender", "play", "fold", "keep", "?"])
amounts = st.sampled_from([1, 3, 50, 100, 101, 5000, LIMIT])
cards = st.one_of(st.none(), st.sampled_from([*DECK, "1s", "Xx", "", "10H", "joker"]))
words = st.sampled_from(["", "r-1", "ties-push", "ties-lose-half", "over", "s-1", "s-2", "andar", "bahar"])
rounds = st.sampled_from(["r-1", "r-1", "r-1", "r-2", None])


def moves(wagers: Any) -> Any:
    return st.lists(st.tuples(spots, wagers, amounts), max_size=4)


people = st.sampled_from(["a", "b", ""])
chips = st.dictionaries(st.sampled_from(["1", "100"]), st.integers(0, 9), max_size=2)
small = st.integers(-1, 14)
Shapes = list[tuple[type[Event], dict[str, Any]]]
"""Kinds of facts, each with strategies for its fields."""


def openings(game: str) -> Shapes:
    """Return the opening of a table as a kind of fact, with a strategy for each field. Most values are valid
    for the game.
    """
    opened = {wager: next(iter(tables)) for wager, tables in GAMES[game].pay_tables.items()}
    answers = {question: st.sampled_from([*known, "?"]) for question, known in GAMES[game].options.items()}
    return [
        (
            e.TableOpened,
            {
                "game": st.sampled_from([game, game, "nothing"]),
                "edition": st.sampled_from([*GAMES[game].editions, "none"]),
                "pay_tables": st.sampled_from([opened, {}, {"spread": "Z"}]),
                "decks": st.integers(-1, 8),
                "spots": st.integers(-1, 9),
                "limits": st.sampled_from([{}, {"*": (100, 1000)}, {"over": (5, 1)}]),
                "currency": st.sampled_from(["USD", "JPY", ""]),
                "chip": amounts,
                "readings": st.fixed_dictionaries({}, optional=answers),
                "sees": st.lists(st.sampled_from(sorted(f.KINDS)), max_size=50),
                "continues": st.booleans(),
                "shifts": st.sampled_from([None, {"day": AT, "swing": AT + timedelta(hours=1)}, {}]),
            },
        ),
    ]


def wagering(game: str) -> Shapes:
    """Return kinds of facts that name a wager or a spot, each with a strategy for each field."""
    wagers = st.sampled_from([*GAMES[game].wagers, "insurance", "ante", ""])
    spot_wager = {"spot": spots, "wager": wagers}
    return [
        (e.Bet, {**spot_wager, "amount": amounts, "player": st.sampled_from([None, "p"])}),
        (e.Unbet, {**spot_wager, "amount": amounts}),
        (e.Bets, {"bets": moves(wagers)}),
        (e.Settled, {"paid": moves(wagers), "taken": moves(wagers)}),
        *((shape, {**spot_wager, "amount": amounts}) for shape in (e.Take, e.Pay, e.Return)),
        (e.Pull, spot_wager),
        (e.Choose, {"spot": spots, "choice": choices, "timeout": st.booleans()}),
        (
            e.Announce,
            {
                "what": st.sampled_from(
                    ["dice", "short-side", "no-short-side", "no-bonus?", "card", "outcome", "?"]
                ),
                "value": st.one_of(st.none(), small, words),
                "ranks": st.sampled_from([None, ["K"], []]),
                "pays": st.sampled_from([None, "2 to 1", "1 to 0", "x"]),
                "spot": st.one_of(st.none(), spots),
                "wager": st.one_of(st.none(), wagers),
            },
        ),
        (
            e.Corrected,
            {**spot_wager, "amount": st.integers(-200, 200), "reason": words, "by": people, "second": people},
        ),
    ]


def equipment(game: str) -> Shapes:
    """Return kinds of facts about dice, cards, alarms and pauses, each with a strategy for each field."""
    destination = st.one_of(
        st.sampled_from([place for place in ("1", "2", *PLACES) if GAMES[game].has_place(place)]), places
    )
    bare = [e.CutCardShown, e.RoundOpened, e.NoMoreBets, e.RoundClosed, e.TableClosed]
    return [
        *((shape, {}) for shape in bare),
        (e.Shake, {"times": small, "cup": st.sampled_from([None, 1, 2])}),
        (e.Roll, {"dice": st.lists(st.integers(0, 7), max_size=3)}),
        (e.Mark, {"value": small, "side": words}),
        (e.Deal, {"to": destination, "card": cards}),
        (e.Burn, {"card": cards}),
        (e.Clear, {"source_": places}),
        (e.Void, {"reason": words, "by": people, "second": people}),
        (e.Paused, {"reason": words, "by": people}),
        (e.Resumed, {"reason": words, "by": people}),
        (e.PlayerLost, {"spot": spots}),
        (e.PlayerBack, {"spot": spots}),
        (e.Shuffled, {"shoe": words, "decks": st.integers(-1, 8), "cut": st.sampled_from([None, -1, 400])}),
        (e.DealerSeated, {"dealer": people, "supervisor": people}),
        (e.Alarm, {"device": words, "text": words}),
        (e.AlarmAnswered, {"alarm": words, "by": people}),
    ]


def cage() -> Shapes:
    """Return kinds of facts about slips, trays, boxes and counts, each with a strategy for each field."""
    slip = {
        "slip": st.sampled_from(["F-1-1", "F-1-2", "x"]),
        "chips": chips,
        "amount": amounts,
        "requested_by": people,
    }
    return [
        (f.FillSent, {**slip, "sent_by": people, "carried_by": people, "received_by": people}),
        (f.SlipVoided, {"slip": slip["slip"], "reason": words, "by": people, "second": people}),
        (f.OpenerCounted, {"chips": chips, "amount": amounts, "by": people, "second": people}),
        (f.CloserCounted, {"chips": chips, "amount": amounts, "by": people, "second": people}),
        (f.BoxPulled, {"box": words, "shift": words, "by": people, "second": people}),
        (f.DayClosed, {"by": people}),
        (
            f.DropCounted,
            {"box": words, "shift": words, "notes": chips, "amount": amounts, "team": st.just([])},
        ),
        (f.CountVerified, {"box": words, "amount": amounts, "by": people}),
        (f.ChipsBought, {"spot": spots, "amount": amounts, "tender": words}),
    ]


def shapes(game: str) -> Any:
    """Return a strategy for facts of every kind. Most of their values are valid for the game."""
    kinds = [*openings(game), *wagering(game), *equipment(game), *cage()]
    return st.one_of([st.tuples(st.just(shape), st.fixed_dictionaries(fields)) for shape, fields in kinds])


AT = datetime(2026, 11, 27, 20, tzinfo=UTC)


def stream(game: str) -> Any:
    """Return a strategy for lists of facts, which follow the opening of a table that reports every kind."""
    envelope = st.tuples(
        rounds, st.sampled_from(["a", "b"]), st.one_of(st.none(), st.integers(1, 9)), st.integers(-5, 5)
    )
    return st.lists(st.tuples(shapes(game), envelope), max_size=40)


def facts_of(game: str, drawn: Any) -> list[Event]:
    sees = sorted(f.KINDS)
    opening = e.TableOpened(
        uid="0",
        table="aurora/T",
        day=AT.date(),
        at=AT,
        source="pit",
        game=game,
        edition=next(iter(GAMES[game].editions)),
        chip=100,
        pay_tables={wager: next(iter(tables)) for wager, tables in GAMES[game].pay_tables.items()},
        decks=GAMES[game].decks or 6,
        spots=6,
        limits={"*": (100, 5000)},
        currency="USD",
        readings={},
        sees=sees,
    )
    listed: list[Event] = [opening, opened(1)]
    for number, ((shape, fields), (round, source, n, minutes)) in enumerate(drawn, 2):
        name = round or "r-1" if issubclass(shape, e.RoundOpened | e.RoundClosed | e.Corrected) else round
        at = AT + timedelta(minutes=minutes)
        listed.append(
            shape(
                uid=str(number),
                table="aurora/T",
                day=date(2026, 11, 27),
                at=at,
                source=source,
                n=n,
                round=name,
                **fields,
            )
        )
    return listed


def opened(number: int) -> Event:
    return e.RoundOpened(uid=str(number), table="aurora/T", day=AT.date(), at=AT, source="pit", round="r-1")


@pytest.mark.parametrize("game", sorted(GAMES))
def test_any_list_of_facts_is_replayed_twice_with_the_same_result(game: str) -> None:
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=EXAMPLES == FEW,
        suppress_health_check=list(HealthCheck),
    )
    @given(stream(game))
    def play(drawn: Any) -> None:
        facts = facts_of(game, drawn)
        first, second = replay(facts), replay(facts)
        assert first == second
        assert resumed(facts) == first

    play()


HONEST = {
    night.game: [decode(check(line).body) for line in night.lines]
    for night in nights(*[name for name in NIGHTS if "-honest" in name])
}
STREAM = "aurora/T/2026-11-27"
ROUNDS = 90
"""Number of facts of a night without faults that are used and changed."""


def changed_facts(facts: list[Event], acts: list[tuple[str, int, int]]) -> list[Event]:
    """Return the facts of the night after these changes. Each change is a kind of change and two places in
    the list of facts.
    """
    night = list(facts)
    for turn, (act, place, other) in enumerate(acts):
        if not night:
            break
        place, other = place % len(night), other % len(night)
        fact = night[place]
        if act == "drop":
            del night[place]
        elif act == "double":
            night.insert(other, structs.replace(fact, uid=f"{fact.uid}-{turn}"))
        elif act == "move":
            night.insert(other, night.pop(place))
        elif act == "swap rounds":
            night[place] = structs.replace(fact, round=night[other].round)
        elif act == "absurd" and hasattr(fact, "amount"):
            night[place] = structs.replace(fact, amount=(1, 7, LIMIT)[other % 3])
        elif act == "absurd" and hasattr(fact, "card"):
            night[place] = structs.replace(fact, card=(None, "joker", "As", "1s")[other % 4])
        elif act == "absurd" and hasattr(fact, "dice"):
            night[place] = structs.replace(fact, dice=([], [0, 7], [6], [1, 2, 3])[other % 4])
        elif act == "void":
            night.insert(
                place, e.Void(**ENVELOPE, uid=f"v-{turn}", round=fact.round, reason="", by="a", second="a")
            )
        elif act == "elsewhere" and hasattr(fact, "spot"):
            night[place] = structs.replace(fact, spot=("1", "12", "", "p-90210")[other % 4])
    return night


ENVELOPE: dict[str, Any] = {
    "table": "aurora/T",
    "day": date(2026, 11, 27),
    "at": datetime(2026, 11, 27, 20, tzinfo=UTC),
    "source": "pit",
}
ACTS = ("drop", "double", "move", "swap rounds", "absurd", "void", "elsewhere")
places_in = st.integers(0, ROUNDS)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_night_with_random_changes_is_replayed_twice_with_the_same_result(game: str) -> None:
    night = HONEST[game][:ROUNDS]

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=EXAMPLES == FEW,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.lists(st.tuples(st.sampled_from(ACTS), places_in, places_in), max_size=25))
    def play(acts: list[tuple[str, int, int]]) -> None:
        facts = changed_facts(night, acts)
        outcome = replay(facts, STREAM)
        assert outcome == replay(facts, STREAM)
        assert resumed(facts) == outcome

    play()


def resumed(facts: list[Event]) -> Any:
    """Replay the stream in pieces: save the state at each possible place between rounds, and resume from it.
    Return the findings and the tally.
    """
    from audit.replay.fold import Outcome

    name = STREAM
    findings, fold = {}, Fold(name)
    for number, event in enumerate(facts, 1):
        try:
            fold.take(number, event)
        except NeedsWholeDay:
            fold = Fold(name)
            for place, before in enumerate(facts[:number], 1):
                fold.take(place, before)
        findings.update(fold.findings)
        if fold.rested == number and (state := fold.keep()) is not None:
            fold = Fold(name, state)
    return Outcome(in_order(findings.values()), fold.tally)


def test_a_fact_read_from_its_bytes_is_the_fact_that_was_posted() -> None:
    """Test that facts generated by these tests have the structure that validation accepts."""
    line = (
        b'{"uid":"01890000-0000-7000-8000-000000000000","table":"aurora/T","day":"2026-11-27",'
        b'"kind":"bet","at":"2026-11-27T20:00:00Z",'
    )
    bet = decode(check(line + b'"source":"a","round":"r-1","spot":"1","wager":"over","amount":100}').body)
    assert isinstance(bet, e.Bet)
    assert (bet.spot, bet.wager, bet.amount, bet.round) == ("1", "over", 100, "r-1")


def test_a_clock_that_went_back_has_the_same_sentence_if_the_fold_was_resumed() -> None:
    """Test an error of an earlier release: the saved state had the last time in another time zone, so that
    the sentence differed.
    """
    facts = changed_facts(HONEST["easy_over_under"][:ROUNDS], [("double", 2, 0)])
    sentences = [
        finding.says for finding in replay(facts, STREAM).findings if finding.code == "clock-backwards"
    ]
    assert sentences == [
        finding.says for finding in resumed(facts).findings if finding.code == "clock-backwards"
    ]
    assert [sentence.endswith(" before its previous fact.") for sentence in sentences] == [True]

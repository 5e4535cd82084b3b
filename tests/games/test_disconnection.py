"""Players who lose their connection, at every live-dealer game (Ezugi Game Rules, Disconnection)."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import pytest
from msgspec import structs

from audit.facts import check, decode
from audit.replay.fold import Fold, replay
from audit.replay.results import Finding
from games import GAMES
from games.kit import events as e
from games.kit.cards import SUITS
from games.kit.events import Event
from tests.vectors.filling import FILLING
from tests.vectors.notation import read, stamped

ACE_HIGH = ["deal {} As", "deal {} Kd", "deal {} Jh", "deal {} Ks", "deal {} 9h", "deal {} 4d"]


def six_cards(first: str, second: str) -> tuple[str, ...]:
    """Return the notation of six cards. The three cards that are dealt to the place `first` make ace high,
    the three that are dealt to the place `second` make king high.
    """
    return tuple(
        text.format(place) for text, place in zip(ACE_HIGH, (first,) * 3 + (second,) * 3, strict=True)
    )


class Way(NamedTuple):
    """One way in which a bet of 10.00 on a wager of the game is decided and settled."""

    wager: str
    first: tuple[str, ...]
    """Facts before the bets."""
    cards: tuple[str, ...]
    """Facts after the end of betting that decide the wager."""
    money: tuple[str, int]
    decision: tuple[str, ...] = ()


WAYS = {
    "andar_bahar": Way("andar", ("deal joker 5s",), ("deal andar 5d",), ("pay", 900)),
    "lucky_7": Way("7-up", (), ("burn 2c", "burn 3c", "burn 4c", "deal table 8s"), ("pay", 1000)),
    "bet_on_teen_patti": Way("player-a", (), six_cards("a", "b"), ("pay", 980)),
    "teen_patti": Way(
        "ante", (), six_cards("player", "dealer"), ("take", 1000), ("choose p-1 fold timeout",)
    ),
}
LIVE = [pytest.param(code, id=code) for code, game in GAMES.items() if game.live_dealer]
BATCHED = [pytest.param(False, id="single"), pytest.param(True, id="batches")]


def test_every_live_dealer_game_is_tried() -> None:
    assert set(WAYS) == {code for code, game in GAMES.items() if game.live_dealer}


def stream(game: str, *words: str, **table: Any) -> list[Event]:
    """Return the facts that these words describe, each in the notation of hands. The words `open` and `close`
    begin and end a round, and the facts between them belong to it.
    """
    settings = FILLING[game].TABLE | table
    drafts: list[dict[str, Any]] = [{"kind": "table-opened", "game": game} | settings]
    number, is_open = 0, False
    for word in words:
        if word == "open":
            number, is_open = number + 1, True
            drafts += [
                {"kind": "shuffled", "shoe": "shoe-1", "decks": settings["decks"]},
                {"kind": "round-opened", "round": f"r-{number}"},
            ]
        elif word == "close":
            drafts.append({"kind": "round-closed", "round": f"r-{number}"})
            is_open = False
        else:
            drafts.append(turned(read(word), number) | ({"round": f"r-{number}"} if is_open else {}))
    return [decode(check(json.dumps(fact).encode()).body) for fact in stamped(game, settings, drafts)]


def turned(draft: dict[str, Any], number: int) -> dict[str, Any]:
    """Return the fact with another suit for its card, one suit for each round. Rounds with the same cards in
    the same order would be reported as not shuffled.
    """
    if draft.get("card") is None:
        return draft
    rank, suit = draft["card"]
    return draft | {"card": rank + SUITS[(SUITS.index(suit) + number) % len(SUITS)]}


def findings_of(game: str, *words: str, **table: Any) -> list[Finding]:
    """Return the findings in the stream that these words describe. Assert that two replays have the same
    findings: one without a break, and one that is resumed after each round.
    """
    facts = stream(game, *words, **table)
    outcome = replay(facts)
    fold, findings = Fold("aurora/T-01/2026-11-27"), {}
    for number, event in enumerate(facts, 1):
        fold.take(number, event)
        if not fold.in_round:
            findings |= fold.findings
            state = fold.keep()
            assert state is not None
            fold = Fold(fold.stream, state)
    findings |= fold.findings
    assert {finding.id: finding.says for finding in findings.values()} == {
        finding.id: finding.says for finding in outcome.findings
    }
    return outcome.findings


def codes(findings: list[Finding]) -> list[tuple[str, str | None, str | None, int | str | None]]:
    """Return code, spot, wager and amount of each finding."""
    return [(finding.code, finding.spot, finding.wager, finding.moved) for finding in findings]


def bet(game: str, batched: bool = False, spot: str = "p-1") -> str:
    """Return the notation of the game's bet of 10.00, as a single fact or as a batch."""
    return f"{'bets' if batched else 'bet'} {spot} {WAYS[game].wager} 1000"


def money(game: str, batched: bool = False, spot: str = "p-1") -> str:
    """Return the notation of the correct settlement of the game's bet of 10.00."""
    kind, amount = WAYS[game].money
    if batched:
        return f"settled {spot} {WAYS[game].wager} {amount if kind == 'pay' else -amount}"
    return f"{kind} {spot} {WAYS[game].wager} {amount}"


def moved(game: str) -> int:
    kind, amount = WAYS[game].money
    return amount if kind == "pay" else -amount


def round_of(
    game: str, *before: str, after: tuple[str, ...] = (), lost_late: tuple[str, ...] = ()
) -> list[str]:
    """Return the notation of a round. `before` comes before the end of betting, `lost_late` directly after
    it, and `after` when the cards have been dealt.
    """
    way = WAYS[game]
    return ["open", *way.first, *before, "no-more-bets", *lost_late, *way.cards, *after, "close"]


# -- the round in which the connection is lost -------------------------------------------------------


@pytest.mark.parametrize("game", LIVE)
@pytest.mark.parametrize("batched", BATCHED)
def test_a_bet_of_a_player_who_is_lost_before_the_close_is_not_placed(game: str, batched: bool) -> None:
    assert findings_of(game, *round_of(game, bet(game, batched), "lost p-1")) == []


@pytest.mark.parametrize("game", LIVE)
@pytest.mark.parametrize("batched", BATCHED)
@pytest.mark.parametrize("back", [(), ("back p-1",)])
def test_money_on_a_bet_that_is_not_placed_names_the_disconnection(
    game: str, batched: bool, back: tuple[str, ...]
) -> None:
    findings = findings_of(
        game, *round_of(game, bet(game, batched), "lost p-1", after=(*back, money(game, batched)))
    )
    assert codes(findings) == [("no-such-bet", "p-1", WAYS[game].wager, moved(game))]
    assert (
        f"p-1 had lost the connection before betting closed; his bet of 10.00 EUR on {WAYS[game].wager} does"
        " not count" in findings[0].says
    )
    assert findings[0].cite.endswith("Disconnection")


@pytest.mark.parametrize("game", LIVE)
def test_two_players_in_one_settlement_are_two_findings(game: str) -> None:
    wager, amount = WAYS[game].wager, moved(game)
    bets = [bet(game, spot="p-1"), bet(game, spot="p-2")]
    facts = stream(game, *round_of(game, *bets, "lost p-1", "lost p-2", after=(money(game, batched=True),)))
    place = next(number for number, fact in enumerate(facts) if isinstance(fact, e.Settled))
    moves = [(spot, wager, abs(amount)) for spot in ("p-1", "p-2")]
    facts[place] = structs.replace(facts[place], **{"paid" if amount > 0 else "taken": moves})
    assert codes(replay(facts).findings) == [("no-such-bet", spot, wager, amount) for spot in ("p-1", "p-2")]


@pytest.mark.parametrize("game", LIVE)
@pytest.mark.parametrize("batched", BATCHED)
def test_a_bet_after_the_connection_was_lost_is_not_placed_either(game: str, batched: bool) -> None:
    late_click = round_of(game, "lost p-1", bet(game, batched))
    assert findings_of(game, *late_click) == []
    assert codes(findings_of(game, *late_click[:-1], money(game, batched), "close")) == [
        ("no-such-bet", "p-1", WAYS[game].wager, moved(game))
    ]


@pytest.mark.parametrize("game", LIVE)
@pytest.mark.parametrize("batched", BATCHED)
def test_only_bets_made_after_the_player_is_back_count(game: str, batched: bool) -> None:
    hand = round_of(
        game,
        bet(game),
        "lost p-1",
        "back p-1",
        bet(game, batched),
        after=(*WAYS[game].decision, money(game, batched)),
    )
    assert findings_of(game, *hand) == []


@pytest.mark.parametrize("game", LIVE)
def test_a_player_who_is_lost_after_the_close_keeps_the_bet(game: str) -> None:
    assert (
        findings_of(
            game,
            *round_of(game, bet(game), lost_late=("lost p-1",), after=(*WAYS[game].decision, money(game))),
        )
        == []
    )
    withheld = findings_of(
        game, *round_of(game, bet(game), lost_late=("lost p-1",), after=WAYS[game].decision)
    )
    assert [(finding.code, finding.owed, finding.moved) for finding in withheld] == [
        ("not-settled", moved(game), 0)
    ]


@pytest.mark.parametrize("game", LIVE)
def test_money_moved_before_the_connection_was_lost_moved_without_a_bet(game: str) -> None:
    findings = findings_of(game, *round_of(game, bet(game), money(game), "lost p-1"))
    assert ("no-such-bet", "p-1", WAYS[game].wager, moved(game)) in codes(findings)
    assert {finding.code for finding in findings} <= {"no-such-bet", "settled-too-soon"}


@pytest.mark.parametrize("game", LIVE)
def test_money_moved_before_the_bet_was_taken_back_moved_without_a_bet(game: str) -> None:
    findings = findings_of(
        game, *round_of(game, bet(game), money(game), f"unbet p-1 {WAYS[game].wager} 1000")
    )
    assert ("no-such-bet", "p-1", WAYS[game].wager, moved(game)) in codes(findings)
    assert {finding.code for finding in findings} <= {"no-such-bet", "settled-too-soon"}


@pytest.mark.parametrize("game", LIVE)
def test_a_bet_that_is_not_placed_is_not_returned_either(game: str) -> None:
    findings = findings_of(
        game, *round_of(game, bet(game), "lost p-1", after=(f"return p-1 {WAYS[game].wager} 1000",))
    )
    assert sorted(finding.code for finding in findings) == ["no-such-bet", "out-of-order"]
    (no_bet,) = (finding for finding in findings if finding.code == "no-such-bet")
    assert (no_bet.moved, no_bet.cite.split()[-1]) == (1000, "Disconnection")
    assert "his bet of 10.00 EUR" in no_bet.says
    assert "10.00 EUR was returned on" in no_bet.says


# -- the studio's own bookkeeping --------------------------------------------------------------------


@pytest.mark.parametrize("game", LIVE)
def test_the_studio_takes_back_the_bets_of_a_lost_player_before_the_close(game: str) -> None:
    wager = WAYS[game].wager
    assert findings_of(game, *round_of(game, bet(game), "lost p-1", f"unbet p-1 {wager} 1000")) == []
    assert (
        findings_of(
            game, *round_of(game, bet(game), "lost p-1", f"unbet p-1 {wager} 400", f"unbet p-1 {wager} 600")
        )
        == []
    )
    assert (
        findings_of(game, *round_of(game, bet(game), "lost p-1", "back p-1", f"unbet p-1 {wager} 1000")) == []
    )
    paid = findings_of(
        game, *round_of(game, bet(game), "lost p-1", f"unbet p-1 {wager} 1000", after=(money(game),))
    )
    assert [(finding.code, finding.moved, finding.cite.split()[-1]) for finding in paid] == [
        ("no-such-bet", moved(game), "Disconnection")
    ]


@pytest.mark.parametrize("game", LIVE)
def test_the_studio_takes_back_no_more_than_was_bet_and_not_too_late(game: str) -> None:
    wager = WAYS[game].wager
    for words in ([f"unbet p-1 {wager} 1001"], [f"unbet p-1 {wager} 1000", f"unbet p-1 {wager} 1"]):
        assert [
            finding.code for finding in findings_of(game, *round_of(game, bet(game), "lost p-1", *words))
        ] == ["no-such-bet"]
    late = findings_of(game, *round_of(game, bet(game), "lost p-1", lost_late=(f"unbet p-1 {wager} 1000",)))
    assert [(finding.code, finding.cite.split()[-1]) for finding in late] == [("late-unbet", "Disconnection")]
    assert "p-1 had lost the connection" in late[0].says


# -- later rounds ------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", LIVE)
@pytest.mark.parametrize("batched", BATCHED)
def test_a_lost_player_who_bets_in_a_later_round_is_found_once_and_counts_as_back(
    game: str, batched: bool
) -> None:
    played = (*WAYS[game].decision, money(game, batched))
    next_round = round_of(game, bet(game, batched), after=played)
    for lost in (
        round_of(game, bet(game), "lost p-1"),
        round_of(game, lost_late=("lost p-1",)),
        round_of(game, after=("lost p-1",)),
    ):
        findings = findings_of(game, *lost, *round_of(game), *next_round, *next_round)
        assert [(finding.code, finding.round, finding.spot, finding.wager) for finding in findings] == [
            ("out-of-order", "r-3", "p-1", WAYS[game].wager)
        ]
        assert "lost the connection in round r-1" in findings[0].says
        assert findings[0].cite.endswith("Disconnection")


@pytest.mark.parametrize("game", LIVE)
def test_a_player_who_is_reported_back_bets_again(game: str) -> None:
    next_round = round_of(game, bet(game), after=(*WAYS[game].decision, money(game)))
    lost = round_of(game, bet(game), "lost p-1")
    assert findings_of(game, *lost, "back p-1", *next_round) == []
    assert findings_of(game, *lost, *round_of(game, "back p-1"), *next_round) == []
    assert (
        findings_of(
            game, *lost, *round_of(game, "back p-1", bet(game), after=(*WAYS[game].decision, money(game)))
        )
        == []
    )


@pytest.mark.parametrize("game", LIVE)
def test_a_connection_that_is_lost_between_two_rounds_is_remembered(game: str) -> None:
    next_round = round_of(game, bet(game), after=(*WAYS[game].decision, money(game)))
    findings = findings_of(game, *round_of(game), "lost p-1", *next_round, *next_round)
    assert [(finding.code, finding.round) for finding in findings] == [("out-of-order", "r-2")]
    assert "lost the connection between two rounds" in findings[0].says
    assert findings_of(game, "lost p-1", "back p-1", *next_round) == []


@pytest.mark.parametrize("game", LIVE)
def test_a_connection_that_is_lost_in_a_void_round_is_remembered(game: str) -> None:
    way, next_round = WAYS[game], round_of(game, bet(game), after=(*WAYS[game].decision, money(game)))
    void = [
        "open",
        *way.first,
        bet(game),
        "no-more-bets",
        "pause",
        "void",
        "lost p-1",
        f"return p-1 {way.wager} 1000",
        "close",
    ]
    assert [(finding.code, finding.round) for finding in findings_of(game, *void, *next_round)] == [
        ("out-of-order", "r-2")
    ]
    assert findings_of(game, *void[:-1], "back p-1", "close", *next_round) == []


@pytest.mark.parametrize("game", LIVE)
def test_lost_players_are_remembered_when_the_table_opens_again(game: str) -> None:
    next_round = round_of(game, bet(game), after=(*WAYS[game].decision, money(game)))
    findings = findings_of(game, *round_of(game), "lost p-1", "reopen", *next_round)
    assert [(finding.code, finding.round) for finding in findings] == [("out-of-order", "r-2")]


@pytest.mark.parametrize("game", LIVE)
def test_a_table_that_reports_no_return_of_players_needs_none(game: str) -> None:
    sees = [kind for kind in FILLING[game].TABLE["sees"] if kind != "player-back"]
    next_round = round_of(game, bet(game), after=(*WAYS[game].decision, money(game)))
    assert findings_of(game, *round_of(game), "lost p-1", *next_round, sees=sees) == []


@pytest.mark.parametrize("game", LIVE)
def test_a_lost_connection_that_names_a_round_that_is_not_open_has_no_effect(game: str) -> None:
    next_round = round_of(game, bet(game), after=(*WAYS[game].decision, money(game)))
    facts = stream(game, *round_of(game), "lost p-1", *next_round)
    facts = [structs.replace(fact, round="r-1") if isinstance(fact, e.PlayerLost) else fact for fact in facts]
    assert [(finding.code, finding.number) for finding in replay(facts).findings] == [
        (
            "out-of-order",
            next(number for number, fact in enumerate(facts, 1) if isinstance(fact, e.PlayerLost)),
        )
    ]


# -- decisions at Teen Patti -------------------------------------------------------------------------

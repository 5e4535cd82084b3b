"""How decisions of players who lost their connection are judged, at Teen Patti."""

from __future__ import annotations

from typing import Any

import pytest

from audit.replay.results import Finding
from tests.games.test_disconnection import codes, findings_of, round_of

TEEN = "teen_patti"
ANTE, PLAY = "bet p-1 ante 1000", ("choose p-1 play", "bet p-1 play 1000")
WON, FOLDED = ("pay p-1 ante 1000", "pay p-1 play 1000"), ("take p-1 ante 1000",)
TOO_LATE, NO_BET = ("choice-too-late", "p-1", None, None), ("no-such-bet", "p-1", "play", 1000)
UNEQUAL = ("unequal-bet", "p-1", "play", None)


def decided(*words: str, lost_late: tuple[str, ...] = ()) -> list[Finding]:
    """Return the findings in a round of Teen Patti in which the player has an ante. `words` come after the
    cards, `lost_late` directly after the end of betting.
    """
    return findings_of(TEEN, *round_of(TEEN, ANTE, lost_late=lost_late, after=words))


@pytest.mark.parametrize(
    "words",
    [
        (*PLAY, "lost p-1", *WON),
        ("choose p-1 play", "lost p-1", "bet p-1 play 1000", *WON),
        ("choose p-1 play", "lost p-1", "bets p-1 play 1000", "settled p-1 play 1000", "pay p-1 ante 1000"),
        ("bet p-1 play 1000", "lost p-1", "choose p-1 play", *WON),
        ("choose p-1 play", "lost p-1", "bet p-1 play 1000", "back p-1", *WON),
        ("choose p-1 fold", "lost p-1", *FOLDED),
        ("lost p-1", "choose p-1 fold", *FOLDED),
        ("lost p-1", "choose p-1 fold timeout", *FOLDED),
        ("lost p-1", *FOLDED),
        ("lost p-1", *FOLDED, "choose p-1 fold timeout"),
        ("lost p-1", "back p-1", *PLAY, *WON),
    ],
)
def test_a_decision_before_the_connection_was_lost_counts_and_the_default_is_a_fold(
    words: tuple[str, ...],
) -> None:
    assert decided(*words) == []


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("lost p-1", "choose p-1 play", *FOLDED), [TOO_LATE]),
        (("lost p-1", *PLAY, *FOLDED), [TOO_LATE]),
        (("lost p-1", "choose p-1 play", "bets p-1 play 1000", "settled p-1 ante -1000"), [TOO_LATE]),
        (("lost p-1", *PLAY, "unbet p-1 play 1000", *FOLDED), [TOO_LATE]),
        (("lost p-1", "bet p-1 play 1000", "choose p-1 play", *FOLDED), [TOO_LATE]),
        (("lost p-1", *PLAY, "choose p-1 fold timeout", *FOLDED), [TOO_LATE]),
        (("lost p-1", "choose p-1 play", "choose p-1 fold", "bet p-1 play 1000", *FOLDED), [TOO_LATE]),
        (("lost p-1", "choose p-1 play timeout", *FOLDED), [TOO_LATE]),
        (("lost p-1", *PLAY, "back p-1", *FOLDED), [TOO_LATE]),
        (("lost p-1", "bet p-1 play 1000", *FOLDED), [("choice-too-late", "p-1", "play", None)]),
        (("lost p-1", *FOLDED, "choose p-1 play"), [TOO_LATE]),
        (("lost p-1", *FOLDED, "back p-1", "choose p-1 play"), [TOO_LATE]),
        (("lost p-1", *PLAY, *FOLDED, "pay p-1 play 1000"), [TOO_LATE, NO_BET]),
        (("lost p-1", *PLAY, *FOLDED, "back p-1", "settled p-1 play 1000"), [TOO_LATE, NO_BET]),
        (("lost p-1", *PLAY, *WON), [TOO_LATE, ("wrong-settlement", "p-1", "ante", 1000), NO_BET]),
        (
            ("lost p-1", *FOLDED, "back p-1", "bet p-1 play 1000"),
            [("late-bet", "p-1", "play", None), UNEQUAL],
        ),
        (("choose p-1 fold", "lost p-1", "bet p-1 play 1000", *FOLDED), [UNEQUAL]),
    ],
)
def test_a_decision_after_the_connection_was_lost_does_not_count(
    words: tuple[str, ...], expected: list[Any]
) -> None:
    findings = decided(*words)
    assert sorted(map(str, codes(findings))) == sorted(map(str, expected))
    for finding in findings:
        if finding.code in ("choice-too-late", "no-such-bet"):
            assert "p-1 had lost the connection before he decided" in finding.says
            assert finding.cite == "Ezugi Teen Patti Disconnection"


def test_a_hand_that_folds_by_default_says_so() -> None:
    (paid,) = decided("lost p-1", "pay p-1 ante 1000")
    assert (paid.code, paid.owed, paid.moved, paid.cite) == (
        "wrong-settlement",
        -1000,
        1000,
        "Ezugi Teen Patti Disconnection",
    )
    assert "had lost the connection before deciding, so the hand is folded by default" in paid.says


def test_a_play_wager_of_a_folded_hand_may_be_returned_or_left() -> None:
    hand = ("choose p-1 fold", "bet p-1 play 1000", *FOLDED)
    assert codes(decided(*hand)) == [UNEQUAL]
    assert codes(decided(*hand, "return p-1 play 1000")) == [UNEQUAL]


def test_a_side_bet_of_a_lost_player_lives_on() -> None:
    assert decided("lost p-1", *FOLDED, lost_late=()) == []
    side = round_of(
        TEEN,
        ANTE,
        "bet p-1 pair-or-better 500",
        lost_late=("lost p-1",),
        after=(*FOLDED, "take p-1 pair-or-better 500"),
    )
    assert findings_of(TEEN, *side) == []


def test_a_fold_recorded_for_a_bet_that_is_not_placed_is_no_fault() -> None:
    assert findings_of(TEEN, *round_of(TEEN, ANTE, "lost p-1", after=("choose p-1 fold timeout",))) == []
    assert [
        finding.code
        for finding in findings_of(TEEN, *round_of(TEEN, "lost p-1", after=("choose p-1 fold timeout",)))
    ] == ["choice-without-bet"]


def test_a_lost_player_who_decides_in_a_later_round_is_found_once() -> None:
    findings = findings_of(
        TEEN,
        *round_of(TEEN, "lost p-1"),
        *round_of(TEEN, after=("choose p-1 play",)),
        *round_of(TEEN, ANTE, after=(*PLAY, *WON)),
    )
    assert [(finding.code, finding.round) for finding in findings] == [
        ("choice-without-bet", "r-2"),
        ("out-of-order", "r-2"),
    ]

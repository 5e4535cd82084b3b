"""If a property registers approvals, replay reports every edition, pay table and house-rule option that has
no approval on the gaming day.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest

from audit.replay.approvals import read, unknown
from casino.sample.month.approvals import approvals
from games import GAMES
from tests.audit.floor import DAY, OPENING, fact
from tests.simulation.replaying import findings

EASY = {"game": "easy_over_under", "edition": "2010-02-05", "letter": "L-17"}
CODE = "pay-table-not-approved"


def day(days: int) -> str:
    """Return the gaming day that is this number of days after `DAY`."""
    return (date.fromisoformat(DAY) + timedelta(days)).isoformat()


def entry(place: int, value: Any, key: str = "L-17", **dates: Any) -> dict[str, Any]:
    """Return a fact that sets an entry of the register of approvals."""
    fields = {
        "register": "approvals",
        "key": key,
        "value": value,
        "by": "m-1",
        "second": "m-2",
        "from": None,
        "to": None,
    }
    return fact(place, "register-set", table="aurora/house", **fields | dates)


def approval_findings(*entries: dict[str, Any], **opening: Any) -> list[tuple[str | None, str]]:
    """Return wager and sentence of each finding about approvals, for a table that opened while the register
    had these entries.
    """
    opened = fact(99, **OPENING | opening)
    return [(finding.wager, finding.says) for finding in findings([*entries, opened]) if finding.code == CODE]


def wagers(*entries: dict[str, Any], **opening: Any) -> list[str | None]:
    return [wager for wager, _ in approval_findings(*entries, **opening)]


def test_without_registered_approvals_nothing_is_found() -> None:
    assert approval_findings() == []
    assert approval_findings(entry(1, None)) == []
    assert approval_findings(entry(1, EASY | {"edition": "1999"}), entry(2, None)) == [], (
        "an entry struck out from the beginning never was one"
    )


@pytest.mark.parametrize("tables", [{"spread": "B"}, {"spread": ["A", "B"]}, None])
def test_a_pay_table_that_a_letter_names_is_covered(tables: Any) -> None:
    assert approval_findings(entry(1, EASY | {"pay_tables": tables})) == []


@pytest.mark.parametrize("tables", [{"spread": "A"}, {"spread": ["A"]}, {"spread": []}, {}])
def test_a_pay_table_that_no_letter_names_is_found_with_its_wager_and_the_letter(tables: Any) -> None:
    ((wager, says),) = approval_findings(entry(1, EASY | {"pay_tables": tables}))
    assert wager == "spread"
    assert "pay table B for spread" in says
    assert "the letter L-17 names" in says


def test_two_letters_may_cover_two_pay_tables() -> None:
    a, b = (
        entry(place, EASY | {"letter": f"L-{name}", "pay_tables": {"spread": name}}, key=name)
        for place, name in ((1, "A"), (2, "B"))
    )
    assert approval_findings(a, b) == []
    assert approval_findings(a, b, pay_tables={"spread": "A"}) == []
    assert wagers(a, entry(2, EASY, key="B", to=DAY)) == ["spread"]


@pytest.mark.parametrize("edition", ["1999-01-01", ["1999-01-01", "2000-01-01"], []])
def test_an_unapproved_edition_is_found_with_the_approved_ones(edition: Any) -> None:
    ((wager, says),) = approval_findings(entry(1, EASY | {"edition": edition}))
    assert wager == "spread"
    assert says.startswith(
        f"No approval covers easy_over_under 2010-02-05 on {DAY}. There is the letter L-17 for "
    )


def test_an_approval_of_another_game_covers_nothing_here() -> None:
    assert wagers(entry(1, EASY | {"game": "andar_bahar", "edition": "ezugi"})) == ["spread"]


def test_an_edition_without_approval_is_one_finding_however_many_wagers_have_pay_tables() -> None:
    game = GAMES["lucky_7"]
    opening = {"game": "lucky_7", "pay_tables": dict.fromkeys(game.pay_tables, "ezugi"), "decks": 8}
    approved = entry(1, {"game": "lucky_7", "edition": "ezugi", "letter": "L-7"})
    assert wagers(approved, **opening, edition="ezugi") == []
    assert wagers(approved, **opening, edition="ezugi-0.9") == [None]


HALF_OPEN = [
    (day(0), None, True),
    (day(1), None, False),
    (day(-1), None, True),  # the first day of the range is included
    (None, day(0), False),
    (None, day(1), True),
    (None, day(-1), False),  # the last day of the range is excluded
    (day(-1), day(1), True),
    (day(0), day(1), True),
]


@pytest.mark.parametrize(("begins", "ends", "covers"), HALF_OPEN)
@pytest.mark.parametrize("place", ["entry", "value"])
@pytest.mark.parametrize(
    "settings", [{}, {"pay_tables": {"spread": "B"}}, {"readings": {"rounding": "exact"}}]
)
def test_an_approval_covers_its_first_day_and_not_its_end(
    begins: str | None, ends: str | None, covers: bool, place: str, settings: dict[str, Any]
) -> None:
    dates = {"from": begins, "to": ends}
    letter = entry(1, EASY | settings, **dates) if place == "entry" else entry(1, EASY | settings | dates)
    findings = approval_findings(letter)
    assert (findings == []) is covers
    for name, value in dates.items():
        if not covers and value:
            assert f"{'from' if name == 'from' else 'until'} {value}" in findings[0][1]


def test_a_letter_revoked_later_covers_the_days_before() -> None:
    approved, revoked = entry(1, EASY), entry(2, None, **{"from": day(1)})
    assert approval_findings(approved, revoked) == []
    assert wagers(approved, entry(2, None, **{"from": day(0)})) == ["spread"]


READINGS = [
    ({"rounding": ["exact", "house"]}, {"rounding": "house"}, True),
    ({"rounding": ["exact", "house"]}, {"rounding": "player"}, False),
    ({"rounding": "exact"}, {}, True),  # an option that the table does not name has its default
    ({"rounding": "house"}, {}, False),
    ({"rounding": []}, {"rounding": "exact"}, False),
    ({}, {"rounding": "player"}, True),  # an approval without this option allows any value
    (None, {"rounding": "player"}, True),
]


@pytest.mark.parametrize(("approved", "answered", "covers"), READINGS)
def test_a_reading_that_the_letter_does_not_name_is_found(
    approved: Any, answered: dict[str, str], covers: bool
) -> None:
    findings = approval_findings(entry(1, EASY | {"readings": approved}), readings=answered)
    assert (findings == []) is covers
    if not covers:
        ((wager, says),) = findings
        assert wager is None
        assert f"the reading rounding = {answered.get('rounding', 'exact')}" in says
        assert "the letter L-17 does not" in says


def test_one_letter_must_cover_pay_table_and_reading_together() -> None:
    first = entry(
        1,
        EASY | {"letter": "L-1", "pay_tables": {"spread": "A"}, "readings": {"rounding": "house"}},
        key="L-1",
    )
    second = entry(
        2,
        EASY | {"letter": "L-2", "pay_tables": {"spread": "B"}, "readings": {"rounding": "exact"}},
        key="L-2",
    )
    assert approval_findings(first, second, pay_tables={"spread": "A"}, readings={"rounding": "house"}) == []
    assert approval_findings(first, second, pay_tables={"spread": "B"}, readings={"rounding": "exact"}) == []
    assert wagers(first, second, pay_tables={"spread": "B"}, readings={"rounding": "house"}) == [None]


NONSENSE = [
    7,
    "yes",
    [],
    {},
    {"game": 3},
    EASY | {"edition": 3},
    EASY | {"pay_tables": "A"},
    EASY | {"pay_tables": {"spread": 1}},
    EASY | {"from": "soon"},
    EASY | {"to": 20270101},
    EASY | {"readings": ["rounding"]},
    EASY | {"from": day(1), "to": day(0)},
]


@pytest.mark.parametrize("value", NONSENSE)
def test_an_entry_that_is_no_approval_covers_nothing_and_breaks_nothing(value: Any) -> None:
    assert wagers(entry(1, value)) == ["spread"]
    with pytest.raises(ValueError, match=r"^[\w.\[\]]+: "):
        read(value)


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ({"game": "blackjack"}, "game: unknown game 'blackjack'"),
        ({"edition": "2011"}, "edition: easy_over_under has no '2011'; it has 2010-02-05"),
        (
            {"pay_tables": {"spread": ["A", "C"]}},
            "pay_tables.spread: easy_over_under has no 'C'; it has A, B",
        ),
        ({"pay_tables": {"over": "A"}}, "pay_tables: easy_over_under has no 'over'; it has spread"),
        ({"readings": {"tie": "lose"}}, "readings: easy_over_under has no 'tie'; it has rounding"),
        (
            {"readings": {"rounding": "up"}},
            "readings.rounding: easy_over_under has no 'up'; it has exact, house, player",
        ),
    ],
)
def test_unknown_names_in_an_approval_are_reported(value: dict[str, Any], says: str) -> None:
    assert str(unknown(read(EASY | value))).startswith(says)


def test_an_approval_with_existing_names_has_no_unknown_ones() -> None:
    assert (
        unknown(read(EASY | {"pay_tables": {"spread": ["A", "B"]}, "readings": {"rounding": ["exact"]}}))
        is None
    )


HIGH_SIDE: dict[str, Any] = {
    "game": "high_side",
    "edition": "2013-03",
    "decks": 6,
    "readings": {"tie": "lose"},
}


@pytest.mark.parametrize(
    "entries",
    [
        [],
        [{"game": "high_side", "letter": "L-1"}],
        [{"game": "high_side", "letter": "L-1", "pay_tables": {"bonus": ["felt"]}}],
        [{"game": "high_side", "letter": "L-1", "pay_tables": {"bonus": ["1", "2", "3", "4"]}}],
    ],
)
def test_the_pay_table_drawn_on_the_felt_of_high_side_is_found_once_with_any_register(
    entries: list[Any],
) -> None:
    register = [entry(place, value) for place, value in enumerate(entries, 1)]
    assert wagers(*register, **HIGH_SIDE, pay_tables={"bonus": "felt"}) == ["bonus"]
    assert wagers(*register[:1], **HIGH_SIDE, pay_tables={"bonus": "1"}) == (
        ["bonus"] if "felt" in str(entries) else []
    )


def test_the_felts_pay_table_and_a_game_without_any_letter_are_two_findings() -> None:
    assert wagers(entry(1, EASY), **HIGH_SIDE, pay_tables={"bonus": "felt"}) == ["bonus", None]
    assert wagers(entry(1, EASY), **HIGH_SIDE, pay_tables={"bonus": "1"}) == ["bonus"]


def test_an_approval_may_fix_how_a_tie_is_decided() -> None:
    approved = entry(1, {"game": "high_side", "letter": "L-1", "readings": {"tie": "push"}})
    assert wagers(approved, **HIGH_SIDE | {"readings": {"tie": "push"}}, pay_tables={"bonus": "1"}) == []
    assert wagers(approved, **HIGH_SIDE, pay_tables={"bonus": "1"}) == [None]
    assert wagers(approved, **HIGH_SIDE | {"readings": {}}, pay_tables={"bonus": "1"}) == [None], (
        "the default is to lose"
    )


def test_the_two_letters_of_washington_cover_only_what_they_name() -> None:
    register = [entry(place, value, key=key) for place, (_, key, value) in enumerate(approvals([]), 1)]
    over_under: dict[str, Any] = {"game": "casino_over_under", "edition": "2016"}
    assert wagers(*register, **HIGH_SIDE, pay_tables={"bonus": "4"}) == []
    assert wagers(*register, **over_under, pay_tables={"bonus": "figure-1"}) == []
    assert wagers(*register) == ["spread"]
    before = {"day": "2013-04-17"}
    assert wagers(*register, **HIGH_SIDE | before, pay_tables={"bonus": "4"}) == ["bonus"]
    assert wagers(*register, **HIGH_SIDE | {"day": "2013-04-18"}, pay_tables={"bonus": "4"}) == []
    assert wagers(*register, **over_under | {"day": "2018-07-08"}, pay_tables={"bonus": "figure-1"}) == [
        "bonus"
    ]
    assert wagers(*register, **over_under | {"day": "2018-07-09"}, pay_tables={"bonus": "figure-1"}) == []

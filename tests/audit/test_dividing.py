"""Hold attribution in the tally: what moved in excess of what was owed equals the amounts of the findings."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from audit.facts import check, decode
from audit.replay.fold import Fold
from audit.replay.results import DIVIDED, Play, Tally
from casino.sample import FAULTS, plant
from tests.counts import LONG
from tests.nights.reading import NIGHTS, nights

MONEY = ("wrong-settlement", "not-settled", "settled-twice", "no-such-bet", "void-not-returned")
"""Codes of findings about wrong amounts in play."""


def folded(stream: str, facts: list[bytes]) -> Fold:
    fold = Fold(stream)
    for number, line in enumerate(facts, 1):
        fold.take(number, decode(check(line).body))
    return fold


def errors(tally: Tally) -> Fraction:
    """Return the amount that the casino has in excess of what it was owed, according to the tally."""
    return sum((of(row) for row in tally.play.values()), Fraction(0))


def of(row: Play) -> Fraction:
    return row.taken - row.paid + Fraction(row.unseen - row.owed - row.undivided, row.parts)


def excess_in_findings(tally: Tally) -> Fraction:
    """Return the amount that the casino has in excess of what it was owed, according to the findings."""
    return -sum(
        (Fraction(row.found[code][1]) for row in tally.play.values() for code in MONEY if code in row.found),
        Fraction(0),
    )


@pytest.mark.parametrize("name", NIGHTS)
def test_money_moved_beyond_what_was_owed_equals_the_findings(name: str) -> None:
    for night in nights(name):
        tally = folded(night.stream, list(night.lines)).tally
        assert errors(tally) == excess_in_findings(tally), night.name
        assert excess_in_findings(tally) == 0 or night.fault


WITHOUT_AMOUNT = "out-of-order:return-without-void"
"""A fault in which a taken stake is returned without a void. The finding has the code `out-of-order` and no
amount, although money is missing.
"""


@pytest.mark.parametrize("game", FAULTS)
def test_every_fault_that_the_sample_plants_costs_what_its_finding_says(game: str) -> None:
    for name in list(FAULTS[game])[:: 1 if LONG else 6]:
        facts, _ = plant(name, game, 1)
        streams: dict[str, list[bytes]] = {}
        for fact in facts:
            body = json.dumps(fact).encode()
            decoded = decode(check(body).body)
            streams.setdefault(f"{decoded.table}/{decoded.day}", []).append(body)
        for stream, lines in streams.items():
            tally = folded(stream, lines).tally
            assert errors(tally) == excess_in_findings(tally) or (
                name == WITHOUT_AMOUNT and errors(tally) < 0
            ), name


def test_parts_of_a_minor_unit_add_up_exactly() -> None:
    row = Play()
    for name, amount in (
        ("owed", 7),
        ("choices", Fraction(1, 6)),
        ("choices", Fraction(3, 4)),
        ("owed", Fraction(5, 2)),
    ):
        row.plus(name, amount)
    assert (Fraction(row.owed, row.parts), Fraction(row.choices, row.parts), row.parts) == (
        Fraction(19, 2),
        Fraction(11, 12),
        12,
    )
    assert all(isinstance(getattr(row, name), int) for name in DIVIDED)


def test_a_resumed_fold_attributes_hold_like_one_from_the_start() -> None:
    night = next(night for night in nights("teen_patti-honest"))
    at_once, fold = folded(night.stream, list(night.lines)), Fold(night.stream)
    for number, line in enumerate(night.lines, 1):
        fold.take(number, decode(check(line).body))
        if fold.rested == number and number % 7 == 0:
            fold = Fold(night.stream, fold.keep())
    assert fold.tally == at_once.tally

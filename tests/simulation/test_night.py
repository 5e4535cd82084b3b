"""Whole nights without faults or with one fault, generated from the manuals alone and replayed with Catwalk's
rules. The generator and the rules share no code.
"""

from collections.abc import Iterable

import pytest

from casino.sample import FAULTS, TABLES, plant, played, sample_house
from tests.counts import LONG
from tests.nights.reading import Night, nights
from tests.simulation.replaying import differences, findings

SEEDS = range(300 if LONG else 2)
PLANTS = [
    pytest.param(game, name, SEEDS if LONG else (place % 2,), id=f"{game}-{name}")
    for game, faults in FAULTS.items()
    for place, name in enumerate(faults)
]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("game", TABLES)
def test_a_day_without_faults_has_no_finding(game: str, seed: int) -> None:
    day = played(game, seed, rounds=40, shifts=1 + seed % 3, house=not TABLES[game].studio, money=True)
    found_findings = findings(day.facts())
    assert differences(found_findings, day.notices(), []) == []
    assert {finding.grade for finding in found_findings} <= {"notice"}


@pytest.mark.parametrize(("game", "name", "seeds"), PLANTS)
def test_a_planted_fault_is_the_only_finding(game: str, name: str, seeds: Iterable[int]) -> None:
    for seed in seeds:
        facts, expectation = plant(name, game, seed)
        assert differences(findings(facts), expectation["expect"], expectation["also"]) == [], f"seed {seed}"


@pytest.mark.parametrize("night", [pytest.param(night, id=night.name) for night in nights()])
def test_a_shared_night_shows_what_is_expected_in_it(night: Night) -> None:
    assert (
        differences(findings(register(night) + list(night.lines)), list(night.expect), list(night.also)) == []
    )


def register(night: Night) -> list[bytes | dict[str, object]]:
    """Return the facts that enter the dealers of the night in the register of people."""
    day = night.stream.rpartition("/")[2]
    common = {
        "table": "aurora/house",
        "day": day,
        "kind": "register-set",
        "at": f"{day}T06:00:00Z",
        "source": "office-1",
    }
    common |= {"register": "people", "value": {"role": "dealer"}, "from": day, "by": "m-1", "second": "m-2"}
    dealers = night.needs.get("dealers", [])
    return [
        common | {"uid": f"00000000-0000-7000-8000-{place:012}", "key": dealer}
        for place, dealer in enumerate(dealers)
    ]


def test_the_sample_property_has_a_handful_of_faults() -> None:
    found_codes = {
        (finding.stream.split("/")[1], finding.code)
        for finding in findings(sample_house(1))
        if finding.grade != "notice"
    }
    assert found_codes == {
        ("EOU-01", "wrong-settlement"),
        ("EOU-01", "late-bet"),
        ("EOU-02", "slip-signed-once"),
        ("EOU-03", "not-cleared"),
        ("EOU-03", "wrong-settlement"),
        ("EOU-04", "inventory-does-not-balance"),
        ("EOU-04", "too-few-shakes"),
        ("COU-01", "wrong-settlement"),
        ("COU-01", "dealt-too-soon"),
        ("HS-01", "wrong-settlement"),
        ("HS-01", "seven-not-swept"),
        ("AB-01", "wrong-settlement"),
        ("AB-02", "duplicate-card"),
        ("TP-01", "not-settled"),
        ("TP-01", "wrong-settlement"),
        ("BTP-01", "wrong-settlement"),
        ("L7-01", "wrong-settlement"),
        ("L7-01", "burn-count"),
    }

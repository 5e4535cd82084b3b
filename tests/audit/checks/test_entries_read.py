"""Register entries are reported if they cannot be read or if they contradict another entry. Valid entries are
not reported.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.audit.controls import of_ledger
from tests.audit.floor import DAY

ACCOUNT = {"number": "1010", "name": "Cash:Count room", "type": "asset"}
GOOD: dict[str, tuple[str, Any]] = {
    "people": ("d-1", {"role": "dealer"}),
    "approvals": ("L-1", {"game": "high_side", "letter": "L-1", "edition": "2013-03"}),
    "property": ("*", {"name": "Aurora", "currency": "USD"}),
    "day-begins": ("*", {"time": "06:00", "zone": "America/Los_Angeles"}),
    "shifts": ("swing", {"begins": "14:00"}),
    "pits": ("pit-1", {"title": "One"}),
    "tables": ("EOU-01", {"game": "easy_over_under"}),
    "chip-sets": ("USD", {"chips": [100, 500]}),
    "thresholds": ("count-team", {"people": 3}),
    "devices": ("shoe-1", {"tables": ["*"]}),
    "cameras": (
        "cam-1",
        {
            "tables": ["EOU-01"],
            "link": "https://vms.example/?c={camera}&t={start}",
            "clock_ahead": -2,
            "overwrite_days": 14,
        },
    ),
    "log-types": ("patrol", {"title": "Patrol", "used": True}),
    "accounts": ("drop", ACCOUNT),
    "profile": ("*", {"name": "nevada-like"}),
}
BAD: dict[str, tuple[str, str, Any, str]] = {
    "an invalid time": (
        "day-begins",
        "*",
        {"time": "6 o'clock", "zone": "UTC"},
        '"6 o\'clock" is not a local time',
    ),
    "an unknown time zone": (
        "day-begins",
        "*",
        {"time": "06:00", "zone": "Mars"},
        "'Mars' is not a time zone",
    ),
    "an hour that comes twice": (
        "day-begins",
        "*",
        {"time": "01:30", "zone": "America/Los_Angeles"},
        "01:30 occurs twice",
    ),
    "an hour that never comes": (
        "day-begins",
        "*",
        {"time": "02:30", "zone": "America/Los_Angeles"},
        "02:30 does not occur",
    ),
    "a shift without a time": ("shifts", "day", {}, "begins: a local time such as 06:00 is needed"),
    "a shift at no time": ("shifts", "day", {"begins": "dawn"}, "'dawn' is not a local time"),
    "an invalid change of the clock": (
        "shifts",
        "day",
        {"begins": "06:00", "clock_change": "third"},
        "must be first or second",
    ),
    "a letter for no game": (
        "approvals",
        "L-1",
        {"game": "craps", "letter": "L-1"},
        "unknown game 'craps'",
    ),
    "a letter for no edition": (
        "approvals",
        "L-1",
        {"game": "high_side", "letter": "L-1", "edition": "1900"},
        "has no '1900'",
    ),
    "a letter without a name": (
        "approvals",
        "L-1",
        {"game": "high_side", "letter": " "},
        "letter: a text is needed",
    ),
    "a pit without a name": ("pits", "pit-1", {"title": " "}, "title: a text is needed"),
    "a table twice on a map": ("pits", "pit-1", {"map": [["EOU-01", "EOU-01"]]}, "is on the map twice"),
    "a chip worth nothing": ("chip-sets", "USD", {"chips": [0]}, "a whole number from 1"),
    "an invalid table code": ("tables", "a/b", {}, "a table's code has 1 to"),
    "a table of no edition": ("tables", "HS-01", {"game": "high_side", "edition": "1900"}, "has no '1900'"),
    "a camera of one table, not of a list": ("cameras", "cam-1", {"tables": "EOU-01"}, "a list is needed"),
    "an address of a camera without a host": (
        "cameras",
        "cam-1",
        {"tables": [], "link": "https://{camera}/"},
        "the name of the recorder",
    ),
    "an address of a camera with an unknown place": (
        "cameras",
        "cam-1",
        {"tables": [], "stream": "https://vms.example/{begin}.mp4"},
        "unknown placeholder {begin}",
    ),
    "a device that may perhaps name people": ("devices", "shoe-1", {"people": "perhaps"}, "true or false"),
    "a confidence that no interval has": (
        "thresholds",
        "base-level",
        {"confidence": 42},
        "one of 90, 95, 99 percent",
    ),
    "an account of nothing that is posted": ("accounts", "tips", ACCOUNT, "'tips' is not a posted amount"),
    "an account without a number": ("accounts", "drop", ACCOUNT | {"number": "n° 1"}, "at most ten letters"),
}


def entry(
    register: str, key: str, value: Any, begins: str | None = None, to: str | None = None
) -> dict[str, Any]:
    fields = {
        "kind": "register-set",
        "register": register,
        "key": key,
        "value": value,
        "from": begins,
        "to": to,
    }
    return fields | {"by": "m-1", "second": "m-2"}


def says(*facts: dict[str, Any]) -> list[str]:
    return [finding.says for finding in of_ledger(*facts) if finding.code == "entry-not-understood"]


@pytest.mark.parametrize("register", GOOD)
def test_a_valid_entry_is_read(register: str) -> None:
    key, value = GOOD[register]
    assert (
        says(
            entry(register, key, value), entry(register, key, value, "2030-01-01"), entry(register, key, None)
        )
        == []
    )


@pytest.mark.parametrize(("register", "key", "value", "reason"), BAD.values(), ids=BAD)
def test_an_entry_that_cannot_be_read_is_found_with_the_reason(
    register: str, key: str, value: Any, reason: str
) -> None:
    (sentence,) = says(entry(register, key, value))
    assert sentence.startswith(f"The entry {key} of the register {register}, by m-1 and m-2: ")
    assert reason in sentence


def test_an_entry_that_ends_before_it_begins_is_found() -> None:
    pit = ("pits", "pit-1", {"title": "One"})
    assert "it ends on 2026-11-27, before it begins on 2026-11-28" in says(entry(*pit, "2026-11-28", DAY))[0]
    assert says(entry(*pit, DAY, "2026-11-28")) == []


def test_an_entry_that_contradicts_another_is_found() -> None:
    day = {"begins": "06:00"}
    sentences = says(entry("shifts", "day", day), entry("shifts", "early", day | {"clock_change": "first"}))
    assert [sentence.rpartition(": ")[2] for sentence in sentences] == [
        "the shift early begins at 06:00 too.",
        "the shift day begins at 06:00 too.",
    ]
    assert says(entry("shifts", "day", day), entry("shifts", "swing", {"begins": "14:00"})) == []
    assert (
        says(entry("property", "*", {"name": "Aurora"}), entry("property", "x", {"name": "Borealis"})) != []
    )
    other = ACCOUNT | {"type": "income"}
    assert says(entry("accounts", "drop", ACCOUNT), entry("accounts", "win", other)) != []
    assert says(entry("accounts", "drop", ACCOUNT), entry("accounts", "win", ACCOUNT)) == [], (
        "two keys may share an account"
    )
    assert (
        says(entry("accounts", "drop", ACCOUNT), entry("accounts", "win", ACCOUNT | {"number": "4010"})) != []
    )

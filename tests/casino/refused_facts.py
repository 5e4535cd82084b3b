"""Facts that a page would refuse. Tests record them as a file or a device would send them. There is a case
for each kind of refusal that `refusals.toml` names.

A case is a list of facts for an empty ledger. A fact without a table is about EOU-01, or about the property
if its kind belongs there.
"""

from __future__ import annotations

from typing import Any

from audit.facts import OF_THE_HOUSE
from games.kit.events import kind_of
from tests.audit.checks.test_entries_read import ACCOUNT, BAD, GOOD, entry
from tests.audit.controls import (
    CLOSE,
    CLOSED,
    COUNTED,
    FIVE,
    bought,
    box,
    drop,
    hand,
    marker,
    opened,
    recount,
    seated,
    slip,
    tray,
    void,
)
from tests.audit.floor import DAY, uid
from tests.audit.test_missing import LIVE, SHIFTS
from tests.audit.test_signatures import ADJUSTED, VERDICT
from tests.casino.refused_alert_facts import REFUSED_ALERTS, of_alerts
from tests.casino.refused_case_facts import REFUSED_CASES, of_cases
from tests.casino.refused_log_facts import of_the_log
from tests.casino.refused_money_facts import of_money

Fact = dict[str, Any]
HOUSE = frozenset(kind_of(kind) for kind in OF_THE_HOUSE)
NEXT = "2026-11-28"
TWO_TABLES = {"table": "aurora/EOU-02"}


def person(id: str, *roles: str) -> Fact:
    return entry("people", id, {"roles": [*roles]})


STAFF = [
    person("d-1", "dealer"),
    person("d-2", "dealer"),
    person("s-1", "supervisor"),
    person("s-2", "supervisor"),
    person("c-1", "cage"),
    person("c-2", "cage"),
    person("g-1", "security"),
    person("n-1", "count"),
    person("n-2", "count"),
    person("a-1", "accounting"),
    person("a-2", "accounting"),
    person("o-1", "surveillance"),
    person("o-2", "surveillance"),
    person("m-9", "administrator"),
]
"""A register of people with at least one person for every role."""
OPENED, OPENER, CLOSER = opened(), tray("opener", 10_000), tray("closer", 10_000)
PAID = {"kind": "marker-paid", "slip": "M-EOU01-1", "player": "p-1", "amount": 1_000, "by": "c-1"}
SOLD = marker("M-EOU01-1")
ADJUST = ADJUSTED | {"by": "a-1", "second": "a-2"}
JUDGED = VERDICT | {"by": "o-1"}
EURO = opened(currency="EUR") | TWO_TABLES
REGISTER = {
    "kind": "register-set",
    "register": "pits",
    "key": "pit-1",
    "value": {"title": "One"},
    "from": None,
}
SENT_BY = {"source": "shoe-1", "by": "m-9", "second": "m-1"}
"""The fields of a register entry that a device sends."""


def device(**value: Any) -> Fact:
    """Return the register entry of the device `shoe-1`."""
    return entry("devices", "shoe-1", {"tables": ["EOU-02"], "people": True, **value})


FOUND: dict[str, list[Fact]] = {
    "a fill at a live-dealer table": [opened(**LIVE), slip("F-1")],
    "a fill that is received by who sent it": [OPENED, slip("F-1", received_by="c-1")],
    "a fill that a dealer sends": [*STAFF, OPENED, slip("F-1", sent_by="d-2")],
    "a fill that nobody asked for": [OPENED, slip("F-1", requested_by="")],
    "a fill without chips": [OPENED, slip("F-1", chips={})],
    "a voiding witnessed by who signed the slip": [OPENED, slip("F-1"), void("F-1", second="g-1")],
    "a voiding by one person": [OPENED, void("F-1", second="c-1")],
    "a voiding without a reason": [OPENED, void("F-1", reason=" ")],
    "a voiding by a dealer": [*STAFF, OPENED, void("F-1", by="d-1", second="s-1")],
    "a voiding witnessed by a dealer": [*STAFF, OPENED, void("F-1", by="c-1", second="d-1")],
    "a voiding of a slip that was received": [OPENED, slip("F-1"), void("F-1")],
    "a voiding of a number far ahead": [OPENED, slip("F-EOU01-1"), void("F-EOU01-9")],
    "a voiding of a slip that is void": [OPENED, void("F-1"), void("F-1")],
    "a voiding of a marker of which something was paid": [
        OPENED,
        SOLD,
        PAID | {"amount": 100},
        void("M-EOU01-1"),
    ],
    "a marker by a cashier": [*STAFF, OPENED, SOLD | {"by": "c-1"}],
    "a marker of nobody": [OPENED, SOLD | {"player": ""}],
    "a payment beyond the marker": [OPENED, SOLD, PAID | {"amount": 1_001}],
    "a payment of a marker that was never issued": [OPENED, PAID],
    "a payment in another currency": [OPENED, SOLD, EURO, PAID | TWO_TABLES],
    "a payment taken by who issued the marker": [OPENED, SOLD, PAID | {"by": "s-1"}],
    "a payment taken by a dealer": [*STAFF, OPENED, SOLD, PAID | {"by": "d-1"}],
    "an adjustment of an open day": [OPENED, ADJUST | {"what": "fill"}],
    "an adjustment of a day that never was": [ADJUST],
    "an adjustment of the drop of a live-dealer table": [opened(**LIVE), CLOSED, CLOSE, ADJUST],
    "an adjustment by one person": [OPENED, CLOSED, CLOSE, ADJUST | {"second": "a-1"}],
    "an adjustment without a reason": [OPENED, CLOSED, CLOSE, ADJUST | {"reason": ""}],
    "an adjustment by a cashier": [*STAFF, OPENED, CLOSED, CLOSE, ADJUST | {"by": "c-1"}],
    "an adjustment that a cashier signs": [*STAFF, OPENED, CLOSED, CLOSE, ADJUST | {"second": "c-1"}],
    "a late count that is adjusted twice": [
        OPENED,
        box(),
        CLOSED,
        CLOSE,
        ADJUST | {"of": uid(2)},
        ADJUST | {"of": uid(2), "amount": 50},
    ],
    "a day closed while an earlier one is open": [
        OPENED,
        opened() | {"day": NEXT},
        CLOSED | {"day": NEXT},
        CLOSE | {"day": NEXT},
    ],
    "a day closed by a dealer": [*STAFF, OPENED, CLOSED, CLOSE | {"by": "d-1"}],
    "a day closed while its table is open": [OPENED, CLOSE],
    "a day closed without its closer": [OPENED, OPENER, CLOSED, CLOSE],
    "a day closed before its box is counted": [OPENED, OPENER, box(), CLOSER, CLOSED, CLOSE],
    "a day closed before its box is recounted": [OPENED, OPENER, box(), CLOSER, CLOSED, drop(), CLOSE],
    "two counts that differ": [OPENED, box(), drop(), recount(amount=900)],
    "a recount by who counted": [OPENED, box(), drop(), recount(by="n-1")],
    "a count of a box that was never pulled": [OPENED, drop()],
    "a count by one of three who are asked for": [
        entry("thresholds", "count-team", {"people": 3}),
        OPENED,
        box(),
        drop(),
    ],
    "a box that is counted twice": [OPENED, box(), drop(), drop()],
    "a count by one person twice": [OPENED, box(), drop(team=["n-1", "n-1"])],
    "a count by a cashier": [*STAFF, OPENED, box(), drop(team=["n-1", "c-1"])],
    "a recount by a dealer": [*STAFF, OPENED, box(), drop(), recount(by="d-1")],
    "a recount too many": [OPENED, box(), drop(), recount(), recount(), CLOSED, CLOSE],
    "a recount without a count": [OPENED, box(), recount(), CLOSED, CLOSE],
    "a box pulled by one person": [OPENED, box(second="g-1")],
    "a box pulled without security": [*STAFF, OPENED, box(by="s-1", second="s-2")],
    "a box pulled by a dealer": [*STAFF, OPENED, box(by="g-1", second="d-1")],
    "a box pulled while it waits for its count": [OPENED, box(), box()],
    "a box of a shift that its table has not": [opened(shifts=SHIFTS), box(shift="noon")],
    "a box of a shift that has not begun": [opened(shifts=SHIFTS), box(shift="grave")],
    "a table closed in the middle of a hand": [OPENED, *hand("r1")[:1], CLOSED],
    "a seat without a dealer": [OPENED, seated("")],
    "a dealer at two tables": [
        OPENED,
        opened() | TWO_TABLES,
        seated(),
        seated() | TWO_TABLES,
        bought(),
        bought() | TWO_TABLES,
    ],
    "a dealer who supervises himself": [OPENED, seated("d-1", "d-1")],
    "a dealer who is in no register": [*STAFF, OPENED, seated("d-9")],
    "a seat at a closed table": [OPENED, CLOSED, seated()],
    "a closer in another shift": [
        opened(shifts=SHIFTS),
        OPENER,
        CLOSER,
        CLOSER | {"at": f"{DAY}T15:00:00-08:00"},
        CLOSED,
        CLOSE,
    ],
    "a tray counted by a cashier": [*STAFF, OPENED, OPENER | {"by": "c-1"}],
    "a tray watched by a dealer": [*STAFF, OPENED, OPENER | {"second": "d-2"}],
    "a tray counted by one person": [OPENED, OPENER | {"second": "d-1"}],
    "an opener that differs from the closer": [
        OPENED,
        OPENER,
        CLOSER,
        CLOSED,
        opened() | {"day": NEXT},
        tray("opener", 9_000) | {"day": NEXT},
        CLOSER | {"day": NEXT},
    ],
    "limits in half chips": [opened(limits={"*": [150, 1_000]}, chip=100)],
    "a log written by a dealer": [
        *STAFF,
        {"kind": "log-written", "about": "x", "words_sha256": "0" * 64, "by": "d-1"},
    ],
    **of_the_log(STAFF),
    **of_money(STAFF, [OPENED, SOLD]),
    **of_alerts(STAFF),
    **of_cases(STAFF),
    "an entry by one person": [REGISTER | {"by": "m-9", "second": "m-9"}],
    "an entry that gives its author a role": [
        person("m-9", "administrator"),
        person("m-1", "dealer") | {"by": "m-1", "second": "m-2"},
    ],
    "a letter that ends before it begins": [
        entry(
            "approvals",
            "L-1",
            {"game": "high_side", "letter": "L-1", "from": "2026-01-02", "to": "2026-01-01"},
        )
    ],
    "an entry that nobody signs second": [REGISTER | {"by": "m-9", "second": ""}],
    "an entry by a dealer": [*STAFF, REGISTER | {"by": "d-1", "second": "m-9"}],
    "an entry by somebody who is in no register": [*STAFF, REGISTER | {"by": "x-9", "second": "m-9"}],
    "an entry by a device that may send none": [device(), REGISTER | SENT_BY],
    "a device that makes an administrator": [
        device(house=True, kinds=["register-set"]),
        person("x-9", "administrator") | SENT_BY,
    ],
    "a verdict by a device": [device(house=True), JUDGED | {"source": "shoe-1"}],
    "an adjustment by a device of another table": [
        device(house=True, kinds=["adjusted"]),
        OPENED,
        CLOSED,
        CLOSE,
        ADJUST | {"source": "shoe-1"},
    ],
    "an adjustment by a device at another property": [
        device(house=True, kinds=["adjusted"]),
        ADJUST | {"source": "shoe-1", "of_table": "borealis/EOU-02"},
    ],
    "an entry that ends before it begins": [entry("pits", "pit-1", {"title": "One"}, NEXT, DAY)],
    "a second key of a register with one": [
        entry("property", "*", {"name": "A"}),
        entry("property", "x", {"name": "B"}),
    ],
    "two shifts at one time": [
        entry("shifts", "day", {"begins": "06:00"}),
        entry("shifts", "swing", {"begins": "06:00"}),
    ],
    "two accounts with one number": [
        entry("accounts", *GOOD["accounts"]),
        entry("accounts", "win", ACCOUNT | {"name": "Win"}),
    ],
    "two accounts with one name": [
        entry("accounts", *GOOD["accounts"]),
        entry("accounts", "win", ACCOUNT | {"number": "9"}),
    ],
    "roles that are kept apart": [person("x-1", "accounting", "cage")],
    "a verdict on a large amount by one person": [JUDGED | {"moved": 60_000}],
    "a verdict reviewed by who gave it": [JUDGED | {"second": "o-1"}],
    "a verdict by a dealer": [*STAFF, JUDGED | {"by": "d-1"}],
    "a verdict reviewed by a dealer": [*STAFF, JUDGED | {"second": "d-1"}],
    "an officer who deals": [
        person("o-9", "surveillance", "dealer"),
        OPENED,
        seated("o-9"),
        JUDGED | {"by": "o-9"},
    ],
    "a flag by a dealer": [
        *STAFF,
        {
            "kind": "flagged",
            "of_table": "aurora/EOU-01",
            "of_day": DAY,
            "round": "r1",
            "why": "x",
            "by": "d-1",
        },
    ],
    "a hand that is given to a dealer": [
        *STAFF,
        {
            "kind": "hand-assigned",
            "of_table": "aurora/EOU-01",
            "of_day": DAY,
            "hand": "r1",
            "to": "d-1",
            "by": "o-1",
        },
    ],
    "a flag without a reason": [
        {
            "kind": "flagged",
            "of_table": "aurora/EOU-01",
            "of_day": DAY,
            "round": "r1",
            "why": " ",
            "by": "o-1",
        }
    ],
    "a person whose roles are no list": [entry("people", "d-1", {"roles": "dealer"})],
    "an adjustment that names no fact": [OPENED, CLOSED, CLOSE, ADJUST | {"of": "the box"}],
    "an account that is no object": [entry("accounts", "drop", "1010")],
    "an account with an odd name": [entry("accounts", "drop", ACCOUNT | {"name": ":"})],
    "an account of no type": [entry("accounts", "drop", ACCOUNT | {"type": "hat"})],
    "an unknown game": [entry("tables", "EOU-01", {"game": "craps"})],
    "a late count of a box that was counted": [OPENED, box(), drop(), CLOSED, CLOSE, ADJUST | {"of": uid(2)}],
    "an adjustment that names a box of another day": [
        OPENED,
        box(),
        CLOSED,
        opened() | {"day": NEXT},
        CLOSED | {"day": NEXT},
        CLOSE | {"day": NEXT},
        ADJUST | {"of": uid(2), "of_day": NEXT},
    ],
    **{
        f"entry: {name}": [entry(register, key, value)]
        for name, (register, key, value, _) in BAD.items()
        if name != "an unknown time zone"
    },
}
"""The facts of each case that is recorded and then reported by replay."""

REFUSED: dict[str, list[Fact]] = {
    **REFUSED_ALERTS,
    **REFUSED_CASES,
    "the same uid again": [OPENED | {"uid": uid(1)}, OPENED | {"uid": uid(1), "spots": 5}],
    "a fill to a table that was never opened": [slip("F-1")],
    "a fill after the close of the day": [OPENED, CLOSED, CLOSE, slip("F-1")],
    "a table opened on a closed day": [OPENED, CLOSED, CLOSE, OPENED],
    "a close of a day that was never opened": [CLOSE],
    "a fill of an unknown kind": [OPENED, slip("F-1") | {"kind": "loan-sent"}],
    "chips bought for nothing": [OPENED, bought(0)],
    "chips bought with a song": [OPENED, bought(tender="song")],
    "an adjustment of nothing": [OPENED, CLOSED, CLOSE, ADJUST | {"amount": 0}],
    "an adjustment of the weather": [OPENED, CLOSED, CLOSE, ADJUST | {"what": "weather"}],
    "a box with an invisible letter in its name": [OPENED, box("b\u200b-1")],
    "limits whose least lies above the most": [opened(limits={"*": [500, 100]})],
    "a person who is no object": [entry("people", "d-1", "dealer")],
    "an unknown time zone": [entry("day-begins", "*", {"time": "06:00", "zone": "Mars"})],
    "an unknown role": [entry("people", "d-1", {"role": "magician"})],
    "a chip set of no currency": [entry("chip-sets", "jpy", {"chips": [100]})],
    "an unknown register": [entry("hats", "x", {})],
    "an unknown currency": [entry("property", "*", {"currency": "jpy"})],
    "limits of a table the wrong way round": [
        entry("tables", "EOU-01", {"game": "easy_over_under", "limits": {"*": [5, 1]}})
    ],
    "limits of a table that are no pair": [
        entry("tables", "EOU-01", {"game": "easy_over_under", "limits": {"*": [5]}})
    ],
    "a kind that no table sees": [entry("tables", "EOU-01", {"game": "easy_over_under", "sees": ["aliens"]})],
    "an unknown verdict": [JUDGED | {"verdict": "perhaps"}],
    "a disposition of another verdict": [JUDGED | {"disposition": "no_error"}],
}
"""The facts of each case that cannot be recorded."""

OF_TYPES = frozenset(
    {
        "a person who is no object",
        "a person whose roles are no list",
        "an account of no type",
        "an account that is no object",
        "an account with an odd name",
        "an unknown currency",
        "entry: a camera of one table, not of a list",
        "entry: a device that may perhaps name people",
        "entry: an address of a camera with an unknown place",
        "entry: a letter for no edition",
        "entry: a letter without a name",
        "entry: a pit without a name",
        "entry: a shift without a time",
        "entry: an account without a number",
        "entry: an hour that never comes",
        "entry: an invalid time",
        "limits of a table that are no pair",
    }
)
"""Cases of one rule: a value must have the type that its register requires."""


def placed(facts: list[Fact], property: str = "aurora") -> list[Fact]:
    """Return the facts with the common fields that a ledger needs, such as uid, table and day. A fact without
    a time gets its index in the list as the minute.
    """
    facts_with_numbers = []
    for place, sent in enumerate(facts, 1):
        table = "aurora/house" if sent["kind"] in HOUSE else "aurora/EOU-01"
        envelope = {
            "uid": uid(place),
            "table": table,
            "day": DAY,
            "at": f"{DAY}T12:{place:02}:00-08:00",
            "source": "desk-1",
        }
        fact = envelope | sent
        fact["table"] = fact["table"].replace("aurora", property)
        if "of_table" in fact:
            fact["of_table"] = fact["of_table"].replace("aurora", property)
        facts_with_numbers.append(fact)
    return facts_with_numbers


__all__ = ["COUNTED", "FIVE", "FOUND", "OF_TYPES", "REFUSED", "placed"]

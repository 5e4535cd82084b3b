"""A small property in which nothing is wrong, and every change to its facts. The property has registers, two
gaming days of a table, a cage and a count room.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

from tests.silence.changes import Change, Fact, swapped
from tests.silence.opinion import moves
from tests.silence.trying import parts

DAYS = ("2026-11-27", "2026-11-28")
BEGINS = datetime(2026, 11, 27, 20, tzinfo=UTC)
"""The time from which the first administrators are recorded. Nobody is in the register before it, so nobody
could have signed for them.
"""
TABLE, HOUSE = "aurora/EOU-01", "aurora/house"
PEOPLE = {
    "administrator": ("m-101", "m-102"),
    "dealer": ("d-101", "d-102"),
    "supervisor": ("s-201", "s-202"),
    "cage": ("c-101", "c-102"),
    "security": ("g-101", "g-102"),
    "count": ("n-101", "n-102", "n-103"),
    "accounting": ("a-101", "a-102"),
    "surveillance": ("v-101", "v-102"),
}
ROLE = {person: role for role, people in PEOPLE.items() for person in people}
SLIP = {
    "requested_by": "s-201",
    "sent_by": "c-101",
    "carried_by": "g-101",
    "received_by": "d-101",
    "verified_by": "s-202",
}
CREDIT = SLIP | {"sent_by": "d-101", "received_by": "c-101"}
FOUNDERS, SIGNED = {"by": "o-1", "second": "o-2"}, {"by": "m-101", "second": "m-102"}
TRAY = {"by": "d-101", "second": "s-201"}
PLAY = frozenset(
    {
        "round-opened",
        "round-closed",
        "bet",
        "roll",
        "shake",
        "announce",
        "mark",
        "deal",
        "take",
        "pay",
        "clear",
        "no-more-bets",
        "shuffled",
    }
)
SIGNERS = ("by", "second", *SLIP, "dealer", "supervisor")
ENVELOPE = frozenset({"uid", "kind", "at", "source", "v"})
MONEY = frozenset(
    {
        "fill-sent",
        "credit-sent",
        "chips-bought",
        "marker-issued",
        "marker-paid",
        "drop-counted",
        "count-verified",
        "opener-counted",
        "closer-counted",
        "adjusted",
    }
)


def chips(amount: int, piece: int = 500) -> dict[str, int]:
    """Return chips that add up to the amount."""
    return {str(piece): amount // piece}


def registers() -> Iterator[Fact]:
    """Yield the entries of the registers, signed by two administrators."""
    entries: list[tuple[str, str, Any]] = [
        ("people", person, {"role": role}) for person, role in ROLE.items()
    ]
    entries.append(("chip-sets", "USD", {"chips": [100, 500, 2500, 10000], "notes": [100, 500, 2000, 10000]}))
    entries.append(("thresholds", "count-team", {"people": 2}))
    for register, key, value in entries:
        yield {
            "table": HOUSE,
            "day": DAYS[0],
            "kind": "register-set",
            "register": register,
            "key": key,
            "value": value,
            "from": None,
            "to": None,
            **(FOUNDERS if key in PEOPLE["administrator"] else SIGNED),
        }


def day(number: int, opener: int) -> tuple[list[Fact], int]:
    """Return the facts of one gaming day of the table, and the amount that its closer counts."""
    part = list(parts("easy_over_under"))[number]
    of = {"table": TABLE, "day": DAYS[number]}
    opened = part.facts[0] | {"currency": "USD", "spots": 6}
    round = [fact for fact in part.facts[: part.last] if fact["kind"] in PLAY]
    won = -sum(amount for fact in round for _, _, amount in moves(fact))
    serial = f"EOU01-2026-00000{number + 1}"
    bought = [
        {"spot": "1", "amount": 20_000, "tender": "cash"},
        {"spot": "2", "amount": 10_000, "tender": "voucher"},
    ]
    marked = {"spot": "1", "amount": 15_000, "tender": "marker"}
    closer = opener + won + 100_000 - 50_000 - 45_000
    box = {"box": f"00012{number}", "shift": ""}
    counted: dict[str, Any] = {
        "notes": {"2000": 10},
        "papers": {"voucher": 10_000, "marker": 15_000},
        "amount": 45_000,
    }
    facts: list[Fact] = [
        opened,
        {"kind": "dealer-seated", "dealer": "d-101", "supervisor": "s-201"},
        {"kind": "opener-counted", "chips": chips(opener, 100), "amount": opener, **TRAY},
        *({"kind": "chips-bought", **fields} for fields in bought),
        {"kind": "marker-issued", "slip": f"M-{serial}", "player": "p-1", "amount": 15_000, "by": "s-201"},
        {"kind": "chips-bought", **marked},
        *round,
        {"kind": "fill-sent", "slip": f"F-{serial}", "chips": chips(100_000), "amount": 100_000, **SLIP},
        {"kind": "credit-sent", "slip": f"C-{serial}", "chips": chips(50_000), "amount": 50_000, **CREDIT},
        {"kind": "marker-paid", "slip": f"M-{serial}", "player": "p-1", "amount": 15_000, "by": "c-102"},
        {"kind": "closer-counted", "chips": chips(closer, 100), "amount": closer, **TRAY},
        {"kind": "table-closed"},
        {"kind": "box-pulled", "by": "g-101", "second": "s-201", **box},
        {"kind": "drop-counted", "team": ["n-101", "n-102"], **box, **counted},
        {
            "kind": "count-verified",
            "amount": 45_000,
            "by": "c-102",
            "notes": counted["notes"],
            "papers": counted["papers"],
            **box,
        },
        {"kind": "day-closed", "by": "a-101"},
    ]
    return [fact | of for fact in facts], closer


def honest() -> list[Fact]:
    """Return all facts of the property, in the order in which they are recorded."""
    first, closer = day(0, 500_000)
    second, _ = day(1, closer)
    adjusted = {
        "table": HOUSE,
        "day": DAYS[1],
        "kind": "adjusted",
        "of_table": TABLE,
        "of_day": DAYS[0],
        "what": "drop",
        "amount": 2_000,
        "reason": "a note lay in the box",
        "by": "a-101",
        "second": "a-102",
    }
    return stamped([*registers(), *first, *second, adjusted])


def stamped(facts: Sequence[Fact]) -> list[Fact]:
    """Return the facts as they are posted. A fact that has no uid gets one. All facts come from one source
    and one clock, and have no sequence numbers.
    """
    uids = count(1)
    stamped_facts = []
    for place, fact in enumerate(facts):
        uid = fact.get("uid") or f"00000000-0000-4000-9000-{next(uids):012}"
        stamped_facts.append(
            {name: value for name, value in fact.items() if name != "n"} | {"uid": uid, "source": "desk-1"}
        )
        stamped_facts[-1]["at"] = (
            BEGINS.isoformat()
            if fact.get("key") in PEOPLE["administrator"]
            else (BEGINS + timedelta(minutes=place)).isoformat()
        )
    return stamped_facts


def changes(facts: Sequence[Fact]) -> Iterator[Change]:
    """Yield every change to the facts outside play. A fact is removed, repeated, or swapped with the next
    fact, or one of its fields is changed.
    """
    new = (f"00000000-0000-4000-a000-{place:012}" for place in count(1))
    for place, fact in enumerate(facts):
        if fact["kind"] in PLAY or fact["kind"] == "table-opened":
            continue
        before, after = list(facts[:place]), list(facts[place + 1 :])
        yield Change("remove", fact, "", "", before + after)
        yield Change("repeat", fact, "", "", [*before, fact, fact | {"uid": next(new)}, *after])
        if after and after[0]["kind"] not in PLAY | {"table-opened"}:
            yield swapped(fact, before, after)
        for name, value in fact.items():
            if name not in ENVELOPE:
                for became in values(name, value, fact):
                    yield Change(
                        "field", fact, name, fact | {name: became}, [*before, fact | {name: became}, *after]
                    )


def values(name: str, value: Any, fact: Fact) -> Iterator[Any]:
    """Yield other values that a field of these facts could have."""
    if name in SIGNERS:
        role = ROLE.get(value, "")
        others = [fact[signer] for signer in SIGNERS if signer in fact and fact[signer] != value]
        yield from ("", *others[:1], "x-999", *(people[0] for of, people in PEOPLE.items() if of != role))
        yield from (person for person in PEOPLE.get(role, ()) if person != value)
    elif name == "amount":
        yield from (value + 500, value * 10, max(1, value - 500))
    elif name in ("chips", "notes"):
        yield from ({piece: number + 1 for piece, number in value.items()}, {}, {"700": 1} | value)
    elif name == "papers":
        yield from ({key: amount + 500 for key, amount in value.items()}, {})
    elif name == "slip":
        series, _, number = value.rpartition("-")
        yield from (
            f"{series}-{int(number) + 5:06}",
            f"{series}-{int(number):06}9",
            f"F-EOU09-2026-{number}",
            "",
            "paper",
        )
    elif name == "team":
        yield from ([], value[:1], [value[0], value[0]], [*value, "x-999"], [*value[:1], "g-101"])
    elif name in OTHERS:
        yield from (other for other in OTHERS[name] if other != value)


OTHERS: dict[str, tuple[Any, ...]] = {
    "box": ("000999", "12", ""),
    "shift": ("swing",),
    "tender": ("cash", "voucher", "marker", "gift"),
    "player": ("p-2", ""),
    "spot": ("2", "5"),
    "what": ("drop", "fill", "win"),
    "reason": ("",),
    "of_table": ("aurora/EOU-09", "borealis/EOU-01"),
    "of_day": (*DAYS, "2026-11-29"),
    "day": DAYS,
    "table": ("aurora/EOU-09",),
    "register": ("chip-sets", "humans"),
    "key": ("x-999", ""),
    "value": ({"role": "cage"}, {"role": "pilot"}, None),
    "from": ("2026-11-28",),
    "to": ("2026-11-27",),
}
"""For each field, values worth trying."""

"""Separation of duties, listed in TABLE: which role may do what, and which two roles one person never has.
The list is written by hand from the rules, and not generated from `permissions.RIGHTS`, so that each checks
the other.

Each role tries each action. In other tests, people who have every role sign twice. They are refused only
because two signers must differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from datetime import date
from itertools import combinations, count
from typing import Any
from uuid import UUID, uuid4

from django.core.exceptions import PermissionDenied

from audit.ledger import intake
from audit.ledger.intake import Sender
from audit.replay import register_values
from casino.accounts.permissions import ACTS, RIGHTS, can
from casino.cage.services import chips, slips, voids
from casino.cage.slips import pending
from casino.count_room import services as count_room
from casino.day_close import adjustments
from casino.day_close import services as day_close
from casino.day_close.services import Closing
from casino.floor import services as floor
from casino.floor import trays
from casino.presentation.errors import ActionRejected
from casino.reference.calendar import gaming_day
from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from tests.audit.floor import OPENING, fact, line
from tests.casino.cash_actions import actions_with_cash
from tests.casino.conftest import Cast
from tests.casino.marker_actions import lost, marker, pay, recover, who, write_off
from tests.furnished import furnishing

TABLE = """
                  dealer super cage secur count table accnt surv  audit regul admin device compl
request-slip        .      x    .     .     .     x     .    .      .     .     .     .     .
send-slip           .      .    x     .     .     .     .    .      .     .     .     .     .
carry-slip          .      .    .     x     .     .     .    .      .     .     .     .     .
receive-slip        x      .    .     .     .     .     .    .      .     .     .     .     .
verify-slip         .      x    .     .     .     x     .    .      .     .     .     .     .
void-slip           .      .    x     .     .     .     .    .      .     .     .     .     .
witness-void        .      x    .     x     .     .     x    .      .     .     .     .     .
issue-marker        .      x    .     .     .     x     .    .      .     .     .     .     .
pay-marker          .      .    x     .     .     .     .    .      .     .     .     .     .
buy-chips           x      x    .     .     .     x     .    .      .     .     .     .     .
open-table          .      x    .     .     .     x     .    .      .     .     .     .     .
seat-dealer         .      x    .     .     .     x     .    .      .     .     .     .     .
set-limits          .      x    .     .     .     x     .    .      .     .     .     .     .
count-tray          x      x    .     .     .     x     .    .      .     .     .     .     .
count-chips         x      .    .     .     .     .     .    .      .     .     .     .     .
pull-box            .      x    .     x     .     .     .    .      .     .     .     .     .
count-drop          .      .    .     .     x     .     .    .      .     .     .     .     .
verify-count        .      .    x     .     .     .     .    .      .     .     .     .     .
close-day           .      .    .     .     .     .     x    .      .     .     .     .     .
adjust              .      .    .     .     .     .     x    .      .     .     .     .     .
sign-adjustment     .      .    .     .     .     .     x    .      .     .     .     .     .
write-off-marker    .      .    .     .     .     .     x    .      .     .     .     .     .
sign-write-off      .      .    .     .     .     .     x    .      .     .     .     .     .
receive-drop        .      .    x     .     .     .     .    .      .     .     .     .     .
hand-over-drop      .      .    .     .     x     .     .    .      .     .     .     .     .
send-deposit        .      .    x     .     .     .     .    .      .     .     .     .     .
sign-deposit        .      .    x     x     .     .     .    .      .     .     .     .     .
confirm-deposit     .      .    .     .     .     .     x    .      .     .     .     .     .
give-verdict        .      .    .     .     .     .     .    x      .     .     .     .     .
review-verdict      .      .    .     .     .     .     .    x      .     .     .     .     .
flag-hand           .      .    .     .     .     .     .    x      .     .     .     .     .
annotate            .      .    .     .     .     x     .    x      .     .     .     .     .
save-view           .      .    .     .     .     x     .    x      .     .     .     .     .
write-log           .      .    .     .     .     .     .    x      .     .     .     .     .
hold-video          .      .    .     .     .     .     .    x      .     .     .     .     .
pause-table         .      .    .     .     .     x     .    .      .     .     .     .     .
keep-report         .      .    .     .     .     .     x    x      .     .     .     .     x
schedule-report     .      .    .     .     .     .     x    .      .     .     .     .     .
investigate         .      .    .     .     .     .     x    x      .     .     .     .     .
set-register        .      .    .     .     .     .     .    .      .     .     x     .     .
sign-register       .      .    .     .     .     .     x    .      .     .     x     .     .
issue-token         .      .    .     .     .     .     .    .      .     .     x     .     .
revive-job          .      .    .     .     .     .     .    .      .     .     x     .     .
set-alert           .      .    .     .     .     .     .    x      .     .     x     .     .
set-webhook         .      .    .     .     .     .     .    .      .     .     x     .     .
post-facts          .      .    .     .     .     .     .    .      .     .     .     x     .
work-case           .      .    .     .     .     .     .     x     .     .     .     .     .
work-suspicion      .      .    .     .     .     .     .     .     .     .     .     .     x
erase-case          .      .    .     .     .     .     .     x     .     .     x     .     x
"""
ROLES = {
    "dealer": "dealer",
    "super": "supervisor",
    "cage": "cage",
    "secur": "security",
    "count": "count",
    "table": "table-games",
    "accnt": "accounting",
    "surv": "surveillance",
    "audit": "internal-audit",
    "regul": "regulator",
    "admin": "administrator",
    "device": "device",
    "compl": "compliance",
}
ELSEWHERE = {
    "give-verdict",
    "review-verdict",
    "flag-hand",
    "annotate",
    "save-view",
    "write-log",
    "hold-video",
    "pause-table",
    "keep-report",
    "schedule-report",
    "investigate",
    "set-register",
    "sign-register",
    "issue-token",
    "revive-job",
    "set-alert",
    "set-webhook",
    "post-facts",
    "work-case",
    "work-suspicion",
    "erase-case",
}
"""Actions that other modules test: those of surveillance, reports, the admin and the REST API. The modules
are test_pages.py, test_register.py, test_alerts.py, test_api.py and test_cases.py.
"""
LOOKS = ("see-", "enter-")
EVERY = ("dealer", "supervisor", "cage", "security", "count", "accounting")
SLIP = tuple(slips.ROLES["fill-sent"])


def by_hand() -> dict[str, set[str]]:
    """Return the roles that may do each action. They are read from TABLE, which is written by hand."""
    head, *lines = TABLE.strip("\n").splitlines()
    names = [ROLES[name] for name in head.split()]
    return {
        row.split()[0]: {name for name, mark in zip(names, row.split()[1:], strict=True) if mark == "x"}
        for row in lines
    }


def test_the_rights_in_the_code_equal_the_table() -> None:
    acts = {act for act in ACTS if not act.startswith(LOOKS)}
    assert set(ROLES.values()) == set(RIGHTS)
    assert {act: {role for role in RIGHTS if act in RIGHTS[role]} for act in acts} == by_hand()


def test_no_role_alone_completes_a_movement_of_money_or_an_entry() -> None:
    table = by_hand()
    for role in RIGHTS:
        slip = [
            act for act in ("request-slip", "send-slip", "carry-slip", "receive-slip") if role in table[act]
        ]
        assert len(slip) <= 1, f"{role} has two parts in a fill"
        assert not table["count-drop"] & table["verify-count"], "a count is not verified by a team's role"
        assert not table["void-slip"] & table["witness-void"]
        assert not table["issue-marker"] & table["pay-marker"]
        assert not table["confirm-deposit"] & (table["send-deposit"] | table["sign-deposit"])
        assert not table["write-off-marker"] & (table["issue-marker"] | table["pay-marker"])
    reads = {"see-hold", "see-facts", "see-hand", "see-findings", "see-views"}
    assert not [role for role in table["verify-count"] if RIGHTS[role] & reads], (
        "who recounts reads no report: it shows the first count"
    )
    money = {
        "request-slip",
        "send-slip",
        "receive-slip",
        "void-slip",
        "issue-marker",
        "pay-marker",
        "buy-chips",
        "count-drop",
        "adjust",
        "write-off-marker",
        "sign-write-off",
        "receive-drop",
        "send-deposit",
        "confirm-deposit",
    }
    assert not [
        act for act in money if table[act] & {"surveillance", "internal-audit", "regulator", "administrator"}
    ]
    assert not [act for act in ("give-verdict", "review-verdict") if table[act] - {"surveillance"}]
    assert not table["adjust"] & table["close-day"] - {"accounting"}


NEVER_ONE = """
accounting      table-games dealer supervisor floor cage security count surveillance internal-audit regulator
surveillance    table-games dealer supervisor floor cage security count accounting internal-audit regulator
compliance      table-games dealer supervisor floor cage security count internal-audit regulator
count           cage accounting surveillance internal-audit regulator
internal-audit  table-games dealer supervisor floor cage security count accounting surveillance regulator
internal-audit  administrator device
regulator       table-games dealer supervisor floor cage security count accounting surveillance
regulator       internal-audit administrator device
"""
"""Pairs of roles that one person never has. Accounting takes no part in drops, counts, fills and cashiering.
Surveillance and compliance move no money, and table games gives no verdicts. A recount is another
department's task. An auditor performs nothing that is audited.
"""


def test_incompatible_roles_cannot_be_entered_for_one_person() -> None:
    forbidden = {
        frozenset((role, other))
        for role, *others in map(str.split, NEVER_ONE.strip().splitlines())
        for other in others
    }
    for first, other in combinations((*RIGHTS, "floor"), 2):
        try:
            register_values.check("people", {"roles": [first, other]})
            allowed = True
        except ValueError as error:
            allowed = "one person cannot be" not in str(error)
        assert allowed == (frozenset((first, other)) not in forbidden), (first, other)
    register_values.check("people", {"roles": ["dealer", "supervisor", "table-games"]})
    register_values.check("people", {"roles": ["accounting", "administrator"]})


@furnishing
def people_of_roles() -> Cast:
    """Register people, and record two open tables and a closed day. One person has each role (`x-ROLE`).
    Seven people have every role of floor, cage and count (`w-1` to `w-7`).
    """
    cast = Cast()
    entries = [Entry("people", f"x-{role}", {"role": role}) for role in (*RIGHTS, "floor")]
    entries += [Entry("people", f"w-{number}", {"roles": list(EVERY)}) for number in range(1, 8)]
    set_registers("aurora", entries, by="m-101", second="m-102")
    day = gaming_day("aurora").isoformat()
    intake.post(
        [line(fact(place, table=f"aurora/EOU-0{place}", day=day, **OPENING)) for place in (1, 2)],
        Sender("test"),
    )
    closed = {"table": "aurora/EOU-03", "day": CLOSED.isoformat()}
    intake.post(
        [line(fact(8, **OPENING | closed)), line(fact(9, "day-closed", **closed, by="a-101"))], Sender("test")
    )
    return cast


def ask(people_: Mapping[str, str], kind: str = "fill-sent") -> str:
    """Request a fill or credit that these people sign."""
    signers = {role: who(id) for role, id in people_.items()}
    return slips.request_slip(who("w-7"), "aurora", "EOU-01", kind, {"500": 2}, signers, uid=str(uuid4()))


def signers_of(kind: str = "fill-sent", **other: str) -> dict[str, str]:
    """Return the signers of a slip: a staff ID for each signature, all different. `other` replaces some of
    them.
    """
    return {role: f"w-{place}" for place, role in enumerate(slips.ROLES[kind], 1)} | other


def refused(act: Callable[[], Any]) -> bool:
    try:
        act()
    except (ActionRejected, PermissionDenied):
        return True
    return False


def void(slip: str, by: str, second: str) -> None:
    voids.void_slip(who(by), who(second), "aurora", slip, "counted again", uid=str(uuid4()))


def tray(kind: str, by: str, second: str, logged_in: str = "") -> None:
    counted = trays.Tray(kind, {"500": 2}, who(by), who(second))
    trays.count_tray(who(logged_in or by), "aurora", "EOU-01", counted, str(uuid4()))


def sign_closer(person: str) -> None:
    """Record a closer that this person signs: as the supervisor if the person's role allows that, and
    otherwise as the dealer.
    """
    pair = ("w-7", person) if can(who(person), "open-table", "aurora") else (person, "w-7")
    tray(trays.CLOSER, *pair, logged_in=person)


def void_new(by: str, second: str) -> None:
    """Request a slip with its first two signatures, and let these two people void it while it is pending."""
    ask({role: id for role, id in signers_of().items() if role in SLIP[:2]})
    slip, *_ = pending.of_property("aurora")
    try:
        slips.void_pending_slip(who(by), who(second), "aurora", slip.uid, "wrong table")
    finally:
        pending.remove(slip)


BOXES = count(1)
CLOSED = date(2026, 11, 2)
"""A closed gaming day of EOU-03."""


def pull(by: str = "w-1", second: str = "w-2") -> UUID:
    uid = uuid4()
    day = gaming_day("aurora")
    count_room.pull_box(who(by), who(second), "aurora", "EOU-01", day, "", f"B-{next(BOXES)}", uid=str(uid))
    return uid


def drop(*team: str, box: UUID | None = None) -> UUID:
    """Count a drop box and return its uid. Without a `team`, three people count who did not carry the box."""
    pulled = box or pull()
    count_room.count_drop(
        [who(id) for id in team or ("w-3", "w-4", "w-5")], "aurora", pulled, {"2000": 5}, {}, uid=str(uuid4())
    )
    return pulled


def recount(box: UUID, by: str) -> None:
    count_room.verify_count(who(by), "aurora", box, {"2000": 5}, {}, uid=str(uuid4()))


def adjust(by: str, second: str) -> None:
    change = adjustments.Change("aurora/EOU-03", CLOSED, "drop", 100, "a note behind the box")
    adjustments.adjust(who(by), who(second), "aurora", change, uid=str(uuid4()))


def on_new(make: Callable[[], Any], act: Callable[[Any, str], Any]) -> Callable[[str], Any]:
    """Return a function that makes an object and lets a person act on it. The next call uses the same object
    if the action was refused, and a new one if it succeeded.
    """
    made_once: list[Any] = []

    def does(person: str) -> None:
        if not made_once:
            made_once.append(make())
        act(made_once[0], person)
        made_once.clear()

    return does


def attempt(act: Callable[[], Any]) -> None:
    """Run an action whose input is invalid, and ignore that it is rejected. An error about a missing right is
    raised.
    """
    with suppress(ActionRejected):
        act()


def actions_of_departments() -> Iterator[tuple[str, Callable[[str], Any]]]:
    """Yield every action of floor, cage and count room, with a function that does it with valid input. The
    function gets the staff ID of the person who acts.
    """
    for kind, signatures in slips.ROLES.items():
        for role, act in signatures.items():
            yield act, lambda person, role=role, kind=kind: ask(signers_of(kind, **{role: person}), kind)
    yield "void-slip", on_new(marker, lambda slip, person: void(slip, person, "w-7"))
    yield "witness-void", on_new(marker, lambda slip, person: void(slip, "w-6", person))
    yield "void-slip", lambda person: void_new(person, "w-7")
    yield "witness-void", lambda person: void_new("w-6", person)
    yield "issue-marker", marker
    yield "pay-marker", on_new(marker, pay)
    yield "pay-marker", on_new(lost, recover)
    yield "write-off-marker", on_new(marker, lambda slip, person: write_off(slip, person, "w-7"))
    yield "sign-write-off", on_new(marker, lambda slip, person: write_off(slip, "w-7", person))
    yield from actions_with_cash()
    yield "count-tray", sign_closer
    yield "count-chips", lambda person: tray(trays.CLOSER, person, "w-7", logged_in="w-7")
    yield "open-table", lambda person: tray(trays.CLOSER, "w-7", person, logged_in="w-7")
    yield "pull-box", lambda person: pull("w-1", person)
    yield "pull-box", lambda person: pull(person, "w-1")
    yield "count-drop", on_new(pull, lambda box, person: drop(person, "w-4", "w-5", box=box))
    yield "verify-count", on_new(drop, recount)
    yield "adjust", lambda person: adjust(person, "w-7")
    yield "sign-adjustment", lambda person: adjust("w-7", person)
    yield (
        "close-day",
        lambda person: attempt(lambda: day_close.close_day(who(person), "aurora", CLOSED, Closing([]))),
    )
    yield (
        "open-table",
        lambda person: attempt(lambda: floor.close_table(who(person), "aurora", "EOU-99", str(uuid4()))),
    )
    yield "seat-dealer", lambda person: attempt(lambda: floor.seat(who(person), "aurora", {}, str(uuid4())))
    yield (
        "set-limits",
        lambda person: attempt(lambda: floor.set_limits(who(person), "aurora", "EOU-99", {}, str(uuid4()))),
    )
    yield (
        "buy-chips",
        lambda person: chips.record_buy_in(
            who(person), "aurora", "EOU-01", "2", 500, "cash", uid=str(uuid4())
        ),
    )

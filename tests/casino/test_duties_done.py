"""Every action succeeds for the roles that may do it, and fails if one person signs where two are
required.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations
from typing import Any
from uuid import UUID, uuid4

import pytest

from audit.queries import cage_facts
from casino.accounts.permissions import RIGHTS, can
from casino.cage.services import slips, voids
from casino.cage.slips import pending
from casino.floor import trays
from casino.presentation.errors import ActionRejected
from casino.reference.calendar import gaming_day
from tests.casino.cash_actions import receive, send
from tests.casino.conftest import Cast
from tests.casino.marker_actions import marker, pay, who, write_off
from tests.casino.test_duties import (
    ELSEWHERE,
    SLIP,
    actions_of_departments,
    adjust,
    ask,
    by_hand,
    drop,
    people_of_roles,
    pull,
    recount,
    refused,
    signers_of,
    tray,
    void,
    void_new,
)

__all__ = ["people_of_roles"]


def test_an_action_succeeds_only_for_the_roles_whose_duty_it_is(people_of_roles: Cast) -> None:
    table, wrong, tried = by_hand(), [], set()
    for act, does in actions_of_departments():
        tried.add(act)
        for role in (*RIGHTS, "floor"):
            is_refused = refused(lambda does=does, role=role: does(f"x-{role}"))  # type: ignore[misc]
            if is_refused == (role in table[act]):
                wrong.append((act, role, "refused" if is_refused else "done"))
    assert wrong == []
    assert set(table) - tried == ELSEWHERE, "every act of floor, cage and count room is tried here"


def duties_by_one_person() -> Iterator[tuple[str, str, Callable[[], Any]]]:
    """Yield each pair of duties that two different people must do, and an action in which one person does
    both.
    """
    for kind, signatures in slips.ROLES.items():
        for first, other in combinations(signatures, 2):
            people_ = signers_of(kind)
            yield (
                f"{kind} {first}",
                other,
                lambda kind=kind, signers=people_ | {other: people_[first]}: ask(signers, kind),
            )
    yield "void by", "witness", lambda: void(marker("w-1"), "w-2", "w-2")
    yield "void of one under way by", "witness", lambda: void_new("w-6", "w-6")
    for role, id in signers_of().items():
        yield (
            f"fill-sent {role}",
            "witness of its void",
            lambda person=id: void(ask(signers_of()), "w-6", person),
        )
    for role, id in list(signers_of().items())[:2]:
        yield f"under way {role}", "witness of its void", lambda person=id: void_new("w-6", person)
    for kind in (trays.OPENER, trays.CLOSER):
        yield f"{kind} by", "second", lambda kind=kind: tray(kind, "w-1", "w-1")
    yield "box pulled by", "second", lambda: pull("w-1", "w-1")
    yield "count team", "count team", lambda: drop("w-3", "w-3", "w-4")
    for place, first in enumerate(("w-1", "w-2")):
        yield f"box pulled by {place}", "count team", lambda person=first: drop(person, "w-4", "w-5")
        yield f"box pulled by {place}", "recount", lambda person=first: recount(drop(), person)
    for first in ("w-3", "w-4", "w-5"):
        yield f"count team {first}", "recount", lambda person=first: recount(drop(), person)
    yield "adjusted by", "second", lambda: adjust("w-1", "w-1")
    yield "marker issued by", "witness of its void", lambda: void(marker("w-1"), "w-2", "w-1")
    yield "marker issued by", "payment taken by", lambda: pay(marker("w-1"), "w-1")
    yield "marker issued by", "write-off by", lambda: write_off(marker("w-1"), "w-1", "w-2")
    yield "marker issued by", "write-off signed by", lambda: write_off(marker("w-1"), "w-2", "w-1")
    yield "drop received by", "drop handed over by", lambda: receive("w-2", "w-2")
    yield "deposit sent by", "deposit signed by", lambda: send("w-2", "w-2")
    yield "write-off by", "write-off signed by", lambda: write_off(marker("w-1"), "w-2", "w-2")


def test_duties_that_need_two_people_are_never_performed_by_one(
    people_of_roles: Cast,
) -> None:
    pairs = [(first, other) for first, other, act in duties_by_one_person() if not refused(act)]
    assert pairs == [], "these were one person, and it was done"
    assert len(list(duties_by_one_person())) == 2 * 10 + 2 + 5 + 2 + 2 + 2 + 2 + 4 + 3 + 1 + 3 + 2
    assert ask(signers_of()).startswith("F-"), "five people may"
    assert ask(signers_of("credit-sent"), "credit-sent").startswith("C-")
    void(ask(signers_of()), "w-1", "w-6")
    tray(trays.OPENER, "w-1", "w-2")
    recount(drop(), "w-6")
    adjust("w-1", "w-2")
    pay(marker("w-1"), "w-2")
    write_off(marker("w-1"), "w-2", "w-3")
    streams = [stream.stream for stream in cage_facts.streams("aurora", gaming_day("aurora"))]
    recorded = list(cage_facts.facts("aurora", streams, slips.ROLES))
    assert {len(set(voids.signers_of(fact))) for fact in recorded} == {5}, (
        "so replay never finds slip-signed-once of the pages"
    )


def test_a_slip_signed_on_several_devices_still_asks_for_five_people(people_of_roles: Cast) -> None:
    ask({"requested_by": "w-1"})
    (slip,) = pending.of_property("aurora")
    for place, role in enumerate(SLIP[1:], 2):
        for before in range(1, place):
            with pytest.raises(ActionRejected, match="has already signed this slip"):
                slips.sign_slip(who("w-7"), "aurora", slip.uid, {role: who(f"w-{before}")})
        slips.sign_slip(who("w-7"), "aurora", slip.uid, {role: who(f"w-{place}")})
    fact = cage_facts.fact("aurora", UUID(str(slip.uid)))
    assert fact is not None
    assert voids.signers_of(fact) == [f"w-{place}" for place in range(1, 6)]


def test_a_user_without_a_slip_role_cannot_submit_a_slip(people_of_roles: Cast) -> None:
    signers = {role: who(id) for role, id in signers_of().items()}
    for role in (*RIGHTS, "floor"):
        by = who(f"x-{role}")
        has_part = any(can(by, act, "aurora") for act in slips.ROLES["fill-sent"].values())
        request = partial(slips.request_slip, by, "aurora", "EOU-01", "fill-sent", {"500": 1}, signers)
        assert refused(partial(request, uid=str(uuid4()))) != has_part, role

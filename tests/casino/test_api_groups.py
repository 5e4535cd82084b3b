"""Posts of single facts that reach the REST API at the same time: they share a transaction, and each has its
own answer. Nothing is answered before the commit.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from django.db import connection

from audit.database import rows
from tests.audit.floor import fact, opened, uid
from tests.audit.test_group_commit import in_groups
from tests.casino.conftest import Api, Cast
from tests.casino.test_api import device, problem
from tests.conftest import House


def test_posts_in_a_group_have_their_own_answers(cast: Cast, gateway: Api, house: House) -> None:
    other = device(cast, tables=["EOU-09"])
    first = gateway.post(opened(1)).json()[0]["position"]
    connection.close()
    answered: list[str] = []

    def answer(api: Api, sent: dict[str, Any]) -> Any:
        response = api.post(sent)
        answered.append(sent["uid"])
        return response

    def rejected() -> None:
        assert answered == [], "no post is answered before its transaction was committed"
        problem(other.post(fact(9)), 403, "no-right")

    changed = fact(3, spot="1", wager="over", amount=700)
    unopened = fact(5, table="aurora/EOU-02")
    posts = [fact(2), fact(3), fact(3), changed, unopened, fact(6)]
    results = in_groups(house, *(partial(answer, gateway, sent) for sent in posts), meanwhile=rejected)
    statuses = [response.status_code for response in results]
    assert statuses == [201, 201, 201, 409, 409, 201]
    places = [results[at].json()[0] for at in (0, 1, 2, 5)]
    assert [(place["uid"], place["position"], place["fresh"]) for place in places] == [
        (uid(2), first + 1, True),
        (uid(3), first + 2, True),
        (uid(3), first + 2, False),
        (uid(6), first + 3, True),
    ]
    reused = problem(results[3], 409, "uid-reused")["detail"]
    assert f"It is fact 3 of its stream, position {first + 2}" in reused
    assert problem(results[4], 409, "not-opened")["uid"] == uid(5)
    assert rows("SELECT count(*) FROM fact WHERE stream LIKE %s", ["aurora/EOU-%"]) == [(4,)]

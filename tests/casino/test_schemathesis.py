"""The program schemathesis sends requests to the whole API. Every request, by every role, gets an answer that
the schema describes, and never a 500.

Some values are on both sides of each limit of a parameter or body. These are always the same. Other values
are random. `make long` sends all requests as every role. Otherwise the role with the most rights sends a part
of them, and the other roles take turns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache
from itertools import cycle, islice
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given
from hypothesis import settings as examples
from schemathesis.core.failures import FailureGroup
from schemathesis.generation import GenerationMode
from schemathesis.generation.case import Case

from casino.accounts import services as accounts
from casino.api import throttle
from casino.api.lists import LISTS
from casino.presentation.problem_document import TYPE
from casino.wsgi import application
from tests.casino.conftest import ROLES, Cast, one_connection
from tests.casino.lists import recorded_lists
from tests.casino.test_kept import DAY, keep
from tests.casino.test_schema import addresses, schema
from tests.counts import LONG
from tests.furnished import furnishing

MADE_UP = 25 if LONG else 1
"""Number of random cases for each mode at each endpoint."""
FIRST = {"post:facts": "gateway", "export": "Alma"}
"""For two scopes: the user who may do most with a token of that scope. For all other scopes, this user is the
internal auditor.
"""
STEP = 9
"""`make test` tries every ninth case, and begins with a different case at each address."""
EVERY = 4
"""`make test` sends random cases only to every fourth address."""
LIKE_ANOTHER = {f"/api/v1/{name}" for name in (set(LISTS) - {"facts", "findings"}) | {"hold"}}
"""Endpoints for which `make test` tries few cases, because other endpoints with the same view are tried with
many.
"""
AUDITOR = "Igor"
EVERYBODY = (*ROLES, "gateway", "nobody")
LINES = "application/x-ndjson"
"""The content type of facts posted as lines. Cases with this content type are skipped, because test_api.py
tests them.
"""
ONE_KIND = "TableOpened"
NOT_KEPT = {"positive_data_acceptance"}
"""Checks of schemathesis that are turned off. The schema cannot express that `from` is before `to`, or which
groupings a report has. A request that is valid by the schema may therefore be refused.
"""


@furnishing
def full_ledger() -> tuple[Cast, dict[str, str]]:
    """Record a ledger with data for every endpoint. Issue a token with all scopes for each user."""
    cast = recorded_lists()
    keep(DAY)
    tokens = {name: accounts.issue_token(made_by="m-101", person=id) for name, id in ROLES.items()}
    return cast, tokens | {"gateway": str(cast.logins["gateway"].token)}


@cache
def loaded() -> Any:
    """Return the API's schema as schemathesis reads it. Except in `make long`, one kind of fact represents
    all kinds.
    """
    document = deepcopy(schema())
    if not LONG:  # all fifty kinds with all their fields take a minute, so one of them represents the others
        taken = document["paths"]["/api/v1/facts"]["post"]["requestBody"]["content"]["application/json"]
        taken["schema"]["items"] = {"$ref": f"#/components/schemas/{ONE_KIND}"}
    return read(document)


def read(document: dict[str, Any]) -> Any:
    schema = schemathesis.openapi.from_dict(document)
    schema.app = application
    schema.config.generation.update(with_security_parameters=False)
    for name in NOT_KEPT:
        getattr(schema.config.checks, name).enabled = False
    return schema


@pytest.fixture
def without_limits(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Turn off the limits of requests and of wrong tokens, which test_api.py tests."""
    settings.API_RATE = settings.API_ADDRESS_RATE = 10**9
    monkeypatch.setattr(throttle, "GUESSES", 10**9)


def asking(tokens: dict[str, str], scopes: list[str], by_turns: bool) -> Callable[[Case], None]:
    """Return a function that sends a request as every user, or as two users of whom the second changes each
    time. It checks that each answer fits the schema.
    """
    first = next((FIRST[scope] for scope in scopes if scope in FIRST), AUDITOR)
    turns = cycle(name for name in EVERYBODY if name != first)

    def ask(case: Case) -> None:
        for name in (first, next(turns)) if by_turns else EVERYBODY:
            headers = {"Authorization": f"Bearer {tokens[name]}"} if name in tokens else {}
            answer = case.call(headers=headers)
            case.validate_response(answer, headers=headers)
            if answer.status_code >= 400:
                assert answer.headers["content-type"] == [TYPE], (name, answer.content[:300])
            if name == "nobody" and case.method == case.operation.method.upper():
                assert answer.status_code in (401, 404), answer.content[:300]  # 404: no such path

    return ask


@pytest.mark.parametrize("path", addresses())
def test_every_request_is_answered_as_the_schema_says(
    full_ledger: tuple[Cast, dict[str, str]], path: str, without_limits: None
) -> None:
    for method in loaded()[path]:
        operation = loaded()[path][method]
        scopes = schema()["paths"][path][method.lower()]["security"][0].get("token", [])
        # Fifty kinds of facts, and several similar lists, have thousands of cases, so users take turns here
        # in `make long`, too.
        ask = asking(full_ledger[1], scopes, not LONG or path in LIKE_ANOTHER or scopes == ["post:facts"])
        with one_connection():
            for case in at_the_bounds(operation, path):
                ask(case)
            if not LONG and addresses().index(path) % EVERY:
                continue
            made_up(operation, GenerationMode.POSITIVE, ask)
            if operation.body or list(
                operation.iter_parameters()
            ):  # a request without parameters cannot be invalid
                made_up(operation, GenerationMode.NEGATIVE, ask)


def at_the_bounds(operation: Any, path: str) -> Iterator[Case]:
    config = operation.schema.config.generation
    all_cases = operation.schema.iter_coverage_cases(
        operation, generation_modes=list(GenerationMode), generation_config=config
    )
    cases = (case for case in all_cases if case.media_type != LINES)
    if LONG:
        yield from cases
    elif path not in LIKE_ANOTHER:
        yield from islice(cases, addresses().index(path) % STEP, None, STEP)


def made_up(operation: Any, mode: GenerationMode, ask: Callable[[Case], None]) -> None:
    @examples(
        max_examples=MADE_UP,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(operation.as_strategy(mode))
    def ask_unless_lines(case: Case) -> None:
        if case.media_type != LINES:
            ask(case)

    ask_unless_lines()


def test_a_schema_that_promises_a_missing_field_is_found(
    full_ledger: tuple[Cast, dict[str, str]],
) -> None:
    document = deepcopy(schema())
    answer = document["paths"]["/api/v1/"]["get"]["responses"]["200"]["content"]["application/json"]
    answer["schema"]["required"].append("luck")
    ask = asking(full_ledger[1], [], by_turns=True)
    with pytest.raises(FailureGroup, match="luck"):
        made_up(read(document)["/api/v1/"]["GET"], GenerationMode.POSITIVE, ask)

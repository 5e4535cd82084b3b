"""The schema of the REST API describes every address with its parameters and answers. Every error under /api/
is a problem document (RFC 9457).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from io import StringIO
from typing import Any

import jsonschema
import pytest
from django.core.management import call_command
from django.test import Client
from drf_spectacular.generators import SchemaGenerator
from msgspec import json

from audit.facts import KINDS
from audit.facts.refusal_codes import REFUSALS
from audit.facts.vocabulary import ADJUSTED, DISPOSITIONS
from audit.reference import examples
from casino.accounts import services as accounts
from casino.api import shapes as shapes_of_the_door
from casino.presentation.problem_document import TYPE
from games import GAMES
from games.kit.codes import GRADE
from games.kit.currencies import CURRENCIES
from tests.casino.conftest import ROLES, Api, Cast
from tests.casino.test_api import problem
from tests.casino.test_roles import _paths as paths
from tests.furnished import furnishing
from tests.manage import PROJECT

DOOR = "/api/v1/"
PAGES = {"docs/"}
"""Addresses under the API that are not endpoints."""


@cache
def schema() -> dict[str, Any]:
    return json.decode(json.encode(SchemaGenerator().get_schema(public=True)))  # type: ignore[no-any-return]


@cache
def addresses() -> list[str]:
    """Return the path of every address of the API, in the notation of the schema."""
    from casino.api.urls import urlpatterns

    found_paths = {re.sub("<(?:[a-z]+:)?", "{", path).replace(">", "}") for path in paths(urlpatterns, "")}
    return sorted(f"{DOOR}{path}" for path in found_paths - PAGES)


def operations() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every operation of the API, such as `GET /api/v1/facts`, with the schema's description of it."""
    for path, methods in schema()["paths"].items():
        for method, operation in methods.items():
            yield f"{method.upper()} {path}", operation


def shapes() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each content type that the schema describes, for request bodies and answers. Each has a name, for
    error messages, and its description.
    """
    for name, operation in operations():
        yield from (
            (f"{name} takes {form}", content)
            for form, content in operation.get("requestBody", {}).get("content", {}).items()
        )
        for status, answer in operation["responses"].items():
            yield from (
                (f"{name} gives {status} {form}", content)
                for form, content in answer.get("content", {}).items()
            )
    for name, answer in schema()["components"]["responses"].items():
        yield from ((name, content) for content in answer["content"].values())


def test_the_schema_is_valid_and_nothing_in_it_is_guessed() -> None:
    written = StringIO()
    call_command("spectacular", validate=True, fail_on_warn=True, stdout=written)
    assert written.getvalue().startswith("openapi: 3.1.0\n")


def test_the_schema_that_is_a_file_of_the_release_is_the_current_one() -> None:
    """Test that `docs/openapi.json` is current. `manage.py spectacular --format openapi-json --file
    docs/openapi.json` writes it.
    """
    written = StringIO()
    call_command("spectacular", format="openapi-json", stdout=written)
    file = PROJECT / "docs" / "openapi.json"
    assert written.getvalue().strip() == file.read_text(encoding="utf-8").strip()


def test_every_address_of_the_api_is_in_the_schema() -> None:
    assert addresses() == sorted(schema()["paths"])


def test_every_endpoint_has_a_summary_and_a_description() -> None:
    for name, operation in operations():
        assert operation["summary"], name
        assert len(operation["description"].split("\n\nScope: ")[0]) > 20, name
        for parameter in operation.get("parameters", []):
            assert parameter["description"], (name, parameter["name"])


def test_every_tag_has_a_description() -> None:
    tags = {tag["name"] for tag in schema()["tags"]}
    assert {tag for _, operation in operations() for tag in operation["tags"]} == tags
    assert "Retry-After" in schema()["info"]["description"]


def test_every_endpoint_has_examples_of_requests_and_answers() -> None:
    bare = [
        name
        for name, content in shapes()
        if "/json" in name and "example" not in content and not content.get("examples")
    ]
    assert bare == []


def test_every_example_fits_its_schema() -> None:
    wrong = []
    for name, content in shapes():
        examples = (
            [content["example"]]
            if "example" in content
            else [example["value"] for example in content.get("examples", {}).values()]
        )
        checker = jsonschema.Draft202012Validator(
            content["schema"] | {"components": schema()["components"]},
            format_checker=jsonschema.FormatChecker(),
        )
        wrong += [(name, error.message) for example in examples for error in checker.iter_errors(example)]
    for name, examples in operations():
        for content in examples.get("parameters", []):
            checker = jsonschema.Draft202012Validator(content["schema"])
            for example in content.get("examples", {}).values():
                wrong += [
                    (name, content["name"], error.message) for error in checker.iter_errors(example["value"])
                ]
    assert wrong == []


def test_every_endpoint_but_the_open_ones_names_its_scope_and_its_problems() -> None:
    for name, operation in operations():
        statuses = set(operation["responses"])
        assert {"400", "401", "429", "503"} <= statuses, name
        assert ("403" in statuses) == (name != "GET /api/v1/"), name
        assert operation["security"][0]["token"] or name in ("GET /api/v1/", "GET /api/v1/schema"), (
            f"{name} is for tokens of any scope"
        )
        assert ("404" in statuses) or "{" not in name, name
        assert not statuses & {"500"}, name
        for status, answer in operation["responses"].items():
            if status >= "400":
                assert answer == {"$ref": f"#/components/responses/Problem{status}"}, (name, status)


def test_every_kind_of_fact_is_described_with_its_fields_units_words_and_an_example() -> None:
    parts = schema()["components"]["schemas"]
    assert {
        kind: ref.rpartition("/")[2] for kind, ref in parts["Fact"]["discriminator"]["mapping"].items()
    } == {kind: shape.__name__ for kind, shape in KINDS.items()}
    for kind, shape in KINDS.items():
        schema_of_kind = parts[shape.__name__]
        assert schema_of_kind["description"], kind
        assert schema_of_kind["examples"] == [examples.example(kind)]
        for name, field in schema_of_kind["properties"].items():
            inner = [field, *field.get("anyOf", [])]
            assert name == "kind" or any(part.get("description") for part in inner), (kind, name)
    assert parts["Adjusted"]["properties"]["what"]["enum"] == list(ADJUSTED)
    assert parts["TableOpened"]["properties"]["currency"]["enum"] == list(CURRENCIES)
    assert parts["TableOpened"]["properties"]["game"]["enum"] == list(GAMES)
    assert set(parts["TableOpened"]["properties"]["sees"]["items"]["enum"]) == set(KINDS)
    assert "minor units" in parts["Bet"]["properties"]["amount"]["description"]
    (disposition,) = [
        schema for schema in parts["VerdictGiven"]["properties"]["disposition"]["anyOf"] if "enum" in schema
    ]
    assert disposition["enum"] == list(DISPOSITIONS)


def test_every_code_of_a_finding_is_listed_with_what_it_means() -> None:
    parts = schema()["components"]["schemas"]
    code = parts["FindingCode"]
    assert code["enum"] == list(code["x-enum-descriptions"]) == list(GRADE)
    assert all(means and means in code["description"] for means in code["x-enum-descriptions"].values())
    row = parts["FindingRow"]["properties"]
    assert row["code"] == {"$ref": "#/components/schemas/FindingCode"}
    assert row["grade"]["enum"] == ["integrity", "money", "outcome", "procedure", "notice"]
    assert all(
        "description" in column
        for name, column in row.items()
        if name not in ("code", "owed_amount", "moved_amount")
    )
    assert all(refusal in parts["Problem"]["properties"]["code"]["description"] for refusal in REFUSALS)


def test_two_schemas_have_two_names() -> None:
    assert (
        shapes_of_the_door.named("Problem", shapes_of_the_door.NAMED["Problem"]) == shapes_of_the_door.PROBLEM
    )
    with pytest.raises(ValueError, match="another shape is already called Problem"):
        shapes_of_the_door.named("Problem", shapes_of_the_door.TEXT)


@furnishing
def schema_house() -> Cast:
    return Cast()


def door(name: str = "Alma", **options: Any) -> Api:
    return Api(accounts.issue_token(made_by="m-101", person=ROLES[name], **options))


def test_only_users_with_a_role_read_the_schema_by_token_or_login(schema_house: Cast) -> None:
    for name in ROLES:
        expected = 403 if name == "Eve" else 200
        assert door(name).get("/api/v1/schema").status_code == expected, name
        assert schema_house.browser(name).get("/api/v1/schema").status_code == expected, name
        assert schema_house.browser(name).get("/api/v1/docs/").status_code == expected, name
    assert Api(schema_house.logins["gateway"].token).get("/api/v1/schema").json() == schema()
    problem(Client().get("/api/v1/schema"), 401, "not-authenticated")
    assert Client().get("/api/v1/docs/")["Location"] == "/login/?next=/api/v1/docs/"
    assert "You cannot open this page" in schema_house.browser("Eve").get("/api/v1/docs/").content.decode(), (
        "a page says no as pages do"
    )
    answer = schema_house.browser("Alma").post("/api/v1/docs/")
    assert (problem(answer, 405, "method-not-allowed")["status"], answer["Allow"]) == (405, "GET, HEAD")


def test_the_page_of_the_schema_alone_may_style_itself_and_no_page_loads_from_elsewhere(
    schema_house: Cast,
) -> None:
    alma = schema_house.browser("Alma")
    policy = alma.get("/api/v1/docs/")["Content-Security-Policy"]
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert (rules["style-src"], rules["img-src"]) == ("'self' 'unsafe-inline'", "'self' data:")
    assert (rules["default-src"], rules["script-src"], rules["connect-src"]) == ("'none'", "'self'", "'self'")
    for page in ("/reports/", "/api/v1/schema", "/help/"):
        assert "unsafe" not in alma.get(page)["Content-Security-Policy"], page


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("get", "/api", 404, "not-found"),
        ("get", "/api/", 404, "not-found"),
        ("get", "/api/v2/facts", 404, "not-found"),
        ("get", "/api/v1/nothing", 404, "not-found"),
        ("get", "/api/v1/tables/aurora/NO-99", 404, "not-found"),
        ("get", "/api/v1/reports/%00", 404, "not-found"),
        ("get", "/api/v1/tables/aurora/%00", 404, "not-found"),
        ("get", "/api/v1/tables/aurora/%FF", 404, "not-found"),
        ("delete", "/api/v1/facts", 405, "method-not-allowed"),
        ("post", "/api/v1/", 405, "method-not-allowed"),
        ("put", "/api/v1/reports/hold", 405, "method-not-allowed"),
        ("post", "/api/v1/schema", 405, "method-not-allowed"),
        ("get", "/api/v1/?colour=red", 400, "unknown-parameter"),
        ("get", "/api/v1/reports/hold?from=2026-11-01&from=2026-11-02", 400, "given-twice"),
        ("get", "/api/v1/reports/kept?before=%C2%B2", 400, "before"),
        ("get", "/api/v1/reports/hold?property=aurora%00", 400, "property"),
        ("get", "/api/v1/reports/hold?by=%00", 400, "by"),
        ("get", f"/api/v1/reports/hold?by={'x' * 3000}", 400, "by"),
    ],
)
def test_every_error_of_the_api_is_a_problem_document(
    schema_house: Cast, method: str, path: str, status: int, code: str
) -> None:
    alma = door()
    answer = getattr(alma.client, method)(path, headers=alma.headers)
    body = problem(answer, status, code)
    assert ("Allow" in answer) or status != 405
    assert ("field" in body) == (status == 400)


def test_another_content_type_is_a_problem_document(gateway: Api) -> None:
    for form in ("text/csv", "multipart/form-data; boundary=x", ""):
        problem(gateway.send(b"x", form), 415, "unknown-form")


def test_an_unknown_host_name_is_a_problem_document(schema_house: Cast) -> None:
    answer = door().client.get("/api/v1/reports/hold", headers={"Host": "elsewhere.example"})
    assert (answer.status_code, answer["Content-Type"]) == (400, TYPE)

"""The OpenAPI document of the REST API, and the parts that all endpoints share.

Each operation gets its name, its scope, and the problems that any request may cause. Shared parts are
components, which are defined once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema

from casino.api import shapes
from casino.presentation.problem_document import TITLES, TYPE

DESCRIPTION = """The REST API of Catwalk: post facts, and read what was recorded, found and reported.

**Authentication.** `Authorization: Bearer cw_…`, with a token of a person or of a device. A scope limits a
token to a part of its bearer's permissions. Downloads are recorded in the viewing log. Too many requests
are answered with 429, and `Retry-After` says when to try again. `Catwalk-Token-Expires` says when the
token ends, and `Catwalk-Token-Days-Left` how many days are left if it ends soon. A device may instead sign
its requests (RFC 9421, Ed25519) with a key of the register `devices`.

**Values.** Amounts and ids are text: a decimal with all digits of its currency, never rounded. Days are
gaming days; `from` is inclusive, `to` exclusive. Timestamps are RFC 3339. Unknown parameters are refused,
not ignored.

**Lists** continue with `cursor`: no row is skipped or repeated, even if facts are recorded meanwhile. With
`as_of`, a position of the ledger, a list shows what was known then. If an answer has an `ETag`, a request
with it as `If-None-Match` gets 304 until something changes.

**Errors** are problem documents (RFC 9457): `code` is for programs, `detail` for people, and `field` names
the parameter or field.
"""
JSON = "application/json"
TAGS = {
    "token": "The token, its bearer, and the addresses of the API.",
    "facts": "Recorded facts, and posting new ones.",
    "rounds": "Rounds as they were played and settled.",
    "ledger": "The head of the ledger: its position and the hash of the chain.",
    "findings": "Findings of the rules and checks.",
    "verdicts": "Decisions of surveillance on findings.",
    "log": "The daily log of surveillance.",
    "tallies": "The sums that reports are made from.",
    "hold": "Win over drop.",
    "fills": "Chips sent to tables.",
    "credits": "Chips returned to the cage.",
    "counts": "Openers, closers and boxes.",
    "adjustments": "Changes to closed days, with reason and signers.",
    "certificates": "The exact odds of every wager.",
    "reports": "Reports as of now or of a position, and archived exports.",
    "exports": "Archived exports with manifests: order, download, verify.",
    "journal": "Closed days as entries for accounting.",
    "tables": "The current stream of a table, for clients that post.",
    "checkpoints": "Signed checkpoints of a ledger, and proofs between two of them.",
    "schema": "This schema.",
    "events": "The stream of events that webhooks receive.",
    "alerts": "Alerts that rules have raised.",
    "cases": "Cases of surveillance: the list, one case, and its changes.",
    "deliveries": "What was sent by webhook and mail.",
    "webhooks": "Webhooks, their tests and replays.",
}
"""The sections of the documentation, in order. For each first segment of a path: the section's description.
"""
PROBLEM_DESCRIPTIONS = {
    400: "A parameter or the body is invalid; `field` names it.",
    401: "The token is missing, unknown, revoked or expired.",
    403: "The token lacks the scope, its bearer lacks the permission, or this address may not use it.",
    404: "Nothing exists at this address, or the bearer may not see it.",
    405: "The address does not support the method; `Allow` lists those that it does.",
    409: "The request conflicts with what is recorded, or the content is not ready yet.",
    412: "The resource has changed since then.",
    413: "The body is too long.",
    415: "The content type of the body is not supported.",
    416: "The file does not have the requested bytes.",
    422: "A fact cannot be recorded; `index` and `field` say what is wrong in it, and `why` the reason.",
    429: "Too many requests; `Retry-After` says after how many seconds to try again.",
    503: "The database does not answer; send the same request again.",
}
EXAMPLE_CODES = {
    400: "day",
    401: "not-authenticated",
    403: "no-right",
    404: "not-found",
    405: "method-not-allowed",
    409: "not-finished",
    412: "changed",
    413: "too-large",
    415: "unknown-form",
    416: "no-such-bytes",
    422: "unknown-kind",
    429: "throttled",
    503: "no-ledger",
}
"""For each error status: a code that it may have, for use in the example."""


HEADERS = {
    "RateLimit-Policy": 'The limit of the token, such as `"token";q=600;w=60`: 600 requests in 60 seconds.',
    "RateLimit": 'Remaining requests: `"token";r=599;t=42` means 599 requests in the next 42 seconds.',
    "Catwalk-Token-Expires": "The time at which the token ends (RFC 3339, UTC), if it has an end.",
    "Catwalk-Token-Days-Left": "The days that are left, if the token ends soon.",
}
"""The headers of every answer to a valid token (IETF draft `draft-ietf-httpapi-ratelimit-headers`)."""
RETRY_AFTER = {"Retry-After": "The number of seconds to wait until the next request."}
WITHOUT_TOKEN, TOO_MANY = 401, 429
MOST_OF_32_BITS = 2**31 - 1


class OperationSchema(AutoSchema):
    """Builds the documentation of one operation (a method of an endpoint) for the OpenAPI document."""

    def get_operation(self, path: str, path_regex: str, path_prefix: str, method: str, registry: Any) -> Any:
        """Return the documentation of an operation: what its method declares with `described`, and what
        applies to all operations.
        """
        operation = super().get_operation(path, path_regex, path_prefix, method, registry)
        if operation is None:
            return None
        parameters, body = operation.get("parameters", []), "requestBody" in operation
        statuses = {400, 401, 429, 503, *operation.pop("x-problems", ())}
        if scope := self._scope():
            statuses.add(403)
            operation["description"] = f"{operation.get('description', '')}\n\nScope: `{scope}`.".strip()
        if any(parameter["in"] == "path" for parameter in parameters):
            statuses.add(404)
        if body:
            statuses |= {413, 415}
        operation["responses"] |= {
            str(status): {"$ref": f"#/components/responses/Problem{status}"} for status in sorted(statuses)
        }
        operation["responses"] = dict(sorted(operation["responses"].items()))
        return operation

    def get_operation_id(self) -> str:
        """Return the operation's name, derived from method and path, such as `get-reports-name`."""
        parts = [part.strip("{}") for part in self.path.removeprefix("/api/v1/").split("/") if part]
        return "-".join([self.method.lower(), *(parts or ["index"])])

    def get_tags(self) -> list[str]:
        """Return the first segment of the path as the operation's only tag."""
        return [self.path.removeprefix("/api/v1/").split("/")[0] or "token"]

    def _scope(self) -> str:
        for permission in self.view.permission_classes:
            if scope := getattr(permission, "scope", "") or getattr(permission, "scopes", {}).get(
                self.method, ""
            ):
                return str(scope)
        return ""


class TokenScheme(OpenApiAuthenticationExtension):
    """The description of token authentication in the schema."""

    target_class = "casino.api.bearer.BearerToken"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        """Return the bearer scheme of RFC 6750."""
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "A token of a person or of a device: `Authorization: Bearer cw_…`.",
        }

    def get_security_requirement(self, auto_schema: Any) -> dict[str, list[str]]:
        """Return the scope that the token needs."""
        scope = auto_schema._scope()
        return {self.name: [scope] if scope else []}


def add_components(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Complete the OpenAPI document. Add its description, its tags, and the components to which operations
    refer: shapes, problem answers and headers.
    """
    parts = result["components"]
    parts["schemas"] = dict(sorted((parts.get("schemas", {}) | shapes.NAMED).items()))
    used = {
        tag
        for methods in result["paths"].values()
        for operation in methods.values()
        for tag in operation["tags"]
    }
    result["info"]["description"] = DESCRIPTION
    result["info"]["license"] = {"name": "Apache 2.0", "identifier": "Apache-2.0"}
    result["tags"] = [{"name": tag, "description": says} for tag, says in TAGS.items() if tag in used]
    answered = {
        status
        for methods in result["paths"].values()
        for operation in methods.values()
        for status in operation["responses"]
    }
    parts["responses"] = {
        f"Problem{status}": _problem(status, says)
        for status, says in PROBLEM_DESCRIPTIONS.items()
        if str(status) in answered
    }
    parts["headers"] = {
        name: {"description": says, "schema": {"type": "string"}}
        for name, says in sorted((HEADERS | RETRY_AFTER).items())
    }
    for methods in result["paths"].values():
        for operation in methods.values():
            for response in operation["responses"].values():
                if "$ref" not in response:
                    response["headers"] = response.get("headers", {}) | _references(HEADERS)
    result["servers"] = [{"url": "/", "description": "The server from which this document was loaded."}]
    readable: dict[str, Any] = _as_generators_read(result)
    return readable


def _as_generators_read(node: Any) -> Any:
    """Return the document in a form that client generators can read.

    A list of fixed length keeps its `prefixItems`, `minItems` and `maxItems`. Its `items` becomes the
    alternatives in `prefixItems`, because generators and linters reject the value `false`. If a body has
    several content types, JSON comes first, because generators use only the first. An integer that may need
    more than 32 bits gets the format `int64`, because generators for Go and Java use 32 bits by default. A
    value that is a text or a list of texts gets two types in place of `anyOf`, because Java's generator
    cannot make a class of such an `anyOf`.
    """
    if isinstance(node, list):
        return [_as_generators_read(part) for part in node]
    if not isinstance(node, dict):
        return node
    parts = {name: _as_generators_read(part) for name, part in node.items()}
    alternatives = parts.get("anyOf")
    if isinstance(alternatives, list) and (joined := _joined(alternatives)):
        del parts["anyOf"]
        parts = joined | parts
    if isinstance(shapes_of_items := parts.get("prefixItems"), list):
        different = [
            shape for place, shape in enumerate(shapes_of_items) if shape not in shapes_of_items[:place]
        ]
        parts["items"] = different[0] if len(different) == 1 else {"anyOf": different}
    if parts.get("type") in ("integer", ["integer", "null"]):
        bounds = parts.get("minimum", -MOST_OF_32_BITS), parts.get("maximum", 2**63)
        if max(map(abs, bounds)) > MOST_OF_32_BITS:
            parts["format"] = "int64"
    content = parts.get("content")
    if isinstance(content, dict) and JSON in content:
        parts["content"] = {JSON: content[JSON]} | content
    return parts


def _joined(alternatives: list[Any]) -> dict[str, Any]:
    """Return one shape with several types for these alternatives of an `anyOf`: a text or a list of texts,
    with or without null. Return an empty shape for all other alternatives.
    """
    types = [shape.get("type") for shape in alternatives]
    joined: dict[str, Any] = {}
    if types == ["string", "array"]:
        joined = alternatives[1] | {"type": types}
    elif alternatives[1:] == [{"type": "null"}] and types[0] == ["string", "array"]:
        joined = alternatives[0] | {"type": [*types[0], "null"]}
    return joined


def _references(headers: Mapping[str, str]) -> dict[str, Any]:
    """Return {header: reference to its definition} for these headers, which `components` defines."""
    return {name: {"$ref": f"#/components/headers/{name}"} for name in headers}


def _problem(status: int, says: str) -> dict[str, Any]:
    code = EXAMPLE_CODES[status]
    title = TITLES.get(status, "Error")
    example = {
        "type": f"urn:catwalk:{code}",
        "title": title,
        "status": status,
        "detail": says.replace("`", ""),
        "code": code,
    }
    known = {} if status == WITHOUT_TOKEN else HEADERS
    headers = _references(known | (RETRY_AFTER if status == TOO_MANY else {}))
    return {
        "description": says,
        "headers": headers,
        "content": {TYPE: {"schema": shapes.PROBLEM, "example": example}},
    }

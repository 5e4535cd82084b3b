"""The OpenAPI document of the REST API, with what all endpoints share.

Each operation gets its name, its scope, and the problems that every request can meet; shared parts are
components, defined once.
"""

from __future__ import annotations

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema

from casino.api import shapes
from casino.api.problems import TITLES, TYPE

ABOUT = """The REST door of the house: facts in, and what was recorded, found and added up out.

**Who asks.** `Authorization: Bearer cw_…`: a token of a person or of a device. A scope lets a token do no more than its bearer may;
what is taken away stands in the viewing log. Too many requests are answered 429, and `Retry-After` says when to come again.

**What is said.** Amounts and ids are text: a decimal with all digits of its currency, nothing is rounded on the way. Days are gaming
days, `from` is in and `to` is not. Instants are RFC 3339. Parameters that an address has not are refused, never passed over.

**Lists** go on by `cursor`: nothing is skipped and nothing comes twice, whatever is recorded meanwhile. `as_of` a position of the
ledger asks what was known then. Where an answer has an `ETag`, `If-None-Match` gets 304 while nothing has changed.

**Errors** are problem documents (RFC 9457): `code` is for programs, `detail` for people, `field` says what it is about.
"""
TAGS = {
    "door": "Who the token is of, and what there is.",
    "facts": "What was recorded, as it was recorded; and the way in.",
    "rounds": "Rounds as they were played and settled.",
    "ledger": "Where the ledger stands: its position and the chain's hash there.",
    "findings": "What the rules find.",
    "verdicts": "What surveillance decided on it.",
    "tallies": "What every report adds up.",
    "hold": "Win over drop.",
    "fills": "Chips to the tables.",
    "credits": "Chips back to the cage.",
    "counts": "Openers, closers and boxes.",
    "adjustments": "What was changed of closed days, why and by whom.",
    "certificates": "The exact odds of every wager.",
    "reports": "Every report, now or as it was; and what is kept of them.",
    "exports": "Files that are made, kept, proven and fetched once more.",
    "journal": "Closed days as accounting books them.",
    "tables": "Where a table stands, for who is about to post.",
    "schema": "This schema.",
}
"""The first word of an address, and what is found there, in the order in which one reads it."""
SAYS = {
    400: "A parameter or the body cannot be read; `field` says which.",
    401: "There is no token, or it is unknown, revoked or over.",
    403: "The token lacks the scope, or its bearer the right.",
    404: "There is nothing at this address, or nothing that the bearer may see.",
    405: "Another method; `Allow` names those that there are.",
    409: "It stands otherwise already, or is not there yet.",
    412: "It has changed since.",
    413: "Longer than is read at once.",
    415: "The body is in a form that is not read here.",
    416: "The file has no such bytes.",
    422: "A fact that cannot be recorded; `index`, `field` and `why` say which and why.",
    429: "Too often; `Retry-After` says in how many seconds again.",
    503: "The database does not answer; send the same again.",
}
CODES = {
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
"""A code that may stand there, for the example."""


class HouseSchema(AutoSchema):
    """The documentation of an operation."""

    def get_operation(self, path: str, path_regex: str, path_prefix: str, method: str, registry: Any) -> Any:
        """Return the operation with the method's own documentation and what is true of all operations."""
        operation = super().get_operation(path, path_regex, path_prefix, method, registry)
        if operation is None:
            return None
        parameters, body = operation.get("parameters", []), "requestBody" in operation
        statuses = {400, 401, 429, 503, *operation.pop("x-problems", ())}
        if scope := self._scope():
            statuses.add(403)
            operation["description"] = f"{operation.get('description', '')}\n\nScope: `{scope}`.".strip()
        if any(each["in"] == "path" for each in parameters):
            statuses.add(404)
        if body:
            statuses |= {413, 415}
        operation["responses"] |= {
            str(status): {"$ref": f"#/components/responses/Problem{status}"} for status in sorted(statuses)
        }
        operation["responses"] = dict(sorted(operation["responses"].items()))
        return operation

    def get_operation_id(self) -> str:
        """Return the operation's name, from method and path: `get-reports-name`."""
        parts = [part.strip("{}") for part in self.path.removeprefix("/api/v1/").split("/") if part]
        return "-".join([self.method.lower(), *(parts or ["index"])])

    def get_tags(self) -> list[str]:
        """Return the first segment of the path."""
        return [self.path.removeprefix("/api/v1/").split("/")[0] or "door"]

    def _scope(self) -> str:
        for each in self.view.permission_classes:
            if scope := getattr(each, "scope", "") or getattr(each, "scopes", {}).get(self.method, ""):
                return str(scope)
        return ""


class TokenScheme(OpenApiAuthenticationExtension):
    """A token, as the schema has it."""

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


def with_parts(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Add the components, shared shapes and problems, to the finished document."""
    parts = result["components"]
    parts["schemas"] = dict(sorted((parts.get("schemas", {}) | shapes.NAMED).items()))
    used = {tag for methods in result["paths"].values() for told in methods.values() for tag in told["tags"]}
    result["info"]["description"] = ABOUT
    result["tags"] = [{"name": tag, "description": says} for tag, says in TAGS.items() if tag in used]
    parts["responses"] = {f"Problem{status}": _problem(status, says) for status, says in SAYS.items()}
    return result


def _problem(status: int, says: str) -> dict[str, Any]:
    code = CODES[status]
    title = TITLES.get(status, "Cannot be done")
    example = {
        "type": f"urn:catwalk:{code}",
        "title": title,
        "status": status,
        "detail": says.replace("`", ""),
        "code": code,
    }
    return {"description": says, "content": {TYPE: {"schema": shapes.PROBLEM, "example": example}}}

"""The list of error codes in the API guide has exactly the codes that the API can answer with."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from casino.runtime import outages
from casino.runtime.operations.refusals import REFUSALS
from tests.house.test_docs import PROJECT

OF_THE_FRAMEWORK = {"authentication-failed", "permission-denied", "throttled"}
"""Codes of Django REST framework for requests without a valid token, without a scope, and beyond a limit."""
ROW = re.compile(r"^\| `([a-z-]+)` \| (\d{3}) \|", re.MULTILINE)


def listed() -> dict[str, int]:
    guide = (PROJECT / "docs" / "api.md").read_text().partition("\n## Errors\n")[2]
    return {code: int(status) for code, status in ROW.findall(guide)}


def raised(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the status and the code of each error that a module raises or answers with a fixed code."""
    for node in ast.walk(ast.parse(path.read_text())):
        if not isinstance(node, ast.Call) or len(node.args) < 2:
            continue
        if "read_json" in ast.unparse(node.func) and isinstance(node.args[2], ast.Constant):
            yield 400, node.args[2].value
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        status, code = (arg.value if isinstance(arg, ast.Constant) else None for arg in node.args[:2])
        if name in ("Problem", "document") and isinstance(status, int) and isinstance(code, str):
            yield status, code
        elif name == "PermissionDenied" and isinstance(code, str):
            yield 403, code


def test_the_guide_has_exactly_the_error_codes_of_the_api() -> None:
    codes = {
        code: status
        for room in ("api", "web")
        for path in (PROJECT / "casino" / room).glob("*.py")
        for status, code in raised(path)
    }
    assert len(codes) > 25
    codes |= {code: status for status, (code, _) in REFUSALS.items()}
    codes |= {outage.code: 503 for outage in vars(outages).values() if isinstance(outage, outages.Outage)}
    parameters = {"day", "cursor", "as-of", "after", "number", "by", "books", "property", "locale"}
    fields = {"what", "format", "game", "webhook"}
    guide = listed()
    assert codes.keys() - guide.keys() - parameters - fields == set()
    assert guide.keys() - codes.keys() == OF_THE_FRAMEWORK
    differ = {code: (guide[code], codes[code]) for code in codes.keys() & guide if guide[code] != codes[code]}
    assert differ == {}

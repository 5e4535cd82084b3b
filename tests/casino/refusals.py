"""Lists every refusal that a page can give. They are collected from the source: the functions that refuse,
each with its error message.

`refusals.toml` says for each refusal what happens if a file or a device sends the same data.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from tomllib import loads
from typing import NamedTuple

HERE = Path(__file__).parent
PROJECT = HERE.parent.parent
EXCEPTIONS = frozenset({"ActionRejected", "ValidationError"})
"""Exceptions that actions and forms raise to refuse a request."""
PARSED = "ParsedField"
"""Class of the fields that refuse a text with a sentence of their own."""
HOLDS_UP = "Blocker"
"""Class of the reasons why a day cannot be closed. The page shows the sentence of each reason."""
ACTS = (
    "casino/alerts/services.py",
    "casino/cage/services/",
    "casino/count_room/services.py",
    "casino/daily_log/services.py",
    "casino/day_close/adjustments.py",
    "casino/day_close/services.py",
    "casino/floor/services.py",
    "casino/floor/trays.py",
    "casino/reports/statistical_review.py",
    "casino/surveillance/saved_views.py",
    "casino/surveillance/services.py",
    "casino/video/services.py",
)
"""Modules whose functions require a right before they record something."""
VALUES = (
    "audit/facts/registers.py",
    "audit/replay/accounts.py",
    "audit/replay/approvals.py",
    "audit/replay/register_values.py",
)
"""Modules whose ValueErrors are shown by the forms of the registers."""
RULES = ("audit/replay/devices.py", "audit/replay/entry_rules.py")
"""Modules whose error messages are shown by the forms of the registers, by `load_register` or by the REST
API.
"""
LETTERS = 90
"""The number of letters to which a sentence is cut. Every cut sentence still differs from the other sentences
of its function.
"""


class Refusal(NamedTuple):
    """A refusal in the source: its module, its function, and its error message with `…` for each inserted
    value.
    """

    module: str
    function: str
    says: str

    @property
    def key(self) -> str:
        return f"{self.function}: {self.says}"


def refusals() -> set[Refusal]:
    """Return every refusal in the source of `casino` and in the modules that `VALUES` and `RULES` list."""
    refusals_found: set[Refusal] = set()
    for path in sorted(PROJECT.joinpath("casino").rglob("*.py")) + [
        PROJECT / name for name in (*VALUES, *RULES)
    ]:
        module = path.relative_to(PROJECT).as_posix()
        for function, node in _refusals_in(module, ast.parse(path.read_bytes())):
            refusals_found.add(Refusal(module, function, sentence_of(node)[:LETTERS].strip()))
    return refusals_found


def _refusals_in(module: str, tree: ast.Module) -> Iterator[tuple[str, ast.expr | str]]:
    """Yield each function name of a module that refuses, with the syntax node of the error message."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            for node in _own(function):
                yield from ((function.name, sentence) for sentence in _sentences(module, node))
        elif isinstance(function, ast.ClassDef):
            for node in function.body:
                value = node.value if isinstance(node, ast.Assign) else None
                if isinstance(value, ast.Call) and ast.unparse(value.func) == PARSED:
                    yield function.name, value.args[1]


def _own(function: ast.AST) -> Iterator[ast.AST]:
    """Yield the syntax nodes of a function, without the nodes of functions inside it."""
    for node in ast.iter_child_nodes(function):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node
            yield from _own(node)


def _sentences(module: str, node: ast.AST) -> Iterator[ast.expr | str]:
    error = node.exc if isinstance(node, ast.Raise) else node.value if isinstance(node, ast.Return) else None
    if isinstance(error, ast.Call) and module not in RULES:
        name = ast.unparse(error.func).rpartition(".")[2]
        if name in EXCEPTIONS or (name == "ValueError" and module in VALUES):
            yield error.args[0]
    elif isinstance(node, ast.Call):
        name = ast.unparse(node.func).rpartition(".")[2]
        if name == "add_error" or name == HOLDS_UP or (name == "Problem" and module in RULES):
            yield node.args[1]
        elif name == "require" and module.startswith(ACTS):
            yield f"may not {ast.unparse(node.args[1]).strip(chr(39))}"


def sentence_of(node: ast.expr | str) -> str:
    """Return the error message that a syntax node makes, with `…` for each inserted value."""
    if isinstance(node, str):
        return node
    if isinstance(node, ast.Constant):
        return str(node.value).replace("{}", "…")
    if isinstance(node, ast.JoinedStr):
        return "".join(part.value if isinstance(part, ast.Constant) else "…" for part in node.values)  # type: ignore[misc]
    if isinstance(node, ast.Name | ast.Attribute):
        return ast.unparse(node)
    return "…"


class Outcome(NamedTuple):
    """What happens if a file or a device sends the data that a page refuses.

    `way` is `refused`, `found` (replay reports a finding) or `nothing`. `code` and `case` belong to the first
    two: the code of the refusal or finding, and the case that shows it. `why` belongs to `nothing`: the
    reason.
    """

    way: str
    code: str
    case: str
    why: str


def table() -> dict[tuple[str, str], Outcome]:
    """Return the reviewed list of `refusals.toml` by module and refusal. Its lines are `refused CODE, CASE`,
    `found CODE, CASE` or `nothing: REASON`.
    """
    rows_of_table: dict[tuple[str, str], Outcome] = {}
    for module, lines in loads((HERE / "refusals.toml").read_text(encoding="utf-8")).items():
        for key, line in lines.items():
            way, _, arguments = line.partition(" ")
            if way in ("refused", "found"):
                code, _, case = arguments.partition(", ")
                rows_of_table[module, key] = Outcome(way, code, case, "")
            else:
                rows_of_table[module, key] = Outcome("nothing", "", "", line.removeprefix("nothing: "))
    return rows_of_table

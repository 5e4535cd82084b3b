"""Find variables and parameters that do not say what they hold (docs/language.md, rule 2)."""

from __future__ import annotations

import ast
from collections.abc import Iterator

PRONOUNS = """
    all another any anything both each either everybody everything few it many mine most much neither nobody
    none nothing one other_one ours same some somebody something such that theirs them these they this those
    what which who whole whom whose
"""
ADVERBS = """
    again ahead alike alone already also always amiss apart aside away besides beyond elsewhere ever even
    here how how_many less more least never now often once only onward otherwise quite rather rest seldom so
    sometimes soon still then there together too twice very when whence where why yet
"""
PARTICIPLES = """
    asked begun brought done found given gone got had kept laid made said seen told went
"""
NAMES = frozenset((PRONOUNS + ADVERBS + PARTICIPLES).split())
"""Names that leave open what a variable holds. A noun of the field says it: `finding`, `day`, `amount`."""


def variables(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield line and name of every variable and parameter. Do not yield fields of classes, because many of
    them are contracts.
    """
    fields: set[int] = set()
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef():
                fields.update(id(target) for statement in node.body for target in _targets(statement))
            case ast.arg(arg=name, lineno=line):
                yield line, name
            case ast.Name(id=name, ctx=ast.Store(), lineno=line):
                if id(node) not in fields:
                    yield line, name
            case ast.ExceptHandler(name=str(name), lineno=line) | ast.MatchAs(name=str(name), lineno=line):
                yield line, name


def _targets(statement: ast.stmt) -> list[ast.expr]:
    match statement:
        case ast.Assign():
            return statement.targets
        case ast.AnnAssign():
            return [statement.target]
    return []

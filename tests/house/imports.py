"""Check the order of imports: a capability imports only capabilities of a lower rank, no import is circular,
and no import is hidden inside a function.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from graphlib import CycleError, TopologicalSorter

from tests.house.tidy import Source

AUDIT = (
    ("apps", "models", "binary_arrays", "garbage", "keyed_digest", "source_closure"),
    ("database",),
    ("differences", "snapshot_map"),
    ("facts",),
    ("controls",),
    ("jobs",),
    ("tree",),
    ("ledger",),
    ("replay",),
    ("review",),
    ("findings",),
    ("queries",),
    ("proofs",),
    ("reference", "fact_archive"),
    ("tasks", "management"),
)
CASINO = (
    ("sealing",),
    ("checkpoints",),
    ("models",),
    ("presentation",),
    ("accounts",),
    ("runtime",),
    ("reference",),
    ("web",),
    ("account_pages",),
    ("video",),
    ("daily_log",),
    ("count_room", "surveillance", "alerts"),
    ("cage",),
    ("cases",),
    ("reports",),
    ("floor",),
    ("boards", "day_close"),
    ("exports", "importing", "palette"),
    ("journals", "home"),
    ("proofs",),
    ("api", "admin", "sample", "templatetags"),
    ("fact_queues",),
    ("apps", "celery", "management", "settings", "tasks", "urls", "wsgi"),
)
RANKS = {
    f"{package}.{room}": rank
    for package, order in (("audit", AUDIT), ("casino", CASINO))
    for rank, rooms in enumerate(order)
    for room in rooms
}
"""For each room (a folder of a package): its rank. A room imports only rooms of a lower rank."""
OWN = ("views", "templatetags", "api")
"""Parts of a capability that other capabilities never import."""
LATE = {"casino/apps.py": ("casino.",)}
"""For each module that may import inside a function: the packages that it imports there. These imports must
wait, because Django has to load the app first.
"""
HEAVY = ("boto3", "botocore", "paramiko", "pyarrow")
"""Libraries that take long to load and that few commands need."""


def room(module: str) -> str:
    """Return the room of a module, which is the folder of a package to which the module belongs. The room of
    `casino.cage.slips.serials` is `casino.cage`.
    """
    return ".".join(module.split(".")[:2])


def module_of(source: Source) -> str:
    """Return the name under which a source is imported."""
    return source.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def edges(sources: Iterable[Source]) -> Iterator[tuple[str, str, int]]:
    """Yield the module, the imported module and the line of every import between modules of this project."""
    every = {module_of(source): source for source in sources if "/migrations/" not in source.path}
    for module, source in every.items():
        for line, name, names in source.imports:
            for target in {
                f"{name}.{imported}" if f"{name}.{imported}" in every else name for imported in names
            } or {name}:
                if target in every and target != module:
                    yield module, target, line


def upward(sources: Iterable[Source]) -> Iterator[str]:
    """Yield a message for each import of a room whose rank is not lower than the rank of the importing
    room.
    """
    for module, target, line in edges(sources):
        own, other = room(module), room(target)
        if own == other or own.split(".")[0] != other.split(".")[0] or own.startswith(("games", "tests")):
            continue
        if own not in RANKS or other not in RANKS:
            unknown = own if own not in RANKS else other
            yield f"{module}:{line}: `{unknown}` has no place in the order of imports."
        elif RANKS[other] >= RANKS[own]:
            yield f"{module}:{line}: {own} may not import {other}, which is not below it."


def foreign_views(sources: Iterable[Source]) -> Iterator[str]:
    """Yield a message for each import of another capability's views. The API, the admin and higher ranks may
    import them.
    """
    top = RANKS["casino.api"]
    for module, target, line in edges(sources):
        if (
            not module.startswith("casino.")
            or RANKS.get(room(module), top) >= top
            or room(module) == room(target)
        ):
            continue
        if any(part in OWN or part.endswith("_views") for part in target.split(".")[1:]):
            yield f"{module}:{line}: {target} belongs to another capability; move what both need below both."


def circles(sources: Iterable[Source]) -> Iterator[str]:
    """Yield a message for a circular import between modules, and one for a circular import between rooms."""
    imports = list(edges(sources))
    for level in (lambda module: module, room):
        graph: dict[str, set[str]] = {}
        for module, target, _ in imports:
            if level(module) != level(target) and not module.startswith("tests"):
                graph.setdefault(level(module), set()).add(level(target))
        try:
            TopologicalSorter(graph).prepare()
        except CycleError as error:
            yield f"{' -> '.join(error.args[1])} is a circle of imports."


def hidden(sources: Iterable[Source]) -> Iterator[str]:
    """Yield a message for each import inside a function. Tests are not checked."""
    for source in sources:
        if source.top not in ("games", "audit", "casino") or "/migrations/" in source.path:
            continue
        imports = (node for node in source.nodes if isinstance(node, (ast.Import, ast.ImportFrom)))
        if not any(node.col_offset for node in imports):
            continue  # no import is indented, so none is inside a function
        for node in source.nodes:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                for inner in ast.walk(node):
                    if isinstance(inner, ast.Import | ast.ImportFrom):
                        name = inner.names[0].name if isinstance(inner, ast.Import) else inner.module or ""
                        allowed = LATE.get(source.path, ()) + HEAVY
                        if not name.startswith(allowed):
                            yield f"{source.path}:{inner.lineno}: `{name}` is imported inside a function."

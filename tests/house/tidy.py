"""Checks of this project's source. A check takes one source and yields a message for each violation: where it
is, and what to do about it.
"""

import ast
import re
import sys
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path

TOPS = ("games", "audit", "casino", "tests")
MAY_IMPORT = {
    "games": {"games"},
    "audit": {"audit", "games"},
    "casino": {"casino", "audit", "games"},
    "tests": set(TOPS),
}
FUNCTION_LINES, MODULE_LINES, GAME_LINES = 50, 400, 250
# Modules of the standard library for time, chance, files, the network or inexact numbers.
IMPURE = {
    *(
        "time",
        "random",
        "secrets",
        "os",
        "io",
        "pathlib",
        "shutil",
        "tempfile",
        "glob",
        "fileinput",
        "logging",
        "locale",
        "platform",
        "uuid",
    ),
    *(
        "socket",
        "ssl",
        "select",
        "urllib",
        "http",
        "ftplib",
        "subprocess",
        "multiprocessing",
        "threading",
        "asyncio",
        "signal",
        "sched",
    ),
    *(
        "sqlite3",
        "shelve",
        "dbm",
        "statistics",
        "cmath",
        "numbers",
        "decimal",
        "array",
        "struct",
        "ctypes",
        "mmap",
        "calendar",
    ),
}
EXACT_MATH = {"comb", "factorial", "gcd", "isqrt", "lcm", "perm", "prod"}
IMPURE_CALLS = {
    "open",
    "input",
    "print",
    "exec",
    "eval",
    "now",
    "today",
    "utcnow",
    "fromtimestamp",
    "read_text",
    "read_bytes",
}
BY_NAME = ("import_module", "__import__")
HOMELESS = {"utils", "util", "helpers", "helper", "common", "manager", "managers", "base", "core", "misc"}
DJANGO_NAMES_IT = {
    "casino/runtime/embedded/backend/base.py",
    "casino/runtime/postgres/base.py",
    "casino/runtime/replica_backend/base.py",
}  # Django requires this name of a database backend
WRITERS = re.compile(
    r"^(audit/(ledger/store|findings|review/projections)(\.py$|/)"
    r"|casino/((reference/projection|exports/schedules|models/one_time)\.py$|accounts/|sealing/)|[a-z]+/migrations/|tests/)"
)
WRITES = {"create", "bulk_create", "get_or_create", "update_or_create", "bulk_update", "update", "delete"}
MARKS = re.compile(r"\b(TO" + r"DO|FIX" + r"ME|XX" + r"X|HA" + r"CK)\b")
FORMATTED_BY_HAND = re.compile(r"# " + r"fmt: *(skip|off)")
MACHINE = re.compile(r"""["'(=\s](/(?:work|root|home|Users|opt)/[\w.-]+)""")


class Source:
    """One file: its path in the project, its text, and its syntax tree."""

    def __init__(self, path: str, text: str) -> None:
        self.path, self.text = path, text

    @property
    def top(self) -> str:
        return self.path.split("/")[0]

    @cached_property
    def parsed(self) -> ast.Module | SyntaxError:
        """Return the syntax tree, or the error if the source cannot be parsed. It is parsed once for all
        checks.
        """
        try:
            return ast.parse(self.text)
        except SyntaxError as error:
            return error

    @cached_property
    def nodes(self) -> list[ast.AST]:
        # A source that cannot be parsed has no nodes here; the check parsing_works reports it.
        return list(ast.walk(self.parsed)) if isinstance(self.parsed, ast.Module) else []

    @cached_property
    def imports(self) -> list[tuple[int, str, tuple[str, ...]]]:
        """Return line, module and names of every import at any depth, and of import_module("...") with a
        literal.
        """
        kinds = (ast.Import, ast.ImportFrom, ast.Call)
        return [
            imported for node in self.nodes if isinstance(node, kinds) for imported in self._imported(node)
        ]

    def _imported(self, node: ast.AST) -> Iterator[tuple[int, str, tuple[str, ...]]]:
        match node:
            case ast.Import(names=names):
                yield from ((node.lineno, alias.name, ()) for alias in names)
            case ast.ImportFrom(module=module, level=level, names=names):
                package = self.path.split("/")[:-level] if level else []
                yield (
                    node.lineno,
                    ".".join([*package, *([module] if module else [])]),
                    tuple(alias.name for alias in names),
                )
            case ast.Call(func=called, args=[ast.Constant(value=str() as name), *_]) if _last(called) in (
                "import_module",
                "__import__",
            ):
                yield node.lineno, name, ()

    @cached_property
    def calls(self) -> list[tuple[int, ast.expr, str]]:
        """Return for each call its line, the called expression, and the last part of that expression's
        name.
        """
        return [
            (node.lineno, node.func, _last(node.func)) for node in self.nodes if isinstance(node, ast.Call)
        ]


def _last(called: ast.expr) -> str:
    return (
        called.attr
        if isinstance(called, ast.Attribute)
        else called.id
        if isinstance(called, ast.Name)
        else ""
    )


def parsing_works(source: Source) -> Iterator[str]:
    if isinstance(source.parsed, SyntaxError):
        yield (
            f"{source.path}: line {source.parsed.lineno} is not Python 3.11; write it so that the oldest"
            " Python we promise can read it."
        )


def imports_one_way(source: Source) -> Iterator[str]:
    for line, module, _ in source.imports:
        package = module.split(".")[0]
        if package in TOPS and source.top in TOPS and package not in MAY_IMPORT[source.top]:
            yield (
                f"{source.path}:{line}: {source.top} may not import {package}; move the code to the package"
                " that knows both."
            )


def the_second_opinion_is_its_own(source: Source) -> Iterator[str]:
    if not source.path.startswith("casino/sample/"):
        return
    for line, module, _ in source.imports:
        if module.split(".")[0] in TOPS and not f"{module}.".startswith("casino.sample."):
            yield (
                f"{source.path}:{line}: the sample may not import {module}; what it says against our rules"
                " must be written without them."
            )


def games_are_pure(source: Source) -> Iterator[str]:
    if source.top != "games":
        return
    for line, module, names in source.imports:
        package = module.split(".")[0]
        if package in IMPURE or (
            package not in sys.stdlib_module_names and package not in ("msgspec", *TOPS)
        ):
            yield (
                f"{source.path}:{line}: games may not use {package}; a rule knows the facts only,"
                " so hand it what it needs."
            )
        if package == "math" and (
            loose := set(names) - EXACT_MATH or (set() if names else {"the whole module"})
        ):
            yield (
                f"{source.path}:{line}: math.{', '.join(sorted(loose))} is inexact; use integers or Fraction."
            )
    for line, called, name in source.calls:
        if name in IMPURE_CALLS and not (
            name in ("open", "print", "input") and isinstance(called, ast.Attribute)
        ):
            yield (
                f"{source.path}:{line}: games may not call {name}(); clock, files and the screen belong to"
                " who calls the rule."
            )


def games_have_no_float(source: Source) -> Iterator[str]:
    if source.top != "games":
        return
    for node in source.nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, float | complex):
            yield (
                f"{source.path}:{node.lineno}: {node.value} is a float; write it as a Fraction, or as cents."
            )
        if isinstance(node, ast.Name) and node.id == "float":
            yield (
                f"{source.path}:{node.lineno}: float is inexact; amounts are whole cents and odds are"
                " Fraction."
            )


def functions_are_short(source: Source) -> Iterator[str]:
    for node in source.nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > FUNCTION_LINES:
                yield (
                    f"{source.path}:{node.lineno}: {node.name} has {lines} lines; give its parts names until"
                    f" it has {FUNCTION_LINES}."
                )


STANDALONE = frozenset({"casino/exports/verify_export.py", "casino/exports/verify_proof.py"})
"""Programs that people download as a single file, so they cannot be divided into modules."""


def modules_are_short(source: Source) -> Iterator[str]:
    if source.path in STANDALONE:
        return
    lines = source.text.count("\n")
    limit = GAME_LINES if source.top == "games" and not source.path.startswith("games/kit/") else MODULE_LINES
    if lines > limit:
        yield f"{source.path}: it has {lines} lines and may have {limit}; make it a package of the same name."


def names_say_what_it_is(source: Source) -> Iterator[str]:
    for part in source.path.removesuffix(".py").split("/"):
        if part in HOMELESS and source.path not in DJANGO_NAMES_IT:
            yield (
                f"{source.path}: `{part}` says nothing; name it after what it does, or put the code where it"
                " is used."
            )


def writing_has_its_place(source: Source) -> Iterator[str]:
    if WRITERS.match(source.path) or source.path == "manage.py":
        return
    for line, called, name in source.calls:
        if name != "save" and name not in WRITES:
            continue
        manager = ".objects." in f"{ast.unparse(called)}."
        if name in ("save", "delete") or manager:
            call = f"{'objects.' if manager and name == 'create' else ''}{name}"
            yield (
                f"{source.path}:{line}: .{call}() writes; facts go through intake.post, the rest through"
                " audit/findings."
            )


def nothing_is_left_unfinished(source: Source) -> Iterator[str]:
    for number, line in enumerate(source.text.splitlines(), 1):
        if mark := MARKS.search(line):
            yield (
                f"{source.path}:{number}: {mark[0]} marks unfinished work; finish it, or write an issue and"
                " take the mark out."
            )
    for node in source.nodes:
        if isinstance(node, ast.Name) and node.id in ("NotImplementedError", "breakpoint"):
            yield (
                f"{source.path}:{node.lineno}: {node.id} marks unfinished work; finish it, or make it an"
                " abstract method."
            )


def modules_say_what_they_promise(source: Source) -> Iterator[str]:
    if not source.text.strip():
        return  # an empty __init__.py needs no docstring
    tree = source.nodes[0] if source.nodes else None
    if isinstance(tree, ast.Module) and not ast.get_docstring(tree):
        yield f"{source.path}: the module has no docstring; say in a sentence what it promises."


def no_machine_is_named(source: Source) -> Iterator[str]:
    for number, line in enumerate(source.text.splitlines(), 1):
        if match := MACHINE.search(line):
            yield (
                f"{source.path}:{number}: {match[1]} is a place on one machine; take it from a setting or the"
                " project's folder."
            )


def digits_are_read_in_one_way(source: Source) -> Iterator[str]:
    if source.top not in ("audit", "casino") or source.path == "audit/facts/input_parsing.py":
        return
    for line, _, name in source.calls:
        if name in ("isdigit", "isdecimal", "isnumeric"):
            yield (
                f"{source.path}:{line}: {name}() takes ² or ٣ for a digit, and int() may not; read it with"
                " audit.facts.input_parsing.whole."
            )


def code_is_formatted(source: Source) -> Iterator[str]:
    if source.top == "games":  # tables of rules and pay tables may be laid out by hand
        return
    for number, line in enumerate(source.text.splitlines(), 1):
        if FORMATTED_BY_HAND.search(line):
            yield (
                f"{source.path}:{number}: only tables of the games' rules are formatted by hand;"
                " run ruff format."
            )


CHECKS: tuple[Callable[[Source], Iterator[str]], ...] = (
    parsing_works,
    imports_one_way,
    the_second_opinion_is_its_own,
    games_are_pure,
    games_have_no_float,
    functions_are_short,
    modules_are_short,
    names_say_what_it_is,
    writing_has_its_place,
    nothing_is_left_unfinished,
    modules_say_what_they_promise,
    no_machine_is_named,
    digits_are_read_in_one_way,
    code_is_formatted,
)
NAMED = (
    "*/management/commands/*.py",
    "casino/reports/definitions/*.py",
    "audit/replay/checks/*.py",
    "casino/importing/profiles/*.py",
    "tests/benchmarks/*.py",
)


def unnamed(project: Path) -> Iterator[str]:
    """Yield a message for each command, report, check, import profile and benchmark whose name is in no
    README.
    """
    own = [
        *project.glob("*.md"),
        *(file for top in (*TOPS, "docs") for file in (project / top).rglob("*.md")),
    ]
    words = set(re.findall(r"[A-Za-z0-9_]+(?:-[A-Za-z0-9_]+)*", "\n".join(file.read_text() for file in own)))
    for file in sorted(file for pattern in NAMED for file in project.glob(pattern)):
        name = file.stem
        if name[0] != "_" and not {name, name.replace("_", "-")} & words:
            yield (
                f"{file.relative_to(project).as_posix()}: no README names `{name}`; add a line on what it"
                " does."
            )


PINNED = re.compile(r"[a-z0-9-]+==[\w.]+( ; [\w.<>=!'* ]+?)?( +--hash=sha256:[0-9a-f]{64})+")
"""Pattern of a requirement with its version, an optional platform, and the hash of each of its files."""


def loose_requirements(name: str, text: str) -> Iterator[str]:
    """Yield a message for each line that is not a requirement with a version and hashes, for example an
    option of pip.
    """
    for line in text.replace("\\\n", " ").splitlines():
        if line and line[0] != "#" and not PINNED.fullmatch(line):
            yield f"{name}: `{line[:80]}` is not pinned with its hashes; run `make lock`."

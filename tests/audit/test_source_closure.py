"""The source closure of a module is the list of modules on which a fingerprint depends: the module and all
modules of this project that it imports. The list has these modules and no others.
"""

from __future__ import annotations

import ast
from importlib.util import resolve_name
from pathlib import Path

import pytest

from audit import source_closure
from audit.queries.cache import aggregates, table_days
from audit.source_closure import HOME, closure, fingerprint, imported_names, source_file
from casino.reports.definitions import hold

UNRELATED = "casino.floor.services"


@pytest.mark.long
def test_the_pattern_reads_every_import_that_the_syntax_tree_has() -> None:
    for folder in sorted(source_closure.PACKAGES):
        for file in sorted((HOME / folder).rglob("*.py")):
            package = ".".join(file.parent.relative_to(HOME).parts)
            source = file.read_text(encoding="utf-8")
            assert imports_of_tree(source, package) <= imported_names(source, package), file


def imports_of_tree(source: str, package: str) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = resolve_name("." * node.level + (node.module or ""), package)
            names.update([module, *(f"{module}.{alias.name}" for alias in node.names)])
    return names


def test_names_are_read_from_every_form_of_import() -> None:
    source = (
        "import a.b as c, d\nfrom e import (\n    f,  # why\n    g as h,\n)\n"
        "def i():\n    from ..j import k\n"
    )
    assert imported_names(source, "x.y") == {"a.b", "d", "e", "e.f", "e.g", "x.j", "x.j.k"}


def test_a_closure_has_indirect_imports_and_all_games() -> None:
    names = closure([hold.__name__])
    assert {"casino.reports.grouping", "audit.queries.cache.aggregates", "audit.queries.table_days"} <= set(
        names
    )
    assert "games.easy_over_under.betting" in names
    assert "games.easy_over_under.betting" not in closure(["games"], every_game=False)
    assert UNRELATED not in names


@pytest.mark.parametrize("module", [hold.__name__, table_days.__name__])
def test_cached_sums_depend_on_imported_modules_and_on_no_others(
    module: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    before = aggregates.code_fingerprint.__wrapped__(module)
    with monkeypatch.context() as patched:
        comment_in(UNRELATED, patched, tmp_path)
        assert aggregates.code_fingerprint.__wrapped__(module) == before
    for name in closure([module], every_game=False):
        with monkeypatch.context() as patched:
            comment_in(name, patched, tmp_path)
            assert aggregates.code_fingerprint.__wrapped__(module) != before, name
    assert aggregates.code_fingerprint.__wrapped__(module) == before


def comment_in(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Let the closure read the source of one module with a comment appended."""
    file = source_file(name)
    changed = tmp_path / file.name
    changed.write_bytes(file.read_bytes() + b"# changed\n")
    for data in source_closure.DATA.get(name, ()):
        (tmp_path / data).write_bytes((file.parent / data).read_bytes())
    monkeypatch.setattr(
        source_closure, "source_file", lambda module: changed if module == name else source_file(module)
    )


def test_a_fingerprint_is_the_same_in_any_order_of_the_roots() -> None:
    roots = [hold.__name__, table_days.__name__]
    assert fingerprint(closure(roots)) == fingerprint(closure(reversed(roots)))

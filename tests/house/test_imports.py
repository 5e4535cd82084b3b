"""The source follows the order of imports, and each check of that order detects a violation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import pytest

from tests.house import imports
from tests.house.checked import ON_ALL, messages_of_check, paths
from tests.house.tidy import Source
from tests.manage import PROJECT

Check = Callable[[Iterable[Source]], Iterator[str]]
BAD: list[tuple[Check, dict[str, str], str]] = [
    (
        imports.upward,
        {"casino/web/a.py": "from casino.cage import services\n", "casino/cage/services.py": ""},
        "casino.web may not import casino.cage",
    ),
    (
        imports.upward,
        {"audit/facts/a.py": "from audit.replay import fold\n", "audit/replay/fold.py": ""},
        "audit.facts may not import audit.replay",
    ),
    (
        imports.upward,
        {"casino/web/a.py": "import casino.somewhere.b\n", "casino/somewhere/b.py": ""},
        "`casino.somewhere` has no place",
    ),
    (
        imports.foreign_views,
        {"casino/floor/a.py": "from casino.cage import board_views\n", "casino/cage/board_views.py": ""},
        "belongs to another capability",
    ),
    (
        imports.circles,
        {"games/kit/a.py": "from games.kit import b\n", "games/kit/b.py": "from games.kit import a\n"},
        "is a circle of imports",
    ),
    (imports.hidden, {"casino/web/a.py": "def f():\n    import audit.queries\n"}, "inside a function"),
]


@pytest.mark.parametrize("check", ON_ALL)
def test_imports_have_one_direction(check: str) -> None:
    assert not (messages := messages_of_check(check)), "\n" + "\n".join(messages)


@pytest.mark.parametrize(("check", "files", "says"), BAD)
def test_a_check_of_imports_detects_its_violation(check: Check, files: dict[str, str], says: str) -> None:
    messages = list(check([Source(path, text) for path, text in files.items()]))
    assert len(messages) >= 1
    assert says in messages[0]


def test_every_check_of_imports_is_tried() -> None:
    assert {check for check, *_ in BAD} == set(ON_ALL.values())


def test_few_modules_lie_at_the_top_of_casino() -> None:
    top = [path.name for path in paths() if path.parent == PROJECT / "casino"]
    assert len(top) <= 10, top

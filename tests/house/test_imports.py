"""The order of imports is kept, and each of its checks detects what it must."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import pytest

from tests.house import imports
from tests.house.test_tidy import sources
from tests.house.tidy import Source

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
CHECKS = (imports.upward, imports.foreign_views, imports.circles, imports.hidden)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_imports_have_one_direction(check: Check) -> None:
    said = list(check(sources()))
    assert not said, "\n" + "\n".join(said)


@pytest.mark.parametrize(("check", "files", "says"), BAD)
def test_a_check_of_imports_finds_what_it_is_for(check: Check, files: dict[str, str], says: str) -> None:
    said = list(check([Source(path, text) for path, text in files.items()]))
    assert len(said) >= 1
    assert says in said[0]


def test_every_check_of_imports_is_tried() -> None:
    assert {check for check, *_ in BAD} == set(CHECKS)


def test_few_modules_lie_at_the_top_of_casino() -> None:
    top = [source.path for source in sources() if source.path.count("/") == 1 and source.top == "casino"]
    assert len(top) <= 10, top

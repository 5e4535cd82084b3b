"""Databases that are filled once: a function records facts in the first test of a run that needs them, and
later tests get copies, also in other processes.

    @furnishing
    def night() -> Cast:  # the fixture `night`: its return value, and `house` as a fresh copy of its facts
        cast = Cast()
        record(troubled_day())
        return cast

The return value is pickled for the other processes. A test with the fixture `night` has a database of its
own, as if it had recorded the facts itself. The fixture `house` is that same database.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest


def furnishing(furnish: Callable[[], Any]) -> Any:
    """Return a fixture from a function that records facts in an empty database."""

    def copy_furniture(house: Any) -> Any:
        return deepcopy(house.furniture)

    copy_furniture.__doc__ = furnish.__doc__
    copy_furniture.furnish = furnish  # type: ignore[attr-defined]
    return pytest.fixture(name=furnish.__name__)(copy_furniture)


def furnishing_of(test: Any) -> Callable[[], Any] | None:
    """Return the function that fills the database of this test, or None if the database stays empty."""
    fixtures = [definitions[-1].func for definitions in test._fixtureinfo.name2fixturedefs.values()]
    wanted = [fixture.furnish for fixture in fixtures if hasattr(fixture, "furnish")]
    names = " and ".join(furnish.__name__ for furnish in wanted)
    assert len(wanted) < 2, (
        f"{test.name} asks for {names}, and a house is furnished once: let one furnishing do what both do"
    )
    return wanted[0] if wanted else None

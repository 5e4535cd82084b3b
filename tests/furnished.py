"""Houses that are furnished once: what many tests find recorded is recorded by the first of them, and the
others get copies.

    @furnishing
    def night() -> Cast:  # the fixture `night`: its return value, and `house` as a fresh copy of its facts
        cast = Cast()
        record(troubled_day())
        return cast

A test that asks for `night` has a house of its own, as if it had recorded the night itself, and `house` is
that same one.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest


def furnishing(furnish: Callable[[], Any]) -> Any:
    """Makes a fixture of a function that records something in an empty house."""

    def given(house: Any) -> Any:
        return deepcopy(house.furniture)

    given.__doc__ = furnish.__doc__
    given.furnish = furnish  # type: ignore[attr-defined]
    return pytest.fixture(name=furnish.__name__)(given)


def asked(test: Any) -> Callable[[], Any] | None:
    """Return how the database of this test is to be furnished; None if it stays empty."""
    fixtures = [found[-1].func for found in test._fixtureinfo.name2fixturedefs.values()]
    wanted = [fixture.furnish for fixture in fixtures if hasattr(fixture, "furnish")]
    names = " and ".join(furnish.__name__ for furnish in wanted)
    assert len(wanted) < 2, (
        f"{test.name} asks for {names}, and a house is furnished once: let one furnishing do what both do"
    )
    return wanted[0] if wanted else None

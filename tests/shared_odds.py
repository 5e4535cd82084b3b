"""Exact odds that are computed once for a whole test run. The processes of a run exchange them as files,
because computing all of them takes each process several seconds.
"""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

import games.casino_over_under.odds as over_under
import games.high_side.odds as high_side
import games.teen_patti.odds as teen_patti
from games import GAMES
from games.kit.certificate import Case, Certificate, certificate_of
from games.kit.printed_odds import AlternativePay
from tests.manage import SHARED

COSTS = (
    (teen_patti, "costs_by_hand"),
    (teen_patti, "without_play"),
    (over_under, "costs_on"),
    (high_side, "kept_first"),
    (high_side, "kept_second"),
)
"""Functions that return the costs of decisions."""


def once(name: str, compute: Callable[[], Any]) -> Any:
    """Return the result of `compute`. The first process of this run that needs it calls the function and
    stores the result under this name. The other processes read it.
    """
    stored = Path(os.environ[SHARED]) / "odds" / sha256(name.encode()).hexdigest()
    if stored.exists():
        return pickle.loads(stored.read_bytes())
    stored.parent.mkdir(exist_ok=True)
    computed = compute()
    half = stored.with_suffix(f".{os.getpid()}")
    half.write_bytes(pickle.dumps(computed))
    half.rename(stored)
    return computed


def shared(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function with the same results as `function`. Each result is computed once in a run, for all
    processes, and stored under `name` and the arguments.
    """
    return cache(lambda *args: once(f"{name} {args}", lambda: function(*args)))


@contextmanager
def shared_odds() -> Iterator[None]:
    """Let the certificates of the registered games, and the costs of decisions, read what another process of
    the run has computed. A game that a test defines is not registered, so its odds are computed.
    """
    codes = {id(certificate_of(game)): code for code, game in GAMES.items()}
    count, under = Certificate._count, Certificate.under

    def name(certificate: Certificate, case: Case) -> str:
        return f"{codes[id(certificate)]} {case[:4]} {sorted(case.conditions.items())}"

    def counted(self: Certificate, case: Case, reprice: Any = None) -> Any:
        key = (*case[:4], *case.conditions.items())
        if reprice is not None or id(self) not in codes or key in self._counted:
            return count(self, case, reprice)
        self._counted[key] = once(name(self, case), lambda: count(self, case))
        return self._counted[key]

    def alternative(self: Certificate, other: AlternativePay, case: Case) -> Any:
        if id(self) not in codes:
            return under(self, other, case)
        return once(f"{name(self, case)} {other}", lambda: under(self, other, case))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Certificate, "_count", counted)
        patch.setattr(Certificate, "under", alternative)
        for module, function in COSTS:
            full_name = f"{module.__name__}.{function}"
            patch.setattr(module, function, shared(full_name, getattr(module, function)))
        yield

"""Questions that a manual leaves open, their answer here, and the findings that depend on it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from games.kit.line import Line

SETTLED = ("wrong-settlement", "not-settled", "settled-twice")
"""Findings that depend on how much a wager is owed."""


def always(round: Any, line: Line | None) -> bool:
    """Return True: the question concerns every finding of its codes."""
    return True


def uneven(round: Any, line: Line | None) -> bool:
    """Return True if the exact amount owed is not a multiple of the table's smallest chip."""
    return (
        line is not None
        and line.owed is not None
        and (line.rounding != 0 or line.owed % round.table.chip != 0)
    )


class Question(NamedTuple):
    """One open question of a manual."""

    asks: str
    answer: str
    """The answer here: the property's choice if it has one, else the only reading."""
    cite: str
    """The heading or rule that leaves it open."""
    codes: tuple[str, ...] = ()
    """Codes of findings that would differ with another answer."""
    wagers: tuple[str, ...] = ()
    """The wagers that it concerns; empty for all."""
    option: str = ""
    """The option of `table-opened` with which the property answers it."""
    concerns: Callable[[Any, Line | None], bool] = always
    """Returns True if it matters in this round on this line."""


def rounding(says: str, cite: str) -> Question:
    """Return the question of amounts that whole chips cannot pay, which every game leaves open."""
    answer = (
        "The amount is settled exactly, or rounded to the smallest chip in favor of the casino or the player,"
        " as the property chooses."
    )
    return Question(
        f"How is an amount settled that whole chips cannot pay? {says}",
        answer,
        cite,
        SETTLED,
        (),
        "rounding",
        uneven,
    )


def questions_for(
    questions: Iterable[Question], code: str, wager: str, round: Any, line: Line | None
) -> list[Question]:
    """Return those of a game's open questions on which a finding depends, in the order of the manual."""
    return [
        question
        for question in questions
        if code in question.codes
        and (not question.wagers or wager in question.wagers)
        and question.concerns(round, line)
    ]

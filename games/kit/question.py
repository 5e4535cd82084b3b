"""Questions that a manual leaves open, the answer that is used, and the findings that depend on it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from games.kit.line import Line

SETTLED = ("wrong-settlement", "not-settled", "settled-twice")
"""Codes of findings that depend on how much a wager is owed."""


def always(round: Any, line: Line | None) -> bool:
    """Return True, for questions that concern every finding with one of their codes."""
    return True


def uneven(round: Any, line: Line | None) -> bool:
    """Return True if the exact amount owed is not a multiple of the table's smallest chip."""
    return (
        line is not None
        and line.owed is not None
        and (line.rounding != 0 or line.owed % round.table.chip != 0)
    )


class Question(NamedTuple):
    """One question that a manual leaves open."""

    asks: str
    answer: str
    """The answer that is used. This is the property's choice, or the only supported interpretation if the
    property cannot choose.
    """
    cite: str
    """The heading or rule that leaves the question open."""
    codes: tuple[str, ...] = ()
    """Codes of findings that would differ with another answer."""
    wagers: tuple[str, ...] = ()
    """The wagers that the question concerns; empty for all."""
    option: str = ""
    """The option of `table-opened` with which the property answers the question."""
    concerns: Callable[[Any, Line | None], bool] = always
    """Function that returns True if the question matters in this round on this line."""


def rounding(says: str, cite: str) -> Question:
    """Return the question about amounts that cannot be paid in whole chips. Every game leaves it open."""
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
    """Return the open questions on which a finding depends, in the order of the manual."""
    return [
        question
        for question in questions
        if code in question.codes
        and (not question.wagers or wager in question.wagers)
        and question.concerns(round, line)
    ]

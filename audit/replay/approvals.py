"""Approvals: what a regulator's letter allows a property to play, and which settings of an opened table are
not covered by any letter. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from typing import Any

from msgspec import ValidationError, convert

from audit.facts.registers import ApprovalValue, Named, explain
from games import GAMES
from games.kit.events import TableOpened
from games.kit.game import Game


class Approval(ApprovalValue, frozen=True, kw_only=True):
    """One regulator's letter for a game. It may be limited to an edition, to pay tables, and to answers to
    open questions.

    A letter does not restrict what it does not name. It is in force from its first day until the day before
    `to`. Letters that an earlier release recorded may have no name.
    """

    letter: str = ""

    def holds(self, day: date) -> bool:
        """Return True if the letter is in force on this day."""
        return (self.from_ is None or self.from_ <= day) and (self.to is None or day < self.to)

    def covers(self, game: str, edition: str) -> bool:
        """Return True if the letter is for this game and edition."""
        return self.game == game and (self.edition is None or edition in names(self.edition))

    def pays(self, wager: str, pay_table: str) -> bool:
        """Return True if the letter covers this pay table of the wager. If the letter names pay tables, it
        covers only those.
        """
        return self.pay_tables is None or pay_table in self.tables_of(wager)

    def tables_of(self, wager: str) -> tuple[str, ...]:
        """Return the pay tables that the letter names for the wager."""
        return names((self.pay_tables or {}).get(wager, []))

    def answers(self, question: str, answer: str) -> bool:
        """Return True if the letter covers this answer to a question. A letter that does not name the
        question leaves it to the property.
        """
        return (
            self.readings is None or question not in self.readings or answer in names(self.readings[question])
        )

    def __str__(self) -> str:
        return f"the letter {self.letter}" if self.letter else "an approval without a letter"


def names(value: Named) -> tuple[str, ...]:
    """Return one name, or several names, as a tuple."""
    return (value,) if isinstance(value, str) else tuple(value)


def read(value: Any) -> Approval:
    """Parse a register entry's value as an approval. Raise ValueError with the message `field: reason` if the
    value is not valid.
    """
    try:
        approval = convert(value, Approval)
    except ValidationError as error:
        raise ValueError(explain(Approval, error)) from None
    check_days(approval)
    return approval


def check_days(approval: ApprovalValue) -> None:
    """Raise ValueError with the message `field: reason` for an approval that ends before it begins."""
    if approval.from_ is not None and approval.to is not None and approval.from_ >= approval.to:
        raise ValueError(f"to: {approval.to} is not after {approval.from_}")


def unknown(approval: ApprovalValue) -> str | None:
    """Return the first name in the approval that is unknown to the games of this release, or None if every
    name is known.
    """
    game = GAMES.get(approval.game)
    if game is None:
        return f"game: unknown game {approval.game!r}; the games are {', '.join(sorted(GAMES))}"
    questions: list[tuple[str, str, Iterable[str]]] = [
        ("edition", name, game.editions) for name in names(approval.edition or [])
    ]
    for field_, value, known in (
        ("pay_tables", approval.pay_tables, game.pay_tables),
        ("readings", approval.readings, game.options),
    ):
        for name, named in (value or {}).items():
            questions.append((field_, name, known))
            questions += [(f"{field_}.{name}", item, known.get(name, ())) for item in names(named)]
    return next(
        (
            f"{at}: {game.code} has no {name!r}; it has {', '.join(known)}"
            for at, name, known in questions
            if name not in known
        ),
        None,
    )


def uncovered(
    game: Game, opened: TableOpened, approvals: Iterable[Approval], letters: Iterable[Approval]
) -> Iterator[tuple[str, str]]:
    """Yield (wager, sentence) for each setting of an opened table that no approval covers. The wager is empty
    if the setting does not concern a single wager.

    For each wager, a single approval must cover the edition, the pay table and all answers. The rules of the
    game itself report a pay table that no regulator has ever approved.

    Args:
        letters: all approvals of the property, for the sentence if none of `approvals` covers the game.
    """
    subject, day = f"{opened.game} {opened.edition}", opened.day.isoformat()
    in_force = [
        approval
        for approval in approvals
        if approval.covers(opened.game, opened.edition) and approval.holds(opened.day)
    ]
    named = {
        wager: opened.pay_tables[wager] for wager in sorted(game.pay_tables) if wager in opened.pay_tables
    }
    paid = {wager: table for wager, table in named.items() if table not in game.never_approved.get(wager, ())}
    if not in_force:
        wager = next(iter(paid)) if len(paid) == len(named) == 1 else ""
        others = letters_about(opened.game, letters)
        yield wager, " ".join((f"No approval covers {subject} on {day}.", *others))
        return
    groups = [in_force]
    for wager, table in paid.items():
        fitting = [approval for approval in in_force if approval.pays(wager, table)]
        if fitting:
            groups.append(fitting)
        else:
            says = (
                f"{approval} names {' and '.join(approval.tables_of(wager)) or 'none'}."
                for approval in in_force
            )
            yield (
                wager,
                f"No approval covers {subject} with pay table {table} for {wager} on {day}: {' '.join(says)}",
            )
    answers = {question: opened.readings.get(question, known[0]) for question, known in game.options.items()}
    if reason := unanswered(groups, answers):
        yield (
            "",
            (
                f"No approval covers {subject} with {' and '.join(reason)} on {day}:"
                f" {' '.join(f'{letter} does not.' for letter in in_force)}"
            ),
        )


def letters_about(game: str, letters: Iterable[Approval]) -> Iterator[str]:
    """Yield a sentence for each letter about the game. It says for which edition the letter is, and when it
    is in force.
    """
    for letter in letters:
        if letter.game == game:
            dates = "".join(
                f" {word} {day}" for word, day in (("from", letter.from_), ("until", letter.to)) if day
            )
            yield f"There is {letter} for {' and '.join(names(letter.edition or 'every edition'))}{dates}."


def unanswered(groups: list[list[Approval]], answers: dict[str, str]) -> list[str]:
    """Return the answers to open questions that the letters do not cover, as text. Return an empty list if
    each group has one letter that covers all answers.

    If several groups have no such letter, only the answers of the first of them are returned. They are the
    answers that none of its letters covers. If each answer is covered by one of its letters, they are the
    answers that at least one letter does not cover.

    Args:
        groups: groups of letters, such as the letters that cover the pay table of one wager.
        answers: {question: answer}.
    """
    for group in groups:
        if not any(all(approval.answers(*item) for item in answers.items()) for approval in group):
            missing = [
                item for item in answers.items() if not any(approval.answers(*item) for approval in group)
            ]
            named = [
                item for item in answers.items() if any(not approval.answers(*item) for approval in group)
            ]
            return [f"the reading {question} = {answer}" for question, answer in missing or named]
    return []

"""Command: print the exact odds of every wager next to the odds in the manual, and every contradiction
between them.
"""

from __future__ import annotations

import json
from argparse import ArgumentTypeError
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from audit.facts.input_parsing import whole
from audit.management.tables import table
from casino.reports import certificates
from casino.reports.certificates import Shown, exactly
from games import GAMES
from games.kit.printed_odds import percent


def decks(text: str) -> int:
    """Parse a number of decks. Raise ArgumentTypeError if it is invalid."""
    number = whole(text)
    if number is None or not 1 <= number <= certificates.MOST_DECKS:
        raise ArgumentTypeError(f"{text!r} is not a number of decks from 1 to {certificates.MOST_DECKS}")
    return number


class Command(BaseCommand):
    help = (
        "Print the exact odds of every wager, from the rules that settle it, next to those in the manual,"
        " with"
        " every contradiction."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("game", nargs="?", help="one game, such as easy_over_under; default: all")
        parser.add_argument(
            "--decks",
            type=decks,
            metavar="N",
            help="number of decks; default: those in the manual",
        )
        parser.add_argument("--format", default="table", choices=("table", "json"))

    def handle(self, *args: Any, **options: Any) -> None:
        known = certificates.certified_games()
        if options["game"] is not None and options["game"] not in known:
            raise CommandError(
                f"No certificate for {options['game']!r}. Available: {', '.join(known)}", returncode=2
            )
        games, number = ([options["game"]] if options["game"] else known), options["decks"]
        for game in games:
            required = certificates.only_decks(game)
            if required is not None and number not in (None, required):
                self.stderr.write(
                    f"{game} is only dealt from {required} deck{'s' if required != 1 else ''}; its odds"
                    " are for that number"
                )
            elif number is not None and GAMES[game].decks not in (None, number):
                self.stderr.write(
                    f"the manual of {game} says {GAMES[game].decks} decks; these are the odds with {number}"
                )
        if options["format"] == "json":
            plain = [
                certificates.plain(game, line) for game in games for line in certificates.lines(game, number)
            ]
            self.stdout.write("[\n" + ",\n".join(json.dumps(line) for line in plain) + "\n]")
            return
        for game in games:
            self.stdout.write("\n".join(written(game, number)))


def written(game: str, number: int | None) -> Iterator[str]:
    """Yield a game's certificate as plain text: the odds, the pay tables, and the contradictions with the
    manual.
    """
    source, lines = GAMES[game].source, certificates.shown(certificates.lines(game, number))
    yield f"{game.replace('_', ' ').upper()}  {source.title} ({source.dated})"
    for edition, of in certificates.by_edition(lines):
        yield from ("", f"edition {edition}")
        yield table(HEADINGS, [cells(line) for line in of], frozenset(range(4, 9)))
        yield from ("", table(PAYS, list(pay_lines(of)), frozenset((2, 3))))
    units = {line.line.case.wager: certificates.unit(game, line.line.case.wager) for line in lines}
    yield from ("", *(f"{wager}: edge, RTP and variance are per {unit}" for wager, unit in units.items()))
    contradictions = [
        f"! {sentence}" for line in lines if (sentence := certificates.contradiction(game, line.line))
    ]
    printed = any(line.line.printed for line in lines)
    yield from (
        "",
        *(
            contradictions
            or ["All odds in the manual are correct." if printed else "The manual prints no odds."]
        ),
    )
    yield from ("", *(f"! {sentence}" for sentence in GAMES[game].contradictions), "")
    yield "Questions that the manual leaves open, and the answers used here"
    for question in GAMES[game].questions:
        chosen = f" (setting {question.option})" if question.option else ""
        yield f"- {question.asks} {question.answer}{chosen} [{question.cite}]"
    yield ""


HEADINGS = (
    "wager",
    "pay table",
    "reading",
    "decks",
    "edge",
    "RTP",
    "variance",
    "hit",
    "push",
    "printed",
    "verdict",
)
PAYS = ("wager", "pay table", "pays", "probability", "outcomes")


def cells(shown: Shown) -> tuple[str, ...]:
    """Return the cells of one row of the table of odds. A fraction is followed by its percentage."""
    odds, printed = shown.line.figures, shown.line.printed
    return (
        shown.line.case.wager,
        shown.pay_table or "-",
        shown.reading or "-",
        shown.decks,
        exactly(odds.edge),
        f"{percent(odds.rtp, 4)}%",
        percent(odds.variance / 100, 4),
        f"{percent(odds.hit, 4)}%",
        f"{percent(odds.push, 4)}%",
        printed.short if printed else "-",
        shown.line.verdict,
    )


def pay_lines(of: list[Shown]) -> Iterator[tuple[str, ...]]:
    """Yield the rows of the table of pays. A row has a wager, its pay table, one of the pays in it, how often
    that pay occurs, and one outcome that gives it. In further rows for the same pay, only the outcome is
    given.
    """
    for line, pays in certificates.pay_tables(of):
        named = (line.line.case.wager, line.pay_table or "-")
        for pay in pays:
            frequency = "" if pay.often is None else f"{percent(pay.often, 4)}%"
            shown = (certificates.to_one(pay.net), frequency)
            for odds in pay.odds:
                yield (*named, *shown, odds.why)
                named, shown = ("", ""), ("", "")

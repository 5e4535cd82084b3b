"""Options that several commands share: a range of gaming days (`--from` inclusive, `--to` exclusive), an
earlier position of the ledger, and the number of processes.
"""

from __future__ import annotations

from argparse import ArgumentTypeError
from datetime import date
from typing import Any

from django.core.management.base import CommandError, CommandParser

from audit.facts.input_parsing import day_of, whole
from audit.models import Head
from audit.queries import heads
from audit.queries.span import LAST, Span


def add_span(parser: CommandParser) -> None:
    """Add the options --from, --to and --property."""
    parser.add_argument(
        "--from", dest="begins", metavar="DAY", help="the first gaming day, such as 2026-11-27"
    )
    parser.add_argument(
        "--to",
        dest="ends",
        metavar="DAY",
        help="the gaming day after the last one (end of the range, exclusive)",
    )
    parser.add_argument("--property", help="only this property")


def span_of(options: dict[str, Any]) -> Span:
    """Return the span that the options describe.

    Raises CommandError (exit code for misuse) if a day is invalid, if the span contains no day, or if the
    property has no ledger.
    """
    begins, ends = (_day(name, options[key]) for name, key in (("--from", "begins"), ("--to", "ends")))
    if begins is not None and ends is not None and begins >= ends:
        raise CommandError(
            f"the range from --from {begins} (included) to --to {ends} (excluded) has no days",
            returncode=2,
        )
    property = options["property"]
    if property is not None and not Head.objects.filter(property=property).exists():
        available = ", ".join(Head.objects.order_by("property").values_list("property", flat=True)) or "none"
        raise CommandError(f"--property {property!r} has no ledger. Available: {available}", returncode=2)
    return Span(begins, ends, property)


def add_as_of(parser: CommandParser) -> None:
    """Add the option --as-of."""
    parser.add_argument(
        "--as-of",
        type=int,
        metavar="POSITION",
        help="use only the facts up to this position of the ledger of --property",
    )


def position_of(options: dict[str, Any]) -> int | None:
    """Return the ledger position that the options give, or None for the present state.

    Raises CommandError (exit code for misuse) if no property is given, or if its ledger has no such position.
    """
    position, property = options["as_of"], options["property"]
    if position is None:
        return None
    if property is None:
        raise CommandError(
            "--as-of is a position of one property's ledger: name the property with --property", returncode=2
        )
    if not 0 < position <= LAST or heads.at(property, position) is None:
        last = heads.head(property).position
        raise CommandError(
            f"--as-of {position}: the ledger of {property} has no such position: its last position is {last}",
            returncode=2,
        )
    return int(position)


def processes(text: str) -> int:
    """Parse the number of processes. Raise ArgumentTypeError if it is not an integer from 1 to 64."""
    number = whole(text)
    if number is None or not 1 <= number <= 64:
        raise ArgumentTypeError(f"{text!r} is not a number of processes from 1 to 64")
    return number


def _day(option: str, text: str | None) -> date | None:
    if text is None:
        return None
    if (day := day_of(text)) is None:
        raise CommandError(f"{option} {text!r} is not a gaming day such as 2026-11-27", returncode=2)
    return day

"""Parse the text of a quick search: a table with a time or a hand, or a day with or without a table."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta, timezone
from typing import NamedTuple

from audit.facts import clock
from audit.facts.input_parsing import whole
from casino.presentation import date_input
from casino.presentation.date_input import with_iso_dates
from casino.web import request_params


class Search(NamedTuple):
    """The parsed search: a table with a hand's name or a time of day, and optionally a day and a spot."""

    table: str
    at: time | None
    """The time of day. It has a UTC offset if the user typed one. Without an offset, a time in the hour that
    a clock change repeats means two instants.
    """
    day: date | None
    spot: str
    span: timedelta
    """The length of the period that the typed time means: one second, or one minute if it was typed without
    seconds.
    """
    hand: str

    @property
    def player(self) -> bool:
        """Return True if the spot is a player's account and not a place on a physical table."""
        return self.spot.startswith("p-")


class DaySearch(NamedTuple):
    """A search for all hands of a gaming day. The table is empty if none was typed."""

    day: date
    table: str


def read(typed: str) -> Search | None:
    """Parse the text of a quick search, or return None if it cannot be understood. The first
    word that is neither a date nor a time is the table. The name of a hand and a spot may follow it. A date
    and a time may stand anywhere. If there is a time, a bare number is a spot. A date may be written as
    people write it, for example `27 Nov`.
    """
    if date_input.AMBIGUOUS.search(typed):
        return None
    at, day, span, words, named = None, None, timedelta(), list[str](), {"spot": "", "hand": ""}
    label = ""
    for word in _words(typed):
        if label:
            named[label], label = word, ""
        elif ":" in word:
            if (at := _time(word)) is None:
                return None
            span = timedelta(minutes=1) if word.count(":") == 1 else timedelta(seconds=1)
        elif (of := request_params.day_of(word)) is not None:
            day = of
        elif words and word.lower() in named:
            label = word.lower()
        else:
            words.append(word)
    for word in words[1:]:
        account = word.startswith("p-")
        kind = (
            "spot" if account or (whole(word) is not None and (at is not None or named["hand"])) else "hand"
        )
        if named[kind]:
            return None
        named[kind] = word
    enough = bool(words) and (at is not None or bool(named["hand"])) and "\0" not in typed
    return Search(words[0], at, day, named["spot"], span, named["hand"]) if enough else None


def read_day(typed: str) -> DaySearch | None:
    """Parse a date, alone or with one table before or after it. Return None for any other text."""
    if "\0" in typed or date_input.AMBIGUOUS.search(typed):
        return None
    words = _words(typed)
    days = [day for word in words if (day := request_params.day_of(word)) is not None]
    others = [word for word in words if request_params.day_of(word) is None]
    if len(days) != 1 or len(others) > 1 or any(":" in word for word in others):
        return None
    return DaySearch(days[0], "".join(others))


def _words(typed: str) -> list[str]:
    """Return the words of a text. Each date in it becomes one word, for example `2026-11-27`."""
    return with_iso_dates(typed.strip(), datetime.now(UTC).date()).replace(",", " ").split()


def ambiguity(typed: str) -> str:
    """Return a sentence that refuses a date such as `11/27`, or an empty text if the text has none."""
    slashes = date_input.AMBIGUOUS.search(typed)
    return "" if slashes is None else date_input.AMBIGUOUS_SAYS.format(slashes[0])


def unreadable(typed: str) -> str:
    """Return a sentence that says why the text cannot be read."""
    return ambiguity(typed) or "Type a table and a time, or a table and a hand."


def _time(word: str) -> time | None:
    """Parse a time of day, with its UTC offset if one was typed. Return None if the text is not a time."""
    written = _TIME(word)
    if written is None:
        return None
    at, sign, hours, minutes = written.groups()
    distance = timedelta(hours=int(hours or 0), minutes=int(minutes or 0))
    try:
        read = time.fromisoformat(at.zfill(5) if at.count(":") == 1 else at.zfill(8))
    except ValueError:
        return None
    if not sign:
        return read
    return (
        read.replace(tzinfo=timezone(-distance if sign == "-" else distance))
        if distance <= clock.MOST_OFFSET and int(minutes or 0) < 60
        else None
    )


_TIME = re.compile(
    r"([0-9]{1,2}:[0-9]{1,2}(?::[0-9]{1,2}(?:\.[0-9]{1,6})?)?)(?:([+-])([0-9]{1,2})(?::?([0-9]{2}))?)?",
    re.ASCII,
).fullmatch

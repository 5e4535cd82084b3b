"""The filters of the search over all hands. The page, the REST API, its schema and the guide use this list.

A URL has each filter at most once, and its values are alternatives: `dealer=d-107,d-110`. A hand must match
all filters.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple

from audit.facts.input_parsing import day_of
from audit.facts.vocabulary import VERDICTS
from audit.queries import round_search
from audit.queries.round_search import Condition, Search
from audit.review.projections import FLAGGED, GRADES
from audit.review.queue import STATES
from casino.models import Standing
from casino.presentation.amount_input import parse_amount
from casino.presentation.errors import ActionRejected
from casino.presentation.formatting import code_label, day_label, game_title, money
from casino.reference import calendar
from casino.reference.registers import currency_of
from games import GAMES
from games.kit.cards import RANKS, SUITS
from games.kit.codes import GRADE

VALUES = 20
"""Maximum number of values of one filter."""
LETTERS = 200
"""Maximum length of a value, in characters."""
LIST, AMOUNT, DAY = "list", "amount", "day"
SUIT_SIGNS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
WORDS_OF_STATE = {
    "open": "without a verdict",
    "second": "needs a second reviewer",
    "escalated": "escalated",
    "decided": "decided",
}


class FilterError(ValueError):
    """A parameter is not valid. The text says what is wrong and what to do."""

    def __init__(self, name: str, says: str) -> None:
        super().__init__(says)
        self.name = name


class Filter(NamedTuple):
    """A filter: its parameter, its label on the page, the kind of its values, and a sentence that says what
    it means.

    Attributes:
        column: the column of `round_tally` that it reads.
        words: for a closed list, each word and its label.
    """

    name: str
    label: str
    kind: str
    column: str
    says: str
    example: str
    words: Callable[[], Mapping[str, str]] | None = None


def _labels(words: Sequence[str]) -> dict[str, str]:
    return {word: code_label(word) for word in words}


def _list(
    name: str, says: str, example: str, column: str = "", words: Callable[[], Mapping[str, str]] | None = None
) -> Filter:
    """Return a filter that accepts several values. The name of its parameter is also its label. It is also
    the column that it reads, if `column` is empty.
    """
    return Filter(name, name, LIST, column or name, says, example, words)


FILTERS = (
    _list("dealer", "Staff ID of the dealer.", "d-107,d-110"),
    _list("supervisor", "Staff ID of the supervisor.", "s-201"),
    _list("player", "A player whom a bet names.", "p-90210", column="players"),
    _list("spot", "A betting position with a bet.", "3", column="spots"),
    _list("wager", "A wager that was bet, or on which money moved.", "over", column="wagers"),
    _list(
        "outcome",
        "How a wager ended by the rules (`over won`, `over lost`, `over push`, `over no bet`), the sum of the"
        " dice (`roll 7`), what a studio declared (`declared andar`), or `void`.",
        "over won",
        column="outcomes",
    ),
    _list("card", "A card that was dealt or burned; a rank means any suit.", "7d,Q", column="cards"),
    _list(
        "code",
        "The code of a finding on the hand.",
        "wrong-settlement",
        column="codes",
        words=lambda: _labels(sorted((*GRADE, FLAGGED))),
    ),
    _list(
        "grade",
        "The gravest grade of its findings; `none` for a hand without findings.",
        "money",
        column="rank",
        words=lambda: _labels((*GRADES, "none")),
    ),
    _list(
        "state",
        "State of the verdicts on its findings.",
        "open",
        words=lambda: {state: WORDS_OF_STATE[state] for state in STATES},
    ),
    _list(
        "verdict",
        "The last verdict on one of its findings.",
        "confirmed",
        column="verdicts",
        words=lambda: _labels(tuple(VERDICTS)),
    ),
    _list("officer", "Who gave or reviewed a verdict on the hand.", "v-101", column="officers"),
    _list("shift", "The shift in which the hand was opened.", "grave"),
    Filter("pit", "pit", LIST, "", "The pit of the table, by the register of its gaming day.", "pit-1"),
    _list("table", "The table, with or without its property.", "EOU-01"),
    _list(
        "game",
        "The game with which the table was opened.",
        "easy_over_under",
        words=lambda: {game: game_title(game) for game in GAMES},
    ),
    Filter(
        "staked_from",
        "bet",
        AMOUNT,
        "staked",
        "The bets of the hand add up to this amount or more.",
        "500.00",
    ),
    Filter("paid_from", "paid", AMOUNT, "paid", "The hand paid this amount or more.", "500.00"),
    Filter(
        "difference_from",
        "difference",
        AMOUNT,
        "difference",
        "The amounts of its findings, to players and to the casino, add up to this amount or more.",
        "25.00",
    ),
    Filter("day_from", "gaming day", DAY, "day", "The first gaming day.", "2026-10-28"),
    Filter("day_last", "gaming day", DAY, "day", "The last gaming day, included.", "2026-11-27"),
    Filter(
        "date_from",
        "date",
        DAY,
        "opened_at",
        "The first calendar date of the property's clock on which hands were opened.",
        "2026-11-15",
    ),
    Filter(
        "date_last", "date", DAY, "opened_at", "The last calendar date of this range, included.", "2026-11-15"
    ),
)
"""All filters, in the order in which they are offered."""
BY_NAME = {search_filter.name: search_filter for search_filter in FILTERS}
CURRENCY = "currency"
CURRENCY_SAYS = "The currency of the amounts; default: that of the property."
SORT = "sort"
SORTS = tuple(f"{sign}{order}" for order in round_search.ORDERS for sign in ("-", ""))
SORT_SAYS = "The order; `-` means the latest or largest first."
USUAL_SORT = "-opened"
PARAMETERS = (*BY_NAME, CURRENCY, SORT)
"""The parameters of a search, without the property."""


class Chip(NamedTuple):
    """A filter of the search, as the page shows it: a label that the user can remove.

    Attributes:
        names: the parameters to delete if the user removes it.
    """

    label: str
    text: str
    names: tuple[str, ...]


class Wanted(NamedTuple):
    """A search that was parsed from the parameters of a URL. The values are written as in the URL."""

    search: Search
    given: dict[str, str]
    chips: tuple[Chip, ...]
    sort: str


def read(property: str, params: Mapping[str, str]) -> Wanted:
    """Return the search that these parameters describe. Parameters that are not filters are ignored. Raise
    FilterError.
    """
    parameters = {name: params[name] for name in PARAMETERS if params.get(name)}
    sort = parameters.get(SORT, USUAL_SORT)
    if sort not in SORTS:
        raise FilterError(SORT, f"choose one of {', '.join(SORTS)}")
    currency = parameters.get(CURRENCY) or currency_of(property)
    if not re.fullmatch("[A-Z]{3}", currency):
        raise FilterError(CURRENCY, "write three capital letters, such as USD")
    conditions: list[Condition] = []
    chips: list[Chip] = []
    for search_filter in FILTERS:
        if search_filter.name not in parameters or search_filter.kind == DAY:
            continue
        if search_filter.kind == AMOUNT:
            amount = _amount(search_filter, parameters[search_filter.name], currency)
            conditions.append(round_search.at_least(search_filter.column, amount, currency))
            text = f"{money(amount, currency)} {currency} or more"
        else:
            values = split(search_filter, parameters[search_filter.name])
            conditions.append(_of_list(search_filter, property, values))
            text = " or ".join(label_of(search_filter, value) for value in values)
        chips.append(Chip(search_filter.label, text, (search_filter.name,)))
    for from_, to in (("day_from", "day_last"), ("date_from", "date_last")):
        if from_ in parameters or to in parameters:
            begins, ends = _days(parameters, from_, to)
            conditions.append(_range(property, BY_NAME[from_].column, begins, ends))
            chips.append(Chip(BY_NAME[from_].label, _days_in_words(begins, ends), (from_, to)))
    order = sort.removeprefix("-")
    search = Search(property, tuple(conditions), order, sort.startswith("-"))
    return Wanted(search, parameters, tuple(chips), sort)


def split(search_filter: Filter, text: str) -> list[str]:
    """Return the values of a list: `a,b`. A backslash precedes a comma within a value. Raise FilterError."""
    values = [re.sub(r"\\(.)", r"\1", part) for part in re.findall(r"(?:\\.|[^\\,])+", text)]
    values = list(dict.fromkeys(value.strip() for value in values if value.strip()))
    if not values or len(values) > VALUES:
        raise FilterError(search_filter.name, f"give one to {VALUES} values, separated by commas")
    if any(len(value) > LETTERS or "\0" in value for value in values):
        raise FilterError(search_filter.name, f"a value has at most {LETTERS} characters")
    words = search_filter.words() if search_filter.words is not None else None
    for value in values:
        if words is not None and value not in words:
            raise FilterError(search_filter.name, f"{value[:60]!r} is not one of {', '.join(words)}")
        if search_filter.name == "card" and not cards_of(value):
            raise FilterError(
                search_filter.name, f"{value[:60]!r} is not a card; write 7d, Td or a rank such as Q"
            )
    return values


def join(values: Sequence[str]) -> str:
    """Return the values as a list in a URL: `a,b`."""
    return ",".join(re.sub(r"([\\,])", r"\\\1", value) for value in values)


def label_of(search_filter: Filter, value: str) -> str:
    """Return the label of a value."""
    if search_filter.words is not None:
        return search_filter.words().get(value, value)
    if search_filter.name == "card":
        return card_label(value)
    return value


def card_label(value: str) -> str:
    """Return the label of a card: `7♦`, or `7 of any suit`."""
    cards = cards_of(value)
    if len(cards) == 1:
        return f"{cards[0][0].replace('T', '10')}{SUIT_SIGNS[cards[0][1]]}"
    return f"{value.upper().replace('T', '10')} of any suit"


def cards_of(value: str) -> list[str]:
    """Return the cards that match a value: one card, or the four suits of a rank. Return an empty list if the
    value is not a card.
    """
    text = value.strip().upper().replace("10", "T")
    for letter, sign in SUIT_SIGNS.items():
        text = text.replace(sign, letter.upper())
    rank, suit = text[:1], text[1:].lower()
    if not rank or rank not in RANKS or (suit and suit not in (*SUITS,)):
        return []
    return [rank + suit_letter for suit_letter in suit or SUITS]


def _of_list(search_filter: Filter, property: str, values: Sequence[str]) -> Condition:
    if search_filter.name == "card":
        values = [card for value in values for card in cards_of(value)]
    elif search_filter.name == "table":
        prefix = f"{property}/"
        values = [value if value.startswith(prefix) else prefix + value for value in values]
    elif search_filter.name == "pit":
        return round_search.at_tables(list(_tables_of(property, values)))
    elif search_filter.name == "grade":
        ranks = [GRADES.index(value) + 1 if value in GRADES else 0 for value in values]
        return round_search.equals(search_filter.column, ranks)
    if search_filter.column in _ARRAYS:
        return round_search.contains(search_filter.column, values)
    return round_search.equals(search_filter.column, values)


_ARRAYS = frozenset({"players", "spots", "wagers", "outcomes", "cards", "codes", "verdicts", "officers"})


def _tables_of(property: str, pits: Sequence[str]) -> Iterator[tuple[str, date, date]]:
    """Yield the tables of these pits, each with the range of gaming days on which the table belongs to one of
    the pits.
    """
    rows = Standing.objects.filter(property=property, register="tables", value__pit__in=list(pits))
    for row in rows:
        yield f"{property}/{row.key.removeprefix(f'{property}/')}", row.begins, row.ends


def _amount(search_filter: Filter, text: str, currency: str) -> int:
    try:
        return parse_amount(text, currency, search_filter.label)
    except ActionRejected as rejected:
        says = str(rejected).partition(": ")[2].removesuffix(".")
        raise FilterError(search_filter.name, f"give {says}") from None


def _days(parameters: Mapping[str, str], from_: str, to: str) -> tuple[date | None, date | None]:
    days: list[date | None] = []
    for name in (from_, to):
        day = day_of(parameters[name]) if name in parameters else None
        if name in parameters and day is None:
            raise FilterError(name, f"{parameters[name][:60]!r} is not a valid date (use 2026-11-27)")
        days.append(day)
    begins, ends = days
    if begins is not None and ends is not None and begins > ends:
        raise FilterError(to, f"{day_label(ends)} is before {day_label(begins)}; give a later day")
    return begins, ends


def _range(property: str, column: str, begins: date | None, last: date | None) -> Condition:
    ends = last + timedelta(days=1) if last is not None else None
    if column == "day":
        return round_search.within(column, begins, ends)
    return round_search.within(column, *(_midnight(property, day) for day in (begins, ends)))


def _midnight(property: str, day: date | None) -> datetime | None:
    """Return the instant at which a calendar date begins by the property's clock, or None if there is no
    date.
    """
    if day is None:
        return None
    return datetime.combine(day, time(), calendar.zone(property, day)).astimezone(UTC)


def _days_in_words(begins: date | None, ends: date | None) -> str:
    if begins == ends and begins is not None:
        return day_label(begins)
    if begins is None or ends is None:
        return f"until {day_label(ends)}" if ends is not None else f"from {day_label(begins or '')}"
    return f"{day_label(begins)} to {day_label(ends)}"

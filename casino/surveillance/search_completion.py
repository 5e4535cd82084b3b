"""Completion of a typed filter: the matching choices, each with the number of hands that would remain."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import NamedTuple
from urllib.parse import urlencode

from audit.queries import round_search
from audit.queries.round_search import OFFERED, OFFERING
from casino.models import Standing
from casino.presentation.date_input import with_iso_dates
from casino.presentation.formatting import day_label
from casino.reference.calendar import gaming_day
from casino.surveillance import search_filters
from casino.surveillance.search_filters import AMOUNT, BY_NAME, DAY, FILTERS, Filter, FilterError, Wanted

RANGE = " to "
"""The text between the first and the last date of a range, such as `2026-11-01 to 2026-11-27`."""


class Choice(NamedTuple):
    """A choice that completion offers.

    Attributes:
        query: the parameters of the search with this choice. It is empty if the choice only fills the field
            with the text `fill`, which begins a filter.
        rounds: the number of hands that would remain, or None if it would take too long to count them.
    """

    label: str
    text: str
    query: str = ""
    fill: str = ""
    rounds: int | None = None


def choices(wanted: Wanted, typed: str) -> list[Choice]:
    """Return the choices for a text such as `card: 7`, `gaming day: 2026-11-01 to 2026-11-27` or `d-1`."""
    label, colon, text = typed.partition(":")
    named = (
        [
            search_filter
            for search_filter in FILTERS
            if label.strip().lower() in (search_filter.label, search_filter.name)
        ]
        if colon
        else []
    )
    if named:
        return list(_of_filter(wanted, named, text.strip()))[:OFFERED]
    text = typed.strip()
    beginnings = [
        Choice(label, "", fill=f"{label}: ")
        for label in dict.fromkeys(search_filter.label for search_filter in FILTERS)
        if label.startswith(text.lower())
    ]
    if not text:
        return beginnings
    words = [choice for search_filter in FILTERS for choice in _of_words(wanted, search_filter, text)]
    card = [search_filter for search_filter in (BY_NAME["card"],) if search_filters.cards_of(text)]
    typed_card = [_choice(wanted, search_filter, text, None) for search_filter in card]
    return [*beginnings, *typed_card, *words, *_offered(wanted, list(OFFERING), text)][:OFFERED]


def without(wanted: Wanted, *names: str) -> str:
    """Return the parameters of the search as a query string, without the parameters in `names`."""
    return query_of(wanted, {name: value for name, value in wanted.given.items() if name not in names})


def query_of(wanted: Wanted, parameters: dict[str, str]) -> str:
    """Return parameters as a query string, with the property."""
    ordered = {name: parameters[name] for name in search_filters.PARAMETERS if name in parameters}
    return urlencode({"property": wanted.search.property, **ordered})


def _of_filter(wanted: Wanted, named: list[Filter], text: str) -> Iterator[Choice]:
    search_filter = named[0]
    if search_filter.kind == DAY:
        yield from _of_days(wanted, named, text)
    elif search_filter.kind == AMOUNT:
        yield from _checked(wanted, search_filter, {search_filter.name: text} if text else {})
    elif search_filter.words is not None:
        yield from _of_words(wanted, search_filter, text)
    elif search_filter.name == "pit":
        rows = Standing.objects.filter(property=wanted.search.property, register="pits")
        for key in sorted(set(rows.values_list("key", flat=True))):
            if key.lower().startswith(text.lower()):
                yield _choice(wanted, search_filter, key, None)
    else:
        offered = _offered(wanted, [search_filter.name], text)
        if search_filter.name == "card" and search_filters.cards_of(text):
            yield _choice(wanted, search_filter, text, None)
        yield from offered
        if text and search_filter.name != "card" and text not in {choice.text for choice in offered}:
            yield from _checked(
                wanted, search_filter, {search_filter.name: _added(wanted, search_filter, text)}
            )


def _of_days(wanted: Wanted, named: list[Filter], text: str) -> Iterator[Choice]:
    begins, _, ends = (part.strip() for part in text.replace("..", RANGE).partition(RANGE))
    today = gaming_day(wanted.search.property)
    days = [with_iso_dates(part, today) for part in (begins, ends or begins)]
    values = dict(zip((search_filter.name for search_filter in named), days, strict=False))
    if begins:
        yield from _checked(wanted, named[0], values)
    for name, day in _days_near(wanted):
        if not text or name.startswith(text.lower()):
            same_day = {search_filter.name: day.isoformat() for search_filter in named}
            query = query_of(wanted, wanted.given | same_day)
            yield Choice(named[0].label, f"{name}, {day_label(day)}", query)


def _days_near(wanted: Wanted) -> list[tuple[str, date]]:
    """Return today and yesterday, as gaming days."""
    today = gaming_day(wanted.search.property)
    return [("today", today), ("yesterday", date.fromordinal(today.toordinal() - 1))]


def _checked(wanted: Wanted, search_filter: Filter, values: dict[str, str]) -> Iterator[Choice]:
    """Yield a choice that adds these parameters to the search, if they are valid."""
    parameters = wanted.given | values
    try:
        read = search_filters.read(wanted.search.property, parameters)
    except FilterError:
        return
    chip = next((chip for chip in read.chips if search_filter.name in chip.names), None)
    if values and chip is not None:
        yield Choice(chip.label, chip.text, query_of(wanted, parameters))


def _of_words(wanted: Wanted, search_filter: Filter, text: str) -> Iterator[Choice]:
    """Yield a choice for each word of the filter's closed list. The word or its label must contain the typed
    text.
    """
    for word, label in (search_filter.words() if search_filter.words is not None else {}).items():
        if text.lower() in label.lower() or text.lower() in word:
            yield _choice(wanted, search_filter, word, None)


def _offered(wanted: Wanted, names: list[str], text: str) -> list[Choice]:
    """Return the values of these filters that occur in the search's hands, the most frequent first."""
    offers, is_whole = round_search.offers(wanted.search, names, text)
    return [
        _choice(wanted, BY_NAME[offer.name], offer.value, offer.rounds if is_whole else None)
        for offer in offers
        if offer.value and (len(names) == 1 or BY_NAME[offer.name].words is None)
    ]


def _choice(wanted: Wanted, search_filter: Filter, value: str, rounds: int | None) -> Choice:
    parameters = wanted.given | {search_filter.name: _added(wanted, search_filter, value)}
    is_further = search_filter.name in wanted.given
    label = search_filters.label_of(search_filter, value)
    text = f"or {label}" if is_further else label
    return Choice(
        search_filter.label, text, query_of(wanted, parameters), rounds=None if is_further else rounds
    )


def _added(wanted: Wanted, search_filter: Filter, value: str) -> str:
    """Return the values that a filter of the search has, with one more value."""
    known = (
        search_filters.split(search_filter, wanted.given[search_filter.name])
        if search_filter.name in wanted.given
        else []
    )
    return search_filters.join([*known, *([] if value in known else [value])])

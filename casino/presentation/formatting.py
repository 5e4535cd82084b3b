"""Format money, codes, dates and clocks for people."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime, timedelta, tzinfo
from fractions import Fraction
from functools import lru_cache
from typing import Any

from audit.facts import HOUSE
from audit.facts.clock import comes_twice, offset_of
from audit.facts.input_parsing import whole
from games import GAMES
from games.kit.amounts import EXPONENT

MINUS = "\N{MINUS SIGN}"
ANNOUNCED = ("short-side", "no-short-side", "no-bonus?")
"""Announcements whose codes are written in words in a sentence."""


def only_currency(currencies: Iterable[str]) -> str:
    """Return the currency if all amounts of a table have the same, otherwise an empty text. The headings of
    the table then name it, and its cells do not.
    """
    first, *others = {*currencies} or {""}
    return "" if others else first


def money(amount: Any, currency: str) -> str:
    """Format minor units (a number, or a text such as `25/2`): `1,250.00`, `−0.125`.

    An amount that has no exact decimal form is shown as a fraction.
    """
    digits = EXPONENT.get(currency, 2)
    if type(amount) is int:
        return _whole_units(amount, digits)
    exact = Fraction(amount)
    sign, exact = (MINUS if exact < 0 else ""), abs(exact) / 10**digits
    while digits < 8 and (exact * 10**digits).denominator != 1:
        digits += 1
    scaled = exact * 10**digits
    if scaled.denominator != 1:
        return f"{sign}{exact.numerator}/{exact.denominator}"
    return sign + _whole_units(scaled.numerator, digits)


def _whole_units(amount: int, digits: int) -> str:
    """Format an integer of minor units, of which the last `digits` digits are decimals."""
    units, part = divmod(abs(amount), 10**digits)
    return f"{MINUS if amount < 0 else ''}{units:,}{f'.{part:0{digits}d}' if digits else ''}"


def signed(amount: Any, currency: str) -> str:
    """Format an amount with its sign. `+` means that it went to the player."""
    exact = amount if type(amount) is int else Fraction(amount)
    return f"{'+' if exact > 0 else ''}{money(amount, currency)}"


def magnitude(amount: Any, currency: str) -> str:
    """Format an amount without its sign, for pages that say in words who received the amount."""
    return money(abs(Fraction(amount)), currency)


def cents(amount: Fraction, currency: str) -> str:
    """Format an exact amount, rounded half up to the minor unit. It is used for computed amounts, which
    nobody pays in chips.
    """
    units = (2 * abs(amount.numerator) + amount.denominator) // (2 * amount.denominator)
    return money(-units if amount < 0 else units, currency)


def digits(currency: str) -> int:
    """Return the number of decimals of a currency."""
    return EXPONENT.get(currency, 2)


@lru_cache(maxsize=1_000)
def code_label(code: str) -> str:
    """Return the label of a code: `Wrong settlement`."""
    if re.search("[0-9]", code):
        return code  # `1-5` may be a wager or a range
    return code.replace("-", " ").replace("_", " ").capitalize()


@lru_cache(maxsize=1_000)
def wager_words(wager: str) -> str:
    """Return a wager's name within a sentence: `player A`, `dice 1`. A range keeps its hyphen: `6-10`."""
    words = re.sub(r"(?<![0-9])-|-(?![0-9])", " ", wager).replace("_", " ").split(" ")
    return " ".join(word.upper() if len(word) == 1 else word for word in words)


def wager_label(wager: str) -> str:
    """Return a wager's name as a label: `Player A`, `Dice 1`, `6-10`."""
    words = wager_words(wager)
    return words[:1].upper() + words[1:]


_CODES_IN_WORDS = sorted(
    {
        code
        for game in GAMES.values()
        for code in (*game.wagers, *game.payments, *ANNOUNCED)
        if re.search(r"-[a-z0-9]", code) and not re.fullmatch(r"[0-9]+-[0-9]+", code)
    },
    key=len,
    reverse=True,
)
"""Codes of wagers and announcements that are written in words in a sentence, the longest first."""
_CODE_IN_SENTENCE = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, _CODES_IN_WORDS))})(?![\w-])")
_DATE_IN_SENTENCE = re.compile(r"(?<![\w/“-])[0-9]{4}-[0-9]{2}-[0-9]{2}(?![\w/”-])")
_STREAM_IN_SENTENCE = re.compile(r"(?<![\w/“-])([\w-]+)/([\w-]+)/([0-9]{4}-[0-9]{2}-[0-9]{2})(?![\w/”-])")
"""The name of a stream: the code of the property, the code of the table, and the gaming day."""
_LONG_AMOUNT = re.compile(r"(?<![\w.,])[0-9]{4,}(?=(?:\.[0-9]+)? [A-Z]{3}\b)")


def finding_sentence(says: str) -> str:
    """Return the sentence of a finding as pages show it: wagers in words, dates as `14 Nov 2026`, and amounts
    with thousands separators. Exports contain the sentence as it was computed.
    """
    words = _CODE_IN_SENTENCE.sub(lambda code: wager_words(code[0]), dates_in_words(says))
    return _LONG_AMOUNT.sub(lambda amount: f"{int(amount[0]):,}", words)


def safe_file_name(name: str) -> str:
    """Return a file name that is safe in HTTP headers and on all file systems. Each character other than
    ASCII letters and digits becomes `_`.
    """
    return re.sub(r"[^A-Za-z0-9._-]", "_", name)


def field_label(name: str) -> str:
    """Return the label of a form field: `Carried by` for `carried_by`."""
    return name.replace("_", " ").capitalize()


@lru_cache(maxsize=1_000)
def game_title(code: str) -> str:
    """Return a game's title from its manual: `Bet on Teen Patti`."""
    name = code.replace("_", " ")
    parts = GAMES[code].source.title.split(", ") if code in GAMES else []
    return next((part for part in parts if part.lower() == name), name.title())


def day_label(on: date | str) -> str:
    """Format a calendar date or gaming day as on all pages: `14 Nov 2026`. A text that is not a date is
    returned unchanged.
    """
    try:
        on = date.fromisoformat(on) if isinstance(on, str) else on
    except ValueError:
        return str(on)
    return f"{on.day} {on:%b %Y}"


def month_label(month: str) -> str:
    """Format a month such as `2026-11` as on all pages: `Nov 2026`. Another text is returned unchanged."""
    try:
        first = date.fromisoformat(f"{month}-01")
    except ValueError:
        return month
    return f"{first:%b %Y}"


def dates_in_words(says: str) -> str:
    """Return a sentence as pages show it: each date in it as `14 Nov 2026`. The names of streams, such as
    `aurora/EOU-01/2026-11-14`, and instants are not changed.
    """
    return _DATE_IN_SENTENCE.sub(lambda written: day_label(written[0]), says)


def streams_in_words(says: str, property: str | None = None) -> str:
    """Return a note of a report as pages and PDF files show it: each stream as `EOU-01, gaming day 14 Nov
    2026`, and each other date as `14 Nov 2026`.

    Args:
        says: the note, in which a stream is written as `aurora/EOU-01/2026-11-14`.
        property: the property to which the report belongs. A table of another property is named with its
            property. If it is None, no table is.
    """

    def words(stream: re.Match[str]) -> str:
        table = f"{stream[1]}/{stream[2]}"
        return f"{table_label(table, property)}, gaming day {day_label(stream[3])}"

    return dates_in_words(_STREAM_IN_SENTENCE.sub(words, says))


def period_label(period: str) -> str:
    """Format the name of a period that is aggregated at once: a day (`14 Nov 2026`), several days
    (`1 Nov 2026 to 26 Nov 2026`), or a month (`2026-09`).
    """
    return " to ".join(map(day_label, period.split("..")))


def clock(at: datetime, zone: tzinfo) -> str:
    """Format an instant by the property's clock to the second, with its calendar date: `Sun 15 Nov,
    02:08:14`.

    If a clock change repeats this time, the UTC offset is added.
    """
    local = at.astimezone(zone)
    return f"{local:%a} {local.day} {local:%b, %H:%M:%S}{_repeated_offset(local)}"


def _repeated_offset(local: datetime) -> str:
    """Return the UTC offset in brackets if a clock change makes this local time occur twice. Return an empty
    text if it occurs once.
    """
    return f" ({offset_of(local)})" if comes_twice(local) else ""


def exact_clock(at: datetime, zone: tzinfo) -> str:
    """Format an instant like `clock`, but to the millisecond."""
    local = at.astimezone(zone)
    milliseconds = f"{local.microsecond // 1000:03d}"
    return f"{local:%a} {local.day} {local:%b, %H:%M:%S}.{milliseconds}{_repeated_offset(local)}"


def hex(raw: bytes) -> str:
    """Format a hash in full."""
    return raw.hex()


def short_hash(raw: bytes) -> str:
    """Format the first twelve hex digits of a hash."""
    return raw.hex()[:12]


def text(raw: bytes) -> str:
    """Decode the recorded bytes of a fact as text."""
    return raw.decode()


def date_time(at: datetime, zone: tzinfo) -> str:
    """Format an instant by the property's clock, with its calendar date and year."""
    local = at.astimezone(zone)
    return f"{local:%a} {day_label(local.date())}, {local:%H:%M:%S}{_repeated_offset(local)}"


def lasting(span: timedelta | None) -> str:
    """Format how long somebody must wait: `15 minutes`, `1 minute`."""
    minutes = -(-(span or timedelta(minutes=15)) // timedelta(minutes=1))
    return f"{minutes} minute{'s' if minutes != 1 else ''}"


def distance(span: timedelta) -> str:
    """Format the time between two instants: `45 s`, `12 min`, `3 h 20 min`, `2 days`."""
    seconds = int(span.total_seconds())
    if seconds < 120:
        return f"{max(1, seconds)} s"
    hours, minutes = divmod(seconds // 60, 60)
    if hours >= 48:
        return f"{hours // 24} days"
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"


def place(name: str) -> str:
    """Return the label of a place on the layout: `Spot 3`, `Dealer`, `Player p-90210`."""
    if whole(name) is not None:
        return f"Spot {name}"
    return f"Player {name}" if name.startswith("p-") else wager_label(name)


def cut_property(table: str) -> str:
    """Return the code of a table without its property, or `property` for facts that concern no table."""
    code = table.partition("/")[2]
    return "property" if code == HOUSE else code or table


def table_label(table: str, property: str | None = None) -> str:
    """Return the code of a table, with its property if this is not `property`. If `property` is None, return
    the code alone.
    """
    is_own = property is None or table.startswith(f"{property}/")
    return cut_property(table) if is_own else table


def display(name: str, value: Any) -> str:
    """Format a value by which rows are grouped: the title of a game, a table without its property,
    a day, a month, or the label of a code.
    """
    text = "" if value is None else str(value)
    labels: dict[str, Callable[[str], str]] = {
        "game": game_title,
        "table": cut_property,
        "day": day_label,
        "of_day": day_label,
        "month": month_label,
        "code": code_label,
        "missing": code_label,
    }
    return labels[name](text) if name in labels else text


def of_stream(stream: str, part: int) -> str:
    """Return a part of the name of a stream. If `part` is 0, this is the name of the table. If `part` is 1,
    it is the gaming day.
    """
    table, _, day = stream.rpartition("/")
    return day_label(day) if part else cut_property(table)


def get(words: Mapping[str, Any], key: str) -> Any:
    """Return the value of a key, or an empty text if the key does not exist."""
    return words.get(key, "")


def first_of(pair: Any, default: str) -> str:
    """Return the first item of a pair as text. Return `default` if the pair is empty or None."""
    return str(pair[0]) if pair else default


def join_sorted(kinds: Iterable[str]) -> str:
    """Return the texts in alphabetical order, separated by commas."""
    return ", ".join(sorted(kinds))


def grouped(figure: Any) -> str:
    """Format a number with thousands separators and the minus sign U+2212. Any other text is returned
    unchanged.
    """
    if type(figure) is int:
        return f"{MINUS if figure < 0 else ''}{abs(figure):,}"
    text = str(figure)
    if re.fullmatch(r"-?[0-9]+(\.[0-9]*)?", text) is None:
        return text
    units, point, part = text.lstrip("-").partition(".")
    return f"{MINUS if text.startswith('-') else ''}{int(units):,}{point}{part}"


def amount_class(figure: Any) -> str:
    """Return the CSS class of a figure: `zero`, or `below` if it is negative. Any other text has none."""
    text = str(figure).replace(MINUS, "-")
    if re.fullmatch(r"-?[0-9]+(\.[0-9]*)?", text) is None:
        return ""
    return "zero" if not text.strip("-0.") else "below" if text.startswith("-") else ""


def minus(figure: Any) -> str:
    """Format a figure with the minus sign U+2212."""
    return str(figure).replace("-", MINUS)


def lookup(names: Mapping[str, Any], id: str) -> Any:
    """Return the value for an ID, or the ID itself if it has no value. In templates: `{{
    names|lookup:id }}`.
    """
    return names.get(id, id)

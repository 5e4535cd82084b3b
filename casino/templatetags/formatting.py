"""Template filters for money, codes, dates and clocks (`casino/presentation/formatting.py`)."""

from __future__ import annotations

from typing import Any

from django import template

from audit.review.projections import FLAGGED
from casino.exports.formats.registry import download_of
from casino.presentation import formatting

register = template.Library()

for _filter in (
    formatting.cents,
    formatting.magnitude,
    formatting.digits,
    formatting.code_label,
    formatting.game_title,
    formatting.wager_label,
    formatting.dates_in_words,
    formatting.streams_in_words,
    formatting.clock,
    formatting.exact_clock,
    formatting.hex,
    formatting.short_hash,
    formatting.text,
    formatting.lasting,
    formatting.distance,
    formatting.place,
    formatting.cut_property,
    formatting.of_stream,
    formatting.get,
    formatting.first_of,
    formatting.join_sorted,
    formatting.grouped,
    formatting.amount_class,
    formatting.minus,
    formatting.lookup,
):
    register.filter(_filter.__name__, _filter)
register.filter("day", formatting.day_label)
register.filter("period", formatting.period_label)
register.filter("datetime", formatting.date_time)


@register.filter(name="money")
def money(amount: Any, currency: str) -> str:
    """Format an amount in minor units: `{{ stake|money:currency }}`. Return an empty text for a missing
    amount.
    """
    return "" if amount is None else formatting.money(amount, currency)


@register.simple_tag(name="amount")
def amount(value: Any, currency: str, unit: str) -> str:
    """Format an amount in a table whose headings name the currency `unit`: `{% amount paid currency unit %}`.
    If they name none, because the table has several currencies, the amount is followed by its currency.
    """
    return money(value, currency) if unit or value is None else f"{money(value, currency)} {currency}"


@register.filter
def with_unit(heading: str, unit: str) -> str:
    """Return the heading of a column with amounts: `{{ "Paid"|with_unit:unit }}`. It names the currency if
    all amounts of the table have the same.
    """
    return f"{heading}, {unit}" if unit else heading


@register.filter(name="signed")
def signed(amount: Any, currency: str) -> str:
    """Format an amount with its sign: `{{ moved|signed:currency }}`. Return an empty text for a missing
    amount.
    """
    return "" if amount is None else formatting.signed(amount, currency)


@register.filter
def finding_says(finding: Any) -> str:
    """Return the sentence of a finding as pages show it: `{{ finding|finding_says }}`. An officer's words
    on a flag are not changed.
    """
    says = str(finding.says)
    return says if finding.code == FLAGGED else formatting.finding_sentence(says)


@register.filter
def format_title(format: str) -> str:
    """Return the label of a file format, such as `CSV`, `CSV for Excel` or `Parquet`."""
    download = download_of(format)
    return download.label if download is not None else format

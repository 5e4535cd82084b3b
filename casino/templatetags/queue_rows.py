"""Template tags that draw the rows of the queue and of a search, and the options of the filters.

Drawn rows are cached. The cache key contains everything that a row shows, so a cached row is never outdated.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from django import template
from django.template.loader import render_to_string
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from audit.review.queue_money import MoneyTotal
from casino.presentation.formatting import code_label, money

register = template.Library()
DRAWN = 3_000
"""Number of rows that are cached in a process."""


@register.simple_tag
def hand_row(row: Any, may_judge: bool = False) -> SafeString:
    """Return the row of a hand."""
    return _drawn("surveillance/_hand_row.html", _hashable(row), bool(may_judge), row.is_snoozed)


@register.simple_tag
def search_row(row: Any, may_judge: bool = False) -> SafeString:
    """Return the row of a hand in the results of a search."""
    return _drawn("surveillance/_search_row.html", _hashable(row), bool(may_judge), False)


def _hashable(row: Any) -> Any:
    """Return the row with the lists of its hand replaced by tuples, so that the row can be a cache key."""
    lists = {name: tuple(value) for name, value in row.hand._asdict().items() if isinstance(value, list)}
    return row._replace(hand=row.hand._replace(**lists))


@lru_cache(maxsize=DRAWN)
def _drawn(template_name: str, row: Any, may_judge: bool, is_snoozed: bool) -> SafeString:
    context = {"row": row, "may_judge_here": may_judge, "is_snoozed": is_snoozed}
    return render_to_string(template_name, context)


@register.filter
def money_total(total: MoneyTotal) -> str:
    """Return the amounts of the listed hands in one currency as text, with the kind of each."""
    amounts = {
        "to players": total.to_players,
        "to the casino": total.to_the_casino,
        "chips missing": total.chips_missing,
        "chips surplus": total.chips_surplus,
    }
    parts = [f"{money(amount, total.currency)} {kind}" for kind, amount in amounts.items() if amount]
    total_text = f"{money(sum(amounts.values()), total.currency)} {total.currency}"
    return f"{total_text}: {', '.join(parts)}"


@register.simple_tag
def code_choices(codes: Iterable[str], chosen: str) -> SafeString:
    """Return an HTML option for each finding code."""
    return _choices(tuple(codes), chosen)


@lru_cache(maxsize=200)
def _choices(codes: tuple[str, ...], chosen: str) -> SafeString:
    options = ((code, " selected" if code == chosen else "", code_label(code)) for code in codes)
    return format_html_join("", '<option value="{}"{}>{}</option>', options)

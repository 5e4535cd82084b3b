"""Template tags that draw the rows of the queue and the choices of its filters.

A row is drawn once for the same content: the cache is keyed by everything that the row shows, so it cannot
show anything else.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from django import template
from django.template.loader import render_to_string
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from casino.presentation.formatting import code_label

register = template.Library()
DRAWN = 3_000
"""Number of rows that are cached in a process."""


@register.simple_tag
def hand_row(row: Any, may_judge: bool = False) -> SafeString:
    """Return the row of a hand."""
    hashable = row._replace(hand=row.hand._replace(codes=tuple(row.hand.codes)))
    return _drawn(hashable, bool(may_judge), row.is_snoozed)


@lru_cache(maxsize=DRAWN)
def _drawn(row: Any, may_judge: bool, is_snoozed: bool) -> SafeString:
    context = {"row": row, "may_judge_here": may_judge, "is_snoozed": is_snoozed}
    return render_to_string("surveillance/_hand_row.html", context)


@register.simple_tag
def code_choices(codes: Iterable[str], chosen: str) -> SafeString:
    """Return an option for each code of a finding."""
    return _choices(tuple(codes), chosen)


@lru_cache(maxsize=200)
def _choices(codes: tuple[str, ...], chosen: str) -> SafeString:
    options = ((code, " selected" if code == chosen else "", code_label(code)) for code in codes)
    return format_html_join("", '<option value="{}"{}>{}</option>', options)

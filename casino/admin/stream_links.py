"""How lists of the admin show a stream, and the links from a fact or a finding to its hand and its table."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from audit.facts import HOUSE
from casino.accounts.permissions import can
from casino.presentation.formatting import day_label
from casino.web.request_params import hand_url


def stream_parts(stream: str) -> SafeString:
    """Return a stream as HTML that breaks only after a slash, so that a phone shows table and day whole."""
    *parents, last = stream.split("/")
    parts = [*(f"{part}/" for part in parents), last]
    return format_html_join("", '<span class="part">{}</span>', ((part,) for part in parts))


def links_of(person: Any, property: str, stream: str, number: int, round: str | None) -> SafeString:
    """Return links to the hand, or to a fact without a hand, and to the table of a stream. Return only
    those that the person may open.
    """
    _, table, day = stream.split("/", 2)
    links = []
    if can(person, "see-hand", property):
        words = f"hand {round}" if round else f"fact {number}"
        links.append((hand_url(stream, round or f"#{number}"), f"{words} of {table}, {day_label(day)}"))
    if table != HOUSE and can(person, "see-floor", property):
        links.append((reverse("floor_table", args=[property, table]), f"table {table}"))
    return format_html_join("", '<div><a href="{}">{}</a></div>', links)

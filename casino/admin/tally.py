"""The list of the tally in the admin: what replay counted by table, gaming day, hour, dealer and wager."""

from __future__ import annotations

from datetime import datetime

from django.contrib import admin
from django.utils.html import format_html

from audit.facts.clock import offset_of
from casino import models as house
from casino.admin.read_only_list import ListOnly
from casino.admin.stream_links import stream_parts
from casino.presentation.formatting import day_label, money

HOUR = len("2026-11-27T20")
"""The part of an hour of the tally before the offset of the device's clock."""


@admin.register(house.Tally)
class TallyAdmin(ListOnly):
    act = "see-hold"
    list_display = (
        "of_stream",
        "begins",
        "dealer",
        "of_wager",
        "shift",
        "rounds",
        "bets",
        "staked_amount",
        "paid_amount",
        "taken_amount",
        "returned_amount",
        "currency",
        "pay_table",
        "price_class",
    )
    ordering = ("stream", "currency", "shift", "hour", "dealer", "wager", "pay_table", "price_class")
    search_fields = ("stream",)
    search_help_text = "A stream, such as aurora/EOU-01/2026-11-27"

    @admin.display(description="stream")
    def of_stream(self, row: house.Tally) -> str:
        return stream_parts(row.stream)

    @admin.display(description="hour from")
    def begins(self, row: house.Tally) -> str:
        """Return the beginning of the hour by the device's clock, such as `28 Oct 2026, 06:00 UTC-07:00`."""
        at = _hour(row)
        return f"{day_label(at.date())}, {at:%H:%M} UTC{offset_of(at)}" if at is not None else ""

    @admin.display(description="wager")
    def of_wager(self, row: house.Tally) -> str:
        """Return the wager. On a narrow screen, hour and dealer have no column and are shown under it."""
        at = _hour(row)
        words = (row.wager or "–", f"{at:%H:%M}" if at is not None else "", row.dealer)
        return format_html('{} <small class="narrow">{}</small> <small class="narrow">{}</small>', *words)

    @admin.display(description="staked")
    def staked_amount(self, row: house.Tally) -> str:
        """Return the stakes. On a phone, the currency has no column and is shown under them."""
        return format_html(
            '{}<small class="phone">{}</small>', money(int(row.staked), row.currency), row.currency
        )

    @admin.display(description="paid")
    def paid_amount(self, row: house.Tally) -> str:
        return money(int(row.paid), row.currency)

    @admin.display(description="taken")
    def taken_amount(self, row: house.Tally) -> str:
        return money(int(row.taken), row.currency)

    @admin.display(description="returned")
    def returned_amount(self, row: house.Tally) -> str:
        return money(int(row.returned), row.currency)


def _hour(row: house.Tally) -> datetime | None:
    """Return the beginning of the hour of a row, by the device's clock, or None if it has no hour."""
    return datetime.fromisoformat(f"{row.hour[:HOUR]}:00{row.hour[HOUR:]}") if row.hour else None

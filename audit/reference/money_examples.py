"""Examples of facts about money after the table, without the fields of every fact."""

from __future__ import annotations

from typing import Any


def money_fields(day: str) -> dict[str, dict[str, Any]]:
    """Return for each kind the fields of its example on this gaming day."""
    return {
        "marker-written-off": {
            "slip": "M-AUR-000032",
            "player": "p-90210",
            "currency": "USD",
            "amount": 30_000,
            "reason": "the player is bankrupt",
            "by": "a-101",
            "second": "a-102",
        },
        "drop-received": {
            "of_day": day,
            "currency": "USD",
            "amount": 250_000,
            "by": "c-301",
            "second": "k-501",
        },
        "deposit-sent": {
            "deposit": "004711",
            "currency": "USD",
            "amount": 200_000,
            "carrier": "armored-transport",
            "by": "c-301",
            "second": "g-401",
        },
        "deposit-confirmed": {
            "deposit": "004711",
            "currency": "USD",
            "amount": 200_000,
            "by": "a-101",
            "reference": "BK-20261128-17",
        },
        "marker-recovered": {
            "slip": "M-AUR-000032",
            "player": "p-90210",
            "currency": "USD",
            "amount": 5_000,
            "by": "c-301",
        },
    }

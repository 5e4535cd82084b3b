"""Facts about alerts and webhooks that a page would refuse. Tests record them as a file or a device would
send them.
"""

from __future__ import annotations

from typing import Any

Fact = dict[str, Any]
RULE = {"kind": "alert-rule-set", "rule": "now", "active": True, "on": "finding", "by": "o-1"}
WEBHOOK = {
    "kind": "webhook-set",
    "webhook": "soc",
    "active": True,
    "url": "https://soc.example/catwalk",
    "by": "m-9",
}
REFUSED_ALERTS: dict[str, list[Fact]] = {
    "an alert rule of an unknown cause": [RULE | {"on": "weather"}],
    "a webhook whose URL has a space": [WEBHOOK | {"url": "https://soc.example/cat walk"}],
    "a webhook with a word as URL": [WEBHOOK | {"url": "soc"}],
    "a webhook for an unknown type of event": [WEBHOOK | {"events": ["rain.fallen"]}],
}
"""Cases whose last fact is refused."""


def of_alerts(staff: list[Fact]) -> dict[str, list[Fact]]:
    """Return test cases by name. The name says what is wrong with the facts. The ledger accepts these facts,
    and replay reports a finding.

    Args:
        staff: the entries of the register of people.
    """
    return {
        "an alert rule set by a dealer": [*staff, RULE | {"by": "d-1"}],
        "a webhook set by a dealer": [*staff, WEBHOOK | {"by": "d-1"}],
    }

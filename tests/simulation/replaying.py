"""Replay generated nights through both folds of Catwalk: that of each table's stream and that of the whole
ledger.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import json

from audit import facts
from audit.replay.fold import replay
from audit.replay.ledger_fold import replay_ledger
from audit.replay.results import Finding
from games.kit.events import Event


def findings(posted: Iterable[dict[str, Any] | bytes]) -> list[Finding]:
    """Return the findings in these facts: those of each table's stream, followed by those of the whole
    ledger. The order of the facts is kept.
    """
    streams: dict[str, list[Event]] = {}
    rows: list[tuple[int, str, int, Event]] = []
    for position, fact in enumerate(posted, 1):
        prepared = facts.check(fact if isinstance(fact, bytes) else json.encode(fact))
        event = facts.decode(prepared.body)
        stream = streams.setdefault(
            f"{prepared.property}/{prepared.stream}" if "/" not in prepared.stream else prepared.stream, []
        )
        stream.append(event)
        rows.append((position, prepared.stream, len(stream), event))
    found_in_streams = [
        finding
        for name, events in streams.items()
        if "/house/" not in name
        for finding in replay(events, name).findings
    ]
    return found_in_streams + replay_ledger(rows)


FIELDS = ("code", "round", "uid", "spot", "wager", "owed", "moved", "slip")


def fits(finding: Finding, expected: dict[str, Any]) -> bool:
    """Return True if the finding has every value in `expected`."""
    return all(getattr(finding, name) == expected[name] for name in FIELDS if name in expected)


def differences(
    replayed: Iterable[Finding], expect: list[dict[str, Any]], allowed: list[dict[str, Any]]
) -> list[str]:
    """Return a sentence for each expected finding that is missing, and for each finding that is neither
    expected nor `allowed`.
    """
    left = list(replayed)
    wrong = []
    for expected in expect:
        hit = next((finding for finding in left if fits(finding, expected)), None)
        if hit is None:
            wrong.append(f"not found: {expected}")
        else:
            left.remove(hit)
    short = [
        (
            finding.code,
            finding.round,
            finding.spot,
            finding.wager,
            finding.owed,
            finding.moved,
            finding.slip,
            finding.uid,
        )
        for finding in left
    ]
    return wrong + [
        f"too much: {text}"
        for finding, text in zip(left, short, strict=True)
        if not any(fits(finding, expected) for expected in allowed)
    ]

"""A device may send to the property's stream only what its register entry allows. If more is recorded, replay
reports it.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.audit.checks.ledgers import DAY, Book

ADJUSTED = {
    "of_table": "aurora/EOU-01",
    "of_day": DAY,
    "what": "drop",
    "amount": 5,
    "reason": "late",
    "by": "a-1",
    "second": "a-2",
}
FLAGGED = {"of_table": "aurora/EOU-02", "of_day": DAY, "round": "r-1", "why": "x", "by": "v-1"}
PIT = {"register": "pits", "key": "p", "value": {}, "from": None, "by": "m-1", "second": "m-2"}
PERSON = PIT | {"register": "people", "key": "x-9", "value": {"role": "administrator"}}
TABLE = PIT | {"register": "tables", "key": "EOU-01"}
EVERY = {"tables": ["*"], "house": True}


def device_findings(kind: str, fields: dict[str, Any], **value: Any) -> list[tuple[str, str]]:
    """Return code and citation of each finding about a fact that the device shoe-7 sent."""
    book = Book()
    book.staff()
    book.enter("devices", "shoe-7", value)
    book.open()
    book.add("day-closed", by="a-1")
    book.add(kind, "house", source="shoe-7", **fields)
    return [(finding.code, finding.cite) for finding in book.findings() if finding.cite == "Control AC-08"]


@pytest.mark.parametrize(
    ("kind", "fields", "value", "code"),
    [
        ("register-set", PIT, {"tables": ["*"]}, "signer-not-entitled"),
        ("register-set", PIT, {"tables": ["EOU-01"], "house": True}, "signer-not-entitled"),
        ("register-set", PIT, EVERY | {"kinds": ["flagged"]}, "signer-not-entitled"),
        ("register-set", PERSON, EVERY, "signer-not-entitled"),
        ("register-set", PERSON, EVERY | {"kinds": ["register-set"]}, "signer-not-entitled"),
        ("adjusted", ADJUSTED, {"tables": ["EOU-02"], "house": True}, "adjusted-elsewhere"),
        ("flagged", FLAGGED, {"tables": ["EOU-01"], "house": True}, "signer-not-entitled"),
    ],
)
def test_a_fact_that_a_device_was_not_registered_for_is_found(
    kind: str, fields: dict[str, Any], value: dict[str, Any], code: str
) -> None:
    assert device_findings(kind, fields, **value) == [(code, "Control AC-08")]


@pytest.mark.parametrize(
    ("kind", "fields", "value"),
    [
        ("register-set", PIT, EVERY),
        ("register-set", TABLE, {"tables": ["EOU-01"], "house": True, "kinds": ["register-set"]}),
        ("adjusted", ADJUSTED, {"tables": ["EOU-01"], "house": True, "kinds": ["adjusted"]}),
        ("flagged", FLAGGED, EVERY | {"kinds": ["flagged"]}),
    ],
)
def test_a_fact_that_a_device_was_registered_for_is_not_found(
    kind: str, fields: dict[str, Any], value: dict[str, Any]
) -> None:
    """Test that a register entry of an earlier release, which names no kinds, allows every kind that grants
    no rights.
    """
    assert device_findings(kind, fields, **value) == []

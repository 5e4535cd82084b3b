"""The daily log has the entries that the property requires. A camera that is down for longer than allowed
must be logged. A drop must be logged before its first box. If the register has no such requirement, nothing
is reported.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.audit.checks.ledgers import Book


def logged(**fields: Any) -> dict[str, Any]:
    return {"about": "x", "words_sha256": "0" * 64, "by": "v-1"} | fields


def log_findings(book: Book) -> list[tuple[str, int]]:
    return [
        (finding.code, finding.number)
        for finding in book.findings()
        if finding.code in ("camera-down-unlogged", "drop-not-logged")
    ]


CASES: list[tuple[list[tuple[str, int, dict[str, Any]]], int]] = [
    ([("camera-down", 0, {}), ("log-written", 30, {"camera": "cam-1"}), ("log-written", 99, {})], 0),
    ([("camera-down", 0, {}), ("log-written", 31, {"camera": "cam-1"})], 1),
    ([("camera-down", 0, {}), ("log-written", 31, {}), ("log-written", 99, {})], 1),
    ([("camera-down", 0, {}), ("log-written", 10, {"camera": "cam-2"}), ("camera-up", 31, {})], 1),
    ([("camera-down", 0, {}), ("camera-up", 30, {}), ("log-written", 99, {})], 0),
    ([("log-written", 0, {"camera": "cam-1"}), ("camera-down", 5, {}), ("log-written", 99, {})], 0),
    ([("log-written", 0, {"camera": "cam-1"}), ("camera-down", 31, {}), ("log-written", 99, {})], 1),
]
"""Cases of the test: the facts with their time in minutes, and the number of findings. The limit is 30
minutes.
"""


@pytest.mark.parametrize(("facts", "expected"), CASES)
def test_a_camera_that_is_down_is_logged_within_the_limit(
    facts: list[tuple[str, int, dict[str, Any]]], expected: int
) -> None:
    for limited in (True, False):
        book = Book()
        if limited:
            book.enter("thresholds", "camera-down", {"minutes": 30})
        for kind, minute, fields in facts:
            of = logged() if kind == "log-written" else {"camera": "cam-1", "reason": "x", "by": "v-1"}
            book.add(kind, "house", at=minute, **of | fields)
        assert [code for code, _ in log_findings(book)] == ["camera-down-unlogged"] * (
            expected if limited else 0
        )


@pytest.mark.parametrize(
    ("entries", "is_demanded", "expected"),
    [
        ([], True, 1),
        ([{"type": "drop"}], True, 0),
        ([{"type": "count"}, {}], True, 1),
        ([], False, 0),
    ],
)
def test_a_drop_is_logged_before_its_first_box(
    entries: list[dict[str, Any]], is_demanded: bool, expected: int
) -> None:
    book = Book()
    book.enter("thresholds", "drop-logged", {"demand": is_demanded})
    book.open()
    for fields in entries:
        book.add("log-written", "house", **logged(**fields))
    for box in ("B-1", "B-2"):
        book.add("box-pulled", box=box, shift="day", by="g-1", second="s-1")
    assert len(log_findings(book)) == expected

"""A count team has at least as many members as the property requires."""

from __future__ import annotations

import pytest

from tests.audit.checks.ledgers import COUNTED, PULLED, Book


@pytest.mark.parametrize(
    ("team", "minimum", "codes"),
    [
        (["n-1", "n-2"], None, []),
        (["n-1"], None, []),
        (["n-1"], 2, ["team-too-small"]),
        (["n-1", "n-2"], 3, ["team-too-small"]),
        (["n-1", "n-2", "n-3"], 3, []),
        (["n-1"], 1, []),
        ([], None, []),
    ],
)
def test_a_team_smaller_than_the_register_asks_for_is_found(
    team: list[str], minimum: int | None, codes: list[str]
) -> None:
    book = Book()
    book.open()
    if minimum is not None:
        book.enter("thresholds", "count-team", {"people": minimum})
    book.add("box-pulled", box="b-1", **PULLED)
    book.add("drop-counted", box="b-1", **COUNTED | {"team": team})
    assert [
        finding.code for finding in book.findings() if finding.code not in ("signed-once", "person-unknown")
    ] == codes


def test_the_sentence_names_the_team() -> None:
    book = Book()
    book.open()
    book.enter("thresholds", "count-team", {"people": 2})
    book.add("box-pulled", box="b-1", **PULLED)
    book.add("drop-counted", box="b-1", **COUNTED | {"team": ["n-1", "n-1"]})
    finding = book.only_finding("team-too-small")
    assert finding.says == "Box b-1 was counted by n-1; a count team has 2 people or more."
    assert finding.cite == "Control CO-01, WAC 230-15-610"

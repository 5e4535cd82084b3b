"""The drawing of the items of a case: the case is in the middle. Around it are its tables, people, slips and
files, and the cases that share an item with it. Positions are computed here, so the page needs no script.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import urlencode

from django.urls import reverse

from audit.review.case_fold import Case, Part
from casino.cases.queries import CaseRow
from casino.presentation.formatting import cut_property

WIDTH, NODE_WIDTH, NODE_HEIGHT, GAP = 320, 112, 32, 14
LETTERS = 15
"""Maximum length of a label in the drawing, in characters. A longer label is cut off."""
EACH_SIDE = 6
"""Maximum number of items that are drawn on each side of the case."""


class Node(NamedTuple):
    """A box of the drawing, for one item of the case. `address` is empty if the item has no page."""

    label: str
    title: str
    address: str
    x: int
    y: int


class Drawing(NamedTuple):
    """A drawing and its size.

    Attributes:
        rest: how many items have no place in the drawing.
    """

    center: Node
    nodes: list[Node]
    height: int
    rest: int
    says: str


def draw(property: str, case: Case, others: Sequence[tuple[Part, CaseRow]]) -> Drawing:
    """Return the drawing of a case with its items."""
    things = list(_things(property, case, others))
    shown = things[: 2 * EACH_SIDE]
    rows = max(1, (len(shown) + 1) // 2)
    height = max(rows, 2) * (NODE_HEIGHT + GAP) + NODE_HEIGHT + GAP
    nodes = []
    for place, (label, title, address) in enumerate(shown):
        column, row = place % 2, place // 2
        x = 2 if column == 0 else WIDTH - NODE_WIDTH - 2
        y = 2 + row * (NODE_HEIGHT + GAP) + (row >= rows // 2) * (NODE_HEIGHT + GAP)
        nodes.append(Node(_cut(label), title, address, x, y))
    middle = 2 + (rows // 2) * (NODE_HEIGHT + GAP)
    center = Node(case.case, f"Case {case.case}", "", (WIDTH - NODE_WIDTH) // 2, middle)
    says = ", ".join(title for _, title, _ in shown) or "no items yet"
    return Drawing(center, nodes, height, len(things) - len(shown), f"The case has {says}")


def _things(
    property: str, case: Case, others: Sequence[tuple[Part, CaseRow]]
) -> Sequence[tuple[str, str, str]]:
    """Return the label, the title and the address of each item that is drawn."""
    by_table: dict[str, int] = {}
    for hand in case.hands():
        table = cut_property(hand.stream.rpartition("/")[0])
        by_table[table] = by_table.get(table, 0) + 1
    tables = [
        (f"{table}: {count}", f"{count} hand{'s' * (count != 1)} of {table}", "")
        for table, count in by_table.items()
    ]
    single = [
        (part.of, f"{part.what} {part.of}", _address(property, part))
        for part in case.parts
        if part.what != "hand"
    ]
    known = {part.of for part in case.parts}
    subjects = [
        (subject.id, f"{subject.role} {subject.id}", "")
        for subject in case.subjects
        if subject.id and subject.id not in known
    ]
    files = [file for file in case.files if file.sha256 not in case.erased]
    stored = [(f"{len(files)} file{'s' * (len(files) != 1)}", f"{len(files)} files", "")] if files else []
    sharing = {row.case: row for _, row in others}
    related = [
        (number, f"case {number}, which has the same item", reverse("case", args=[property, number]))
        for number in sharing
        if number not in known
    ]
    return [*tables, *single, *subjects, *stored, *related]


def _address(property: str, part: Part) -> str:
    if part.what == "case":
        return reverse("case", args=[property, part.of])
    return f"{reverse('jump')}?{urlencode({'to': part.of})}" if part.what == "slip" else ""


def _cut(label: str) -> str:
    return label if len(label) <= LETTERS else f"{label[: LETTERS - 1]}…"

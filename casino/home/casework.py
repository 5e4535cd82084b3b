"""The home page of compliance: the open cases, sorted by due day."""

from __future__ import annotations

from casino.cases import queries, words
from casino.home.cards import Cell, Figure, FigureLine, Home, Line, Table, Viewer, first, head
from casino.presentation.formatting import code_label, day_label


def home(viewer: Viewer) -> Home:
    """Return the home page of compliance."""
    rows = queries.cases(viewer.person, queries.Wanted(viewer.property))
    return Home("Compliance", [open_cases(viewer, rows)], [due_first(viewer, rows)])


def open_cases(viewer: Viewer, rows: list[queries.CaseRow]) -> Figure:
    """Return the card with the number of open cases that the user may see."""
    late = sum(row.due is not None and row.due < viewer.today for row in rows)
    own_count = sum(row.owner == viewer.person.pk for row in rows)
    facts = [
        FigureLine("yours", f"{own_count:,}", viewer.link("see-case", "cases", mine="1")),
        FigureLine("past the due day", f"{late:,}", kind="alarm" if late else ""),
    ]
    number = queries.count_open(viewer.person, viewer.property)
    return Figure("Open cases", f"{number:,}", "", viewer.link("see-case", "cases"), facts)


def due_first(viewer: Viewer, rows: list[queries.CaseRow]) -> Table:
    """Return the card with the list of open cases that the user may see, the earliest due day first."""
    texts = words.texts_of(viewer.property, [row.title_sha256 for row in rows])
    lines = (
        Line(
            [
                Cell(row.case, "", viewer.address("see-case", "case", viewer.property, row.case)),
                Cell(texts[row.title_sha256], kind="sentence"),
                Cell(code_label(row.status)),
                Cell(row.owner),
                Cell(
                    day_label(row.due) if row.due is not None else "no due day",
                    kind="alarm" if row.due is not None and row.due < viewer.today else "",
                    is_number=True,
                ),
            ]
        )
        for row in rows
    )
    return Table(
        "Open cases",
        "the earliest due day first",
        head("Case", "Title", "State", "Owner", ">Due"),
        first(lines),
        "No case is open.",
        viewer.link("see-case", "cases"),
        "Cases",
        len(rows),
        is_wide=True,
    )

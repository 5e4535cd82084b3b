"""The internal controls for table games: what each one requires, and the regulations that require it.

`controls.csv` lists them. A finding about a control cites the control's id and the first regulation in its
list. The file lists only regulations whose text was checked, none that was quoted from memory.
"""

from __future__ import annotations

from csv import DictReader
from functools import cache
from pathlib import Path
from typing import NamedTuple


class Control(NamedTuple):
    """One internal control: its id, such as `OC-04`, its area, what it requires, and the regulations that
    require it.
    """

    id: str
    area: str
    requirement: str
    citations: tuple[str, ...]


@cache
def controls() -> dict[str, Control]:
    """Return every control by its id."""
    with (Path(__file__).parent / "controls.csv").open(encoding="utf-8", newline="") as file:
        rows = [
            Control(row["id"], row["area"], row["requirement"], split(row["citations"]))
            for row in DictReader(file)
        ]
    return {control.id: control for control in rows}


def split(citations: str) -> tuple[str, ...]:
    """Split one cell of `controls.csv` into its regulations, which are separated by semicolons."""
    return tuple(text.strip() for text in citations.split(";") if text.strip())


@cache
def cite(id: str) -> str:
    """Return the citation of a control, such as `Control OC-04, N.J.A.C. 13:69D-1.21(a)`.

    Raises:
        KeyError: no control has this id.
    """
    control = controls()[id]
    return ", ".join((f"Control {id}", *control.citations[:1]))


def event_reference(section: str) -> str:
    """Return a citation of the event reference (`docs/events.md`).

    Args:
        section: the heading of the cited section, which is `Fields of every fact` or the name of a kind of
            fact.
    """
    return f"Event reference, {section}"

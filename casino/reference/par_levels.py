"""The par levels of trays: how many pieces of each denomination a tray should hold. They are the member `par`
of an entry in the register `tables`: `{"DENOMINATION": pieces…}`, with denominations in minor units.
"""

from __future__ import annotations

from typing import Any

from audit.facts.input_parsing import whole


def par_of(entry: Any) -> dict[int, int]:
    """Return the par levels in a table's register entry, as {denomination in minor units: number of pieces}.
    Return an empty dict if the entry has no par levels.
    """
    par = entry.get("par") if isinstance(entry, dict) else None
    if not isinstance(par, dict):
        return {}
    levels = {whole(chip): pieces for chip, pieces in par.items() if isinstance(chip, str)}
    return {
        chip: pieces
        for chip, pieces in levels.items()
        if chip is not None and isinstance(pieces, int) and not isinstance(pieces, bool)
    }

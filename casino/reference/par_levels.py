"""The par levels of trays: how many pieces of each denomination a tray should hold. In the register `tables`,
it is the member `par`: `{"DENOMINATION": pieces…}`, with denominations in minor units.
"""

from __future__ import annotations

from typing import Any

from audit.facts.input_parsing import whole


def par_of(entry: Any) -> dict[int, int]:
    """Return {denomination in minor units: pieces} of a table's register entry; empty without par levels."""
    par = entry.get("par") if isinstance(entry, dict) else None
    if not isinstance(par, dict):
        return {}
    levels = {whole(chip): pieces for chip, pieces in par.items() if isinstance(chip, str)}
    return {
        chip: pieces
        for chip, pieces in levels.items()
        if chip is not None and isinstance(pieces, int) and not isinstance(pieces, bool)
    }

"""Progress of commands on the terminal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tqdm import tqdm

tqdm.monitor_interval = 0  # its monitor is a thread, and commands fork processes


def progress_bar(label: str, unit: str, total: int | None = None) -> Any:
    """Return a progress bar on stderr, as a context manager: call its `update` with the number of items done
    since the last call. Nothing is printed if stderr is not a terminal.

    Args:
        label: the word before the bar, such as "examined".
        unit: what is counted, such as "facts"; "B" for bytes, shown in multiples of 1,024.
        total: the total number of items, or None if it is not known.
    """
    scale = {"unit": unit, "unit_scale": True, "unit_divisor": 1024} if unit == "B" else {"unit": f" {unit}"}
    return tqdm(desc=label, total=total, disable=None, leave=False, mininterval=0.2, **scale)


def update_to(bar: Any) -> Callable[[int], None]:
    """Return a function that sets the progress bar. Call it with the number of items done so far."""
    return lambda count: bar.update(count - bar.n)

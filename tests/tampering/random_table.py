"""The table of the random changes: how many changes of each kind `verify` named, and how many it did not.

Each part of the changes is a test of its own, perhaps in another process. The test adds its figures to its
report, and pytest prints the sum of all parts at the end of the run.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

PROPERTY = "random changes"
"""The name under which a test adds its figures to its report."""
NAMED, NOT_COVERED, IMPOSSIBLE, MISSED = "named rightly", "no checkpoint", "impossible", "missed"
COLUMNS = (NAMED, NOT_COVERED, IMPOSSIBLE, MISSED)


class Part(NamedTuple):
    """The figures of one part of the changes.

    Attributes:
        tried: {kind of change: {outcome: number of changes}}.
        covered: the last position that a checkpoint covers.
        made_at: the time at which this checkpoint was made, in UTC.
        seconds: the time that the changes and their proofs took.
    """

    tried: dict[str, Counter[str]]
    covered: int
    made_at: str
    seconds: float


def as_text(part: Part) -> str:
    """Return the figures of a part as a text that a process can send to another process."""
    return json.dumps(part)


def parts(reports: Iterable[Any]) -> list[Part]:
    """Return the figures that tests added to their reports."""
    texts = [text for report in reports for name, text in report.user_properties if name == PROPERTY]
    read = [Part(*json.loads(text)) for text in texts]
    return [
        part._replace(tried={kind: Counter(outcomes) for kind, outcomes in part.tried.items()})
        for part in read
    ]


def lines(parts: list[Part]) -> Iterator[str]:
    """Yield the lines of the table: the sum of all parts. Yield nothing if no part was run."""
    if not parts:
        return
    tried: dict[str, Counter[str]] = {}
    for part in parts:
        for kind, outcomes in part.tried.items():
            tried.setdefault(kind, Counter()).update(outcomes)
    yield f"{'kind of change':18}{'tried':>8}" + "".join(f"{name:>16}" for name in COLUMNS)
    for kind, outcomes in [*tried.items(), ("all", sum(tried.values(), Counter[str]()))]:
        yield f"{kind:18}{outcomes.total():>8}" + "".join(f"{outcomes[name]:>16}" for name in COLUMNS)
    times = sorted(part.made_at for part in parts)
    yield (
        f"{NOT_COVERED}: facts after position {parts[0].covered}; the last checkpoint was made at"
        f" {times[0]} UTC{'' if times[0] == times[-1] else f' in the first part and {times[-1]} in the last'}"
    )
    yield f"{len(parts)} parts took {sum(part.seconds for part in parts):,.0f} s in all"

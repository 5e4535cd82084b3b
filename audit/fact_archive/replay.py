"""Replay archived facts, and return the results as lines of JSON. A replay of the same facts from the ledger
gives the same bytes.

Each table's gaming day is folded from its archived facts. The ledger fold of a property reads the archived
facts, and from the ledger those that are not archived.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from heapq import merge
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from msgspec import json

from audit.fact_archive import files
from audit.fact_archive.files import ArchivedFact, Part
from audit.facts import decode
from audit.findings.fold_facts import fold_ledger, fold_stream
from audit.findings.save import UNREAD
from audit.findings.stored_rows import finding_rows, slip_rows, tally_rows
from audit.jobs import work_units
from audit.jobs.leases import Lease
from audit.jobs.work_units import Progress, Result, Unit
from audit.ledger import store
from audit.replay.fold import Fold
from audit.replay.ledger_fold import LedgerFold, LedgerState, kinds_to_read
from audit.replay.registers import Registers
from audit.replay.results import Finding, Tally
from audit.replay.rules_fingerprint import rules_of_ledger
from games.kit.events import Event

LEARNED = ("read-corrected", "round-cancelled")
"""The kinds of fact that a fold of a table's day knows in advance (`store.learned`)."""
LedgerRow = tuple[int, str, int, bytes]
"""Position, stream, number and body of a fact."""
KIND = "replay-archived-day"
"""The kind of the jobs that replay an archived gaming day."""


class Day(NamedTuple):
    """An archived gaming day of a property: its name, such as `2026-10-01`, and its files, one for each part
    that has facts of it.
    """

    property: str
    day: str
    paths: list[tuple[int, Path]]
    """The position of the first fact of each file, and its path."""


def days(parts: Iterable[Part]) -> list[Day]:
    """Return the archived gaming days, sorted by property and day."""
    by_day: dict[tuple[str, str], Day] = {}
    for part in parts:
        for file in part.manifest.days:
            key = part.manifest.property, file.day.isoformat()
            by_day.setdefault(key, Day(*key, [])).paths.append((file.first, part.file(file)))
    return [by_day[key] for key in sorted(by_day)]


def replay_day(day: Day, progress: Progress = lambda facts: None) -> Iterator[bytes]:
    """Replay an archived gaming day, and yield a line for each stream, sorted by name."""
    learned: dict[str, list[Event]] = {}
    for fact in files.by_position(day.paths, LEARNED):
        learned.setdefault(fact.stream, []).append(decode(fact.body))
    folds: dict[str, Fold] = {}
    count = 0
    for fact in files.by_position(day.paths):
        fold = folds.get(fact.stream)
        if fold is None:
            fold = folds[fact.stream] = Fold(fact.stream, learned=learned.get(fact.stream, []))
        fold.take(fact.number, decode(fact.body))
        count += 1
        if count % files.PAGE == 0:
            progress(files.PAGE)
    progress(count % files.PAGE)
    for stream in sorted(folds):
        yield _line(stream, folds[stream])


def replay_day_of_ledger(day: Day, progress: Progress = lambda facts: None) -> Iterator[bytes]:
    """Replay the facts that the ledger has of an archived gaming day, and yield a line for each stream. Facts
    that were recorded after the day was archived are left out.
    """
    last: dict[str, int] = {}
    for fact in files.by_position(day.paths):
        last[fact.stream] = fact.number
    for stream in sorted(last):
        read = fold_stream(day.property, stream, None, progress, until=last[stream])
        yield _line(stream, read.fold)


def replay_days_on_workers(root: Path, progress: Progress, property: str | None) -> Iterator[bytes]:
    """Let the Celery workers of all machines replay the gaming days of an archive. Yield the lines of each
    day. Raise Unfinished if the workers cannot do it.

    Args:
        root: the folder of the archive. All workers must see it under this path.
        progress: called with the number of facts since the last call.
        property: only this property, or None for all.
    """
    chosen = [day for day in days(files.all_parts(root)) if property in (None, day.property)]
    rules, folder = rules_of_ledger(), str(root.resolve())
    units = [Unit(number, KIND, day.property, day.day, rules, folder) for number, day in enumerate(chosen)]
    yield from work_units.run(units, progress)


def job(lease: Lease) -> Callable[[], int]:
    """Replay the gaming day that a job names. Return a function that stores the result in the caller's
    transaction.
    """
    return work_units.job(lease, rules_of_ledger(), _replay_unit)


def _replay_unit(unit: Unit, progress: Progress) -> Result:
    parts = files.all_parts(Path(unit.arguments))
    (day,) = (day for day in days(parts) if (day.property, day.day) == (unit.property, unit.stream))
    facts = 0

    def count(number: int) -> None:
        nonlocal facts
        facts += number
        progress(number)

    content = b"".join(replay_day(day, count))
    return Result(facts, content)


def replay_ledger(property: str, parts: Iterable[Part], until: int) -> bytes:
    """Run the ledger fold of a property over its archived facts and over the facts that only the ledger has.
    Return a line with the findings.

    Args:
        until: the last position to read.
    """
    own = [part for part in parts if part.manifest.property == property]
    facts = _facts(own, {store.REGISTER}, until)
    entries = [event for *_, body in facts if LedgerFold.is_entry(event := decode(body))]
    fold = LedgerFold(Registers(entries), LedgerState(entries=entries))
    for position, stream, number, body in _facts(own, kinds_to_read(entries), until):
        fold.take(position, stream, number, decode(body))
    return _line_of_ledger(property, fold)


def replay_ledger_of_database(property: str, until: int) -> bytes:
    """Run the ledger fold of a property over the ledger alone. Return a line with the findings."""
    return _line_of_ledger(property, fold_ledger(property, UNREAD, from_start=True, until=until).fold)


def _facts(parts: list[Part], kinds: Iterable[str], until: int) -> Iterator[LedgerRow]:
    """Yield the facts of these kinds by position: the archived ones from the archive, the others from the
    ledger.
    """
    wanted = frozenset(kinds)
    paths = [(file.first, part.file(file)) for part in parts for file in part.manifest.days]
    archived = map(_row, files.by_position(paths, sorted(wanted)))
    property = parts[0].manifest.property if parts else ""
    sizes = {part.manifest.month: part.manifest.size for part in parts}  # the last part of a month counts
    not_archived = (
        row
        for row in store.read_kinds(property, wanted)
        if row[0] > sizes.get(row[1][-10:-3], 0) and row[0] <= until
    )
    return merge(archived, not_archived, key=itemgetter(0))


def _row(fact: ArchivedFact) -> LedgerRow:
    return fact.position, fact.stream, fact.number, fact.body


def _line(stream: str, fold: Fold) -> bytes:
    """Return the results of a table's day as a line: the rows of its findings, of each table of its tally,
    and of its slips.
    """
    tally = {table.name: rows for table, rows in tally_rows(fold.tally, Tally())}
    slips = slip_rows(fold.state.slips, {})
    findings = _findings("table", fold.findings.values())
    return json.encode({"stream": stream, "findings": findings, "tally": tally, "slips": slips}) + b"\n"


def _line_of_ledger(property: str, fold: LedgerFold) -> bytes:
    findings = _findings("ledger", fold.findings.values())
    return json.encode({"ledger": property, "findings": findings}) + b"\n"


def _findings(reader: str, findings: Iterable[Finding]) -> list[tuple[object, ...]]:
    return sorted(finding_rows(reader, findings), key=itemgetter(1, 2, 0))

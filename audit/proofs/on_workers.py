"""Let the Celery workers of all machines do the two longest parts of `manage.py verify`. They verify ranges
of positions of each ledger, and compare the stored results of each stream with replay.

The provers use these results instead of reading the same facts themselves. The command itself reads each
range in which a worker found a fault, and the facts that were recorded after the units were written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import msgpack

from audit import database
from audit.findings import examine, save
from audit.findings.parts import from_bytes
from audit.jobs import work_units
from audit.jobs.leases import Lease
from audit.jobs.work_units import Progress, Result, Unit
from audit.ledger import stored
from audit.ledger.pages import LedgerPart
from audit.ledger.verify import VerifiedRange, last_position, verify_range
from audit.proofs import derived, ledger
from audit.proofs.registry import Options, Proof
from audit.replay.rules_fingerprint import rules_of_ledger
from audit.snapshot_map import SETTINGS
from audit.tree.hashes import TILE_WIDTH
from audit.tree.scan import Blocks, blocks_of

RANGE = "verify-range"
"""The kind of the jobs that verify a range of positions."""
FACTS = 512 * TILE_WIDTH
"""Number of facts in a range."""
_decoder = msgpack.Decoder(tuple[LedgerPart, Blocks] | None)


def options_with_results(lines: Iterable[Proof], options: Options, progress: Progress) -> Options:
    """Let workers do the units whose results the provers of these lines can use. Return the options with the
    results.

    Raises Unfinished if the workers cannot do the units.
    """
    provers = {line.prove for line in lines}
    since = {checkpoint.property: checkpoint.size for checkpoint in options.since}
    ranges = list(_ranges(since)) if ledger.prove in provers else []
    streams = save.behind(True) if derived.prove_replay in provers else []
    rules = rules_of_ledger()
    subjects = [(RANGE, property, f"{begins}-{ends}", "") for property, begins, ends in ranges]
    subjects += [(examine.REEXAMINE, *name, examine.DRY_RUN) for name in streams]
    units = [
        Unit(number, kind, property, subject, rules, arguments)
        for number, (kind, property, subject, arguments) in enumerate(subjects)
    ]
    results = work_units.run(units, progress)
    verified = map(_decoder.decode, results[: len(ranges)])
    parts = map(from_bytes, results[len(ranges) :])
    return options._replace(
        ranges={
            (property, begins): part for (property, begins, _), part in zip(ranges, verified, strict=True)
        },
        compared={name: part.differences for name, part in zip(streams, parts, strict=True)},
    )


def job(lease: Lease) -> Callable[[], int]:
    """Verify the range that a job names. Return a function that stores the result in the caller's
    transaction.
    """
    return work_units.job(lease, rules_of_ledger(), _verify)


def _verify(unit: Unit, progress: Progress) -> Result:
    begins, ends = map(int, unit.stream.split("-"))
    with database.snapshot():
        for statement in SETTINGS:
            database.execute(statement)
        verified: VerifiedRange | None = verify_range(unit.property, begins, ends, blocks_of)
    progress(ends - begins)
    return Result(ends - begins, msgpack.encode(verified))


def _ranges(since: dict[str, int]) -> Iterable[tuple[str, int, int]]:
    """Yield the property and bounds of each range: the facts after the first position, up to the second. The
    facts after the last complete tile are in no range.
    """
    for name in stored.names():
        if isinstance(name, str) and "\0" not in name:
            begins = since.get(name, 0)
            last = last_position(name, begins) // TILE_WIDTH * TILE_WIDTH
            while begins < last:
                ends = min(begins // FACTS * FACTS + FACTS, last)
                yield name, begins, ends
                begins = ends

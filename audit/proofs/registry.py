"""The list of tables. Each table of the database has one line that says how its rows are proved, or why they
are not. A prover is the function that compares the rows of one table or of several.

The setting CATWALK_PROOFS names the lists to combine: import paths of sequences of Proof.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from django.conf import settings
from django.utils.module_loading import import_string

from audit.differences import Differences
from audit.ledger.verify import VerifiedRange
from audit.tree.evidence import Outside
from audit.tree.scan import Blocks

LEDGER = "ledger"
SCHEMA = "schema"
REPLAY = "replay"
ANCHOR = "anchor"
KEYED = "keyed"
NOT_PROVED = "not proved"
HOW = {
    LEDGER: "its bytes, hashes and chain are computed again",
    SCHEMA: "equal to what this release creates",
    REPLAY: "equal to what replay of the facts makes",
    ANCHOR: "equal to a fact, or to a digest in a fact",
    KEYED: "equal to a keyed digest in the row",
    NOT_PROVED: "can be changed without notice, for the reason given",
}
"""For each way of proof: its meaning. `manage.py verify --only` accepts the keys."""
STRUCTURE = "(schema)"
"""The name of the line for the structure of the database. It is not a table."""


class Fault(NamedTuple):
    """One difference. `place` identifies the row or object, such as `aurora position 6` or `id 12`. It is
    empty if the fault concerns the whole table.

    `kind` is one word such as changed, missing, unknown or error. `says` may contain stored values and is
    escaped before it is printed.
    """

    table: str
    place: str
    kind: str
    says: str


class Options(NamedTuple):
    """The options of `manage.py verify`.

    Args:
        outside: checkpoints that were stored outside the database.
        processes: the number of processes that read the ledger.
        since: checkpoints. The facts of a property up to the size of its checkpoint are not read again.
        ranges: {(property, position before a range): the range as a worker verified it, or None if it has a
            fault}.
        compared: {(property, stream): the differences between stored results and replay that a worker found}.
    """

    outside: tuple[Outside, ...] = ()
    processes: int = 1
    since: tuple[Outside, ...] = ()
    ranges: Mapping[tuple[str, int], VerifiedRange | None] = MappingProxyType({})
    compared: Mapping[tuple[str, str], Differences] = MappingProxyType({})


NO_OPTIONS = Options()


class RowCount:
    """Counts, for each table, the rows that provers have compared.

    Attributes:
        options: the options of the command.
        blocks: {property: parts of its Merkle tree}. The prover of the facts computes them from the bodies of
            the facts, so that the prover of the tree need not read the facts again.
    """

    def __init__(
        self, progress: Callable[[int], None] = lambda rows: None, options: Options = NO_OPTIONS
    ) -> None:
        self.options = options
        self.by_table: Counter[str] = Counter()
        self.notes: dict[str, str] = {}
        self.blocks: dict[str, tuple[Blocks, ...]] = {}
        self._progress = progress

    def note(self, table: str, says: str) -> None:
        """Record a remark about a table. A remark is not a fault: it says, for example, that the rows since
        the last anchor cannot be compared yet.
        """
        self.notes[table] = says

    def add(self, table: str, rows: int = 1) -> None:
        """Increase the number of compared rows of a table."""
        self.by_table[table] += rows
        self.show(0)

    def show(self, rows: int) -> None:
        """Report progress.

        Args:
            rows: rows that were read in addition to those counted with `add`.
        """
        self._progress(self.by_table.total() + rows)


Prove = Callable[[RowCount], Iterable[Fault]]
"""The type of a prover. It reads rows, counts them, and yields a fault for each difference.

It runs in a read-only snapshot with the application's role and must not write. If it raises an exception,
each of its tables gets one fault.
"""


class Proof(NamedTuple):
    """A line of the list of tables. `why` completes the text in `HOW`: what the rows are compared with, or
    why they are not compared.

    Several tables may share a prover, which then runs once.
    """

    table: str
    how: str
    why: str
    prove: Prove | None = None


def proofs() -> list[Proof]:
    """Return all lines of the list, sorted by table.

    Raises ValueError if a table is listed twice, or if a line lacks its function or its reason.
    """
    lists: Iterable[Sequence[Proof]] = map(import_string, settings.CATWALK_PROOFS)
    lines = sorted((line for part in lists for line in part), key=lambda line: line.table)
    for table, count in Counter(line.table for line in lines).items():
        if count > 1:
            raise ValueError(f"{table} has {count} lines in the list of tables: remove all but one.")
    for line in lines:
        if line.how not in HOW or not line.why:
            raise ValueError(f"{line.table} must say how it is proved (one of {', '.join(HOW)}) and why.")
        if (line.prove is None) != (line.how == NOT_PROVED):
            raise ValueError(
                f"{line.table} is listed with the proof {line.how}: give its line a function in `prove`, or"
                f" list it as {NOT_PROVED} without one."
            )
    return lines


def selected(words: Iterable[str]) -> list[Proof]:
    """Return the lines of the list of tables that these words select. Without words, return all lines.

    A word is the name of a table, or a way of proof (a key of HOW), which selects all tables that are proved
    in this way. Raises ValueError for any other word.
    """
    lines, wanted = proofs(), list(words)
    known = {*HOW, *(line.table for line in lines)}
    if strange := sorted(set(wanted) - known):
        raise ValueError(
            f"Unknown proof {', '.join(strange)}. Available: {', '.join(HOW)}, or the name of a table."
        )
    return [line for line in lines if not wanted or line.how in wanted or line.table in wanted]


def provers(lines: Iterable[Proof]) -> Iterator[tuple[Prove, list[str]]]:
    """Yield each prover of the lines once, with the list of the tables that it proves.

    The prover of the facts comes first, because the prover of the tree uses the leaves that it computed.
    """
    tables: dict[Prove, list[str]] = {}
    for line in lines:
        if line.prove is not None:
            tables.setdefault(line.prove, []).append(line.table)
    yield from sorted(tables.items(), key=lambda prover: "fact" not in prover[1])

"""Compare the columns of a page of facts with its bodies.

Each function works on a whole column if it can, because Python takes longer to loop over facts than to
compare two columns. mypyc does not make this module faster: its time goes to hashes and comparisons.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from hashlib import sha256
from operator import attrgetter
from struct import Struct, unpack
from typing import Any

from audit.ledger.stored import Columns
from games.kit.events import Event, kind_of

INFINITE = (-(2**63), 2**63 - 1)
"""The integer values of the times -infinity and infinity in Postgres."""
HASHED_BYTES = 81
"""Number of bytes that a fact has in the column `hashed`. A chain is the hash of the same number of bytes."""
_round_of, _uid_of = attrgetter("round"), attrgetter("uid")


class _KindNames(dict[type[Event], bytes]):
    """{type of a fact: the name of its kind}. A name is added when it is first looked up."""

    def __missing__(self, kind: type[Event]) -> bytes:
        name = self[kind] = kind_of(kind).encode()
        return name


_kind_names = _KindNames()


def are_columns_equal(page: Columns, events: list[Event]) -> bool:
    """Return True if the columns of kinds, rounds and uids have the values of the bodies.

    A column must have exactly one line break between two values. So no value contains a line break, and equal
    columns have equal values.
    """
    breaks = page.facts - 1
    if page.kinds.count(b"\n") != breaks or page.rounds.count(b"\n") != breaks:
        return False
    kinds = b"\n".join(map(_kind_names.__getitem__, map(type, events)))
    rounds = list(map(_round_of, events))
    if None in rounds:
        joined = "\n".join(["" if round is None else "=" + round for round in rounds])
    else:
        joined = "=" + "\n=".join(rounds)
    uids = "\n".join(map(_uid_of, events)).replace("-", "").lower()
    return kinds == page.kinds and joined.encode() == page.rounds and uids == page.uids.hex("\n", 16)


def numbers_if_hashes_match(
    before: bytes, first: int, page: Columns, bodies: list[bytes]
) -> Sequence[int] | None:
    """Return the numbers of the facts in their streams. Return None if a position is not the next one, or if
    a leaf or a chain differs from the one that is computed from the bodies.

    Each chain is computed from the stored chain of the fact before it. Since that chain is compared too, the
    result is the same as if it were computed from the computed chain.

    Args:
        before: the chain before the page.
        first: the first position of the page.
        page: the page.
        bodies: the bodies of the facts.
    """
    columns, inputs = _layouts(page.facts)
    fields = columns.unpack(page.hashed)
    places = unpack(f">{2 * page.facts}q", b"".join(fields[0::3]))
    leaves = [sha256(b"\0" + body).digest() for body in bodies]
    chains = [sha256(link).digest() for link in inputs.unpack(b"\2" + before + page.hashed[:-33])]
    if (
        places[0::2] != tuple(range(first, first + page.facts))
        or list(fields[1::3]) != leaves
        or list(fields[2::3]) != chains
    ):
        return None
    return places[1::2]


def leaves_of(page: Columns) -> Sequence[bytes]:
    """Return the stored leaves of a page. `numbers_if_hashes_match` has compared them with the bodies."""
    columns, _ = _layouts(page.facts)
    return columns.unpack(page.hashed)[1::3]


def are_times_in_order(before: int, times: Sequence[int]) -> bool:
    """Return True if no time is earlier than the time before it, and none is infinite."""
    return before <= times[0] and times[-1] < INFINITE[1] and list(times) == sorted(times)


def are_streams_continued(
    page: Columns,
    numbers: Sequence[int],
    events: list[Event],
    open_stream: Callable[[bytes, int, bytes, Event], Any],
) -> bool:
    """Return True if each fact has the next number of its stream, and belongs to the stream.

    Args:
        page: the page.
        numbers: the numbers of the facts in their streams.
        events: the facts.
        open_stream: a function that returns the state of a stream before the fact with this stream, number
            and kind. It raises ValueError if the append function would have rejected the fact. This function
            updates the state.
    """
    kinds, is_closing = page.kinds.split(b"\n"), b"day-closed" in page.kinds
    stream, known, table, day, expected = b"", None, "", None, 0
    for name, number, kind, event in zip(page.streams.split(b"\n"), numbers, kinds, events, strict=True):
        if known is None or name != stream:
            if known is not None:
                known.number = expected
            stream, known = name, open_stream(name, number, kind, event)
            table, day, expected = known.table, known.day, known.number
        expected += 1
        if number != expected or event.table != table or event.day != day:
            return False
        if is_closing and kind == b"day-closed":
            known.number, known.sealed, known = expected, True, None
    if known is not None:
        known.number = expected
    return True


@lru_cache(maxsize=8)
def _layouts(count: int) -> tuple[Struct, Struct]:
    """Return two layouts of the column `hashed` for this number of facts. The first has three fields for each
    fact: position and number together, leaf, and chain. The second has one field for each fact.
    """
    return Struct("16s32sx32s" * count), Struct(f"{HASHED_BYTES}s" * count)

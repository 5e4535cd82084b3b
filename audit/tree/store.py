"""The tiles of each ledger's tree in the database. Leaf number i is the leaf of the fact at position i + 1.

Tiles are computed after the facts are committed, so that recording facts does not wait for them. They are
derived from the facts and can be computed again at any time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from django.db import transaction

from audit import database
from audit.tree import layout
from audit.tree.hashes import HASH_BYTES, TILE_BYTES, TILE_WIDTH, root_of
from audit.tree.layout import Tile
from audit.tree.proofs import Fetch, Tree

AT_ONCE = 64
"""Maximum number of tiles of level 0 that one transaction adds."""
LOCK = 0x0CA7711E


class TreeFault(Exception):
    """The ledger and its tree contradict each other, so that the tree cannot grow."""


class Grown(NamedTuple):
    """The size of a tree after it has grown, and the incomplete tiles that were computed again."""

    size: int
    repaired: list[Tile]


def size_of(property: str) -> int:
    """Return the number of leaves in the tiles of a property."""
    row = database.first_row(_LAST, [property])
    return 0 if row is None else row[0] * TILE_WIDTH + row[1] // HASH_BYTES


def tree_of(property: str) -> Tree:
    """Return the tree of a property, which builds proofs from the stored tiles."""
    return Tree(fetch_of(property))


def fetch_of(property: str) -> Fetch:
    """Return the function that reads the tiles of a property."""
    return partial(read, property)


def read(property: str, level: int, index: int) -> bytes:
    """Return the hashes of a tile. If there is no such tile, return no bytes."""
    row = database.first_row(_READ, [property, level, index])
    return b"" if row is None else bytes(row[0])


def grow(property: str, progress: Callable[[int], None] = lambda leaves: None) -> Grown:
    """Add the facts that were recorded since the last call to the tree, up to the head of the ledger. Return
    the size of the tree and the tiles that were computed again.

    Each transaction adds whole tiles of all levels, so that a tree whose growth was interrupted can be
    continued. If the last tiles are not complete, they are first computed again from the facts. Raises
    TreeFault if the ledger has fewer facts than the tree, or if a fact is missing.
    """
    repaired = [] if is_complete(property) else repair(property)
    while True:
        before, after = _add(property)
        progress(after - before)
        if before == after:
            return Grown(after, repaired)


def is_complete(property: str) -> bool:
    """Return True if the last tile of each level has as many hashes as the size of the tree requires."""
    row = database.first_row(_LAST, [property])
    if row is None:
        return database.first_row("SELECT FROM tile WHERE property = %s LIMIT 1", [property]) is None
    edge = list(layout.edge(size_of(property)))
    if row[1] % HASH_BYTES or not edge:
        return False
    stored = database.rows(_WIDTHS, [[tile.level for tile in edge], [tile.index for tile in edge], property])
    return dict(stored) == {tile.level: tile.width * HASH_BYTES for tile in edge}


def repair(property: str) -> list[Tile]:
    """Compute all tiles again from the leaves of the facts, and replace those that differ. Return the
    replaced tiles.

    The tree keeps its size. If the ledger has fewer facts than the tree, only the tiles of these facts are
    computed.
    """
    with transaction.atomic():
        _lock(property)
        size = min(size_of(property), _position(property))
        replaced = []
        for tile, hashes in tiles_of_facts(property, size):
            if read(property, tile.level, tile.index) != hashes:
                replaced.append(tile)
                _write(property, tile.level, tile.index, [hashes])
        return replaced


def tiles_of_facts(property: str, size: int) -> Iterator[tuple[Tile, bytes]]:
    """Yield all tiles of the tree over a property's first `size` facts, each with its hashes. They are
    computed from the leaves of the facts.
    """
    level, hashes = 0, _blocks(property, 0, size)
    while True:
        roots = bytearray()
        for index, part in enumerate(hashes):
            yield Tile(level, index, len(part) // HASH_BYTES), part
            if len(part) == TILE_BYTES:
                roots += root_of(part)
        if not roots:
            return
        level, hashes = level + 1, _cut(bytes(roots))


def _add(property: str) -> tuple[int, int]:
    """Add the next facts of a property to its tree. Return the size of the tree before and after."""
    with transaction.atomic():
        _lock(property)
        size, position = size_of(property), _position(property)
        if position < size:
            raise TreeFault(
                f"The ledger of {property} ends at position {position}, but its tree has {size} leaves: facts"
                " were removed. Run manage.py verify."
            )
        ends = min(position, (size // TILE_WIDTH + AT_ONCE) * TILE_WIDTH)
        if ends == size:
            return size, size
        level, begins, hashes = 0, size, b"".join(_blocks(property, size, ends))
        while hashes:
            index, within = divmod(begins, TILE_WIDTH)
            present = read(property, level, index) if within else b""
            if len(present) != within * HASH_BYTES:
                raise TreeFault(f"The tile at level {level}, index {index} of {property} is not complete.")
            tiles = list(_cut(present + hashes))
            _write(property, level, index, tiles)
            hashes = b"".join(root_of(tile) for tile in tiles if len(tile) == TILE_BYTES)
            level, begins = level + 1, index
        return size, ends


def _cut(hashes: bytes) -> Iterator[bytes]:
    """Yield the tiles into which a sequence of hashes is cut."""
    for at in range(0, len(hashes), TILE_BYTES):
        yield hashes[at : at + TILE_BYTES]


def _blocks(property: str, begins: int, ends: int) -> Iterator[bytes]:
    """Yield the leaves of the facts after position `begins` up to `ends`, one tile at a time."""
    while begins < ends:
        upto = min(ends, (begins // TILE_WIDTH + AT_ONCE) * TILE_WIDTH)
        rows = database.rows(_LEAVES, [property, begins, upto])
        for block, leaves, count in rows:
            expected = min(upto, (block + 1) * TILE_WIDTH) - max(begins, block * TILE_WIDTH)
            if count != expected or len(leaves) != expected * HASH_BYTES:
                raise _missing(property, block)
            yield bytes(leaves)
        if len(rows) != (upto - 1) // TILE_WIDTH - begins // TILE_WIDTH + 1:
            raise _missing(property, begins // TILE_WIDTH)
        begins = upto


def _missing(property: str, block: int) -> TreeFault:
    first = block * TILE_WIDTH + 1
    return TreeFault(
        f"The ledger of {property} lacks a fact, or a leaf, from position {first} on. Run manage.py verify."
    )


def _position(property: str) -> int:
    row = database.first_row("SELECT position FROM head WHERE property = %s", [property])
    return 0 if row is None else row[0]


def _lock(property: str) -> None:
    """Wait until no other transaction changes the tiles of this property."""
    database.rows("SELECT pg_advisory_xact_lock(%s, hashtext(%s))", [LOCK, property])


def _write(property: str, level: int, first: int, tiles: list[bytes]) -> None:
    database.execute(_WRITE, [property, level, first, tiles])


_LAST = """SELECT index, length(hashes) FROM tile WHERE property = %s AND level = 0
    ORDER BY index DESC LIMIT 1"""
_READ = "SELECT hashes FROM tile WHERE property = %s AND level = %s AND index = %s"
_WIDTHS = """SELECT level, length(hashes) FROM tile JOIN unnest(%s::bigint[], %s::bigint[])
    AS wanted (level, index) USING (level, index) WHERE property = %s"""
_LEAVES = """SELECT (position - 1) / 256, string_agg(leaf, ''::bytea ORDER BY position), count(*)
    FROM fact WHERE property = %s AND position > %s AND position <= %s GROUP BY 1 ORDER BY 1"""
_WRITE = """INSERT INTO tile (property, level, index, hashes)
    SELECT %s, %s, %s + place - 1, hashes FROM unnest(%s::bytea[]) WITH ORDINALITY AS new (hashes, place)
    ON CONFLICT (property, level, index) DO UPDATE SET hashes = excluded.hashes"""

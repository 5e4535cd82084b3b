"""Compute the tree of a ledger again from its facts, and compare it with the stored tiles.

`audit/ledger/verify.py` proves that each stored leaf is the hash of its fact, so this module reads the stored
leaves. If a block of 256 facts differs from its tile, the leaves of the block are computed from the bytes of
its facts.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from audit import database
from audit.facts.chain import leaf_of
from audit.snapshot_map import snapshot_map
from audit.tree import layout, store
from audit.tree.hashes import HASH_BYTES, TILE_BYTES, TILE_WIDTH, Frontier, root_of
from audit.tree.layout import Tile

PART = 64 * TILE_WIDTH
"""Number of facts that one query reads. Small parts keep all processes busy up to the end."""


SPARE = 1_000_000
SPARE_TILES = 64


@dataclass(frozen=True, slots=True)
class TileFault:
    """A stored tile that is wrong. Kinds: missing, changed, unknown."""

    level: int
    index: int
    kind: str
    says: str


@dataclass(slots=True)
class Scan:
    """The tree of a ledger, computed from its facts. A block consists of the facts of one tile of level 0."""

    property: str
    size: int = 0
    """The last position of the ledger."""
    first_block: int = 0
    """The first block that was read."""
    tile_size: int = 0
    """The number of leaves in the tiles."""
    roots: bytearray = field(default_factory=bytearray)
    """The roots of the complete blocks from `first_block` on."""
    at: dict[int, bytes] = field(default_factory=dict)
    """{size: root of the tree of the first `size` facts}, for the requested sizes."""
    differing: dict[int, tuple[int, bytes]] = field(default_factory=dict)
    """{block: (first position at which the facts differ from the tile, root of the tile)}."""

    def root_of_block(self, block: int) -> bytes:
        """Return the root of a complete block."""
        at = (block - self.first_block) * HASH_BYTES
        return bytes(self.roots[at : at + HASH_BYTES])


class Blocks(NamedTuple):
    """The blocks of a part of a ledger.

    Attributes:
        edges: {requested size: leaves from the end of the last complete block up to this size}. There are no
            such leaves if the size is the end of a block.
    """

    roots: bytes
    differing: dict[int, tuple[int, bytes]]
    edges: dict[int, bytes]


def scan(
    property: str,
    sizes: Collection[int] = (),
    progress: Callable[[int], None] = lambda facts: None,
    processes: int = 1,
    since: int = 0,
    known: Iterable[Blocks] = (),
) -> Scan:
    """Compute the tree of a ledger from its leaves. The result has the root for each of the requested sizes,
    and the blocks that differ from their tiles.

    Args:
        sizes: the requested sizes.
        progress: called with the number of facts read so far.
        processes: the number of processes that read the leaves.
        since: begin with the block that contains this position. The hashes of earlier blocks are read from
            the tiles. Raises TileMissing if one of these tiles is missing.
        known: complete blocks that `blocks_of` has returned, from the first position on without gaps. Their
            facts are not read again.
    """
    first = since // TILE_WIDTH
    result = Scan(property, size=_last(property), tile_size=_tile_size(property), first_block=first)
    roots = store.tree_of(property).complete_roots(first * TILE_WIDTH) if first else []
    frontier = Frontier.of(first, roots)
    if first and since == first * TILE_WIDTH:
        result.at[since] = frontier.root()
    wanted = sorted(size for size in set(sizes) if since <= size <= result.size and size)
    for blocks in known:
        upto = (frontier.blocks + len(blocks.roots) // HASH_BYTES) * TILE_WIDTH
        of_these = [size for size in wanted if frontier.blocks * TILE_WIDTH < size < upto]
        edges = {size: _edge(property, size, blocks.differing) for size in of_these}
        _add(result, frontier, blocks._replace(edges=edges))
    parts = []
    for begins in range(frontier.blocks * TILE_WIDTH, result.size, PART):
        ends = min(begins + PART, result.size)
        parts.append((property, begins, ends, [size for size in wanted if begins < size <= ends]))
    with snapshot_map(processes if len(parts) > 1 else 1) as parallel:
        for blocks in parallel(_scan_part, parts):
            _add(result, frontier, blocks)
            progress(frontier.blocks * TILE_WIDTH)
    return result


def _add(result: Scan, frontier: Frontier, blocks: Blocks) -> None:
    """Add the next blocks to the tree of a ledger."""
    result.differing |= blocks.differing
    edges = sorted(blocks.edges.items())
    for at in range(0, len(blocks.roots) + 1, HASH_BYTES):
        while edges and edges[0][0] // TILE_WIDTH == frontier.blocks:
            size, leaves = edges.pop(0)
            result.at[size] = frontier.root(leaves)
        if root := blocks.roots[at : at + HASH_BYTES]:
            result.roots += root
            frontier.append(root)


def blocks_of(property: str, begins: int, leaves: bytes) -> Blocks:
    """Return the complete blocks of consecutive facts, and those of them that differ from their tiles.
    Args:
        property: the property.
        begins: the position before the first of the facts, which begins a block.
        leaves: the leaves of the facts, computed from their bodies.
    """
    first, count = begins // TILE_WIDTH, len(leaves) // TILE_BYTES
    tiles = dict(database.rows(_TILES_OF_BLOCKS, [property, first, first + count]))
    roots, differing = bytearray(), {}
    for block in range(first, first + count):
        at = (block - first) * TILE_BYTES
        computed, tile = leaves[at : at + TILE_BYTES], bytes(tiles.get(block) or b"")
        if computed[: len(tile)] != tile[:TILE_BYTES]:
            place = _first_difference(computed, tile)
            differing[block] = block * TILE_WIDTH + place + 1, root_of(tile)
        roots += root_of(computed)
    return Blocks(bytes(roots), differing, {})


def _first_difference(leaves: bytes, tile: bytes) -> int:
    """Return the place of the first leaf that differs from the tile."""
    places = range(0, len(leaves), HASH_BYTES)
    return (
        next(at for at in places if leaves[at : at + HASH_BYTES] != tile[at : at + HASH_BYTES]) // HASH_BYTES
    )


def _edge(property: str, size: int, differing: Collection[int]) -> bytes:
    """Return the leaves from the end of the last complete block up to this size.

    They are read from the block's tile. If the tile differs from the facts or is too short, they are computed
    from the bodies.
    """
    block, width = divmod(size, TILE_WIDTH)
    edge = b"" if block in differing else store.read(property, 0, block)[: width * HASH_BYTES]
    if len(edge) == width * HASH_BYTES:
        return edge
    return leaves_by_bodies(property, block * TILE_WIDTH, width)[0]


def _scan_part(property: str, begins: int, ends: int, wanted: list[int]) -> Blocks:
    """Return the blocks of the facts after position `begins` up to `ends`, computed from the stored leaves.
    The first of these facts begins a block.

    Args:
        wanted: the sizes whose leaves after the last complete block are returned too.
    """
    roots, result = bytearray(), Blocks(b"", {}, dict.fromkeys(wanted, b""))
    for block, leaves, count, tile in _blocks(property, begins, ends):
        first = block * TILE_WIDTH
        width = min(TILE_WIDTH, ends - first)
        common = min(len(tile), width * HASH_BYTES)
        if count != width or len(leaves) != width * HASH_BYTES or leaves[:common] != tile[:common]:
            leaves, position = leaves_by_bodies(property, first, width, tile)
            if position:
                result.differing[block] = position, root_of(tile)
        for size in wanted:
            if first < size < first + TILE_WIDTH:
                result.edges[size] = leaves[: (size - first) * HASH_BYTES]
        if len(leaves) == TILE_BYTES:
            roots += root_of(leaves)
    return result._replace(roots=bytes(roots))


def leaves_by_bodies(property: str, begins: int, width: int, tile: bytes = b"") -> tuple[bytes, int]:
    """Compute the leaves of a block from the bytes of its facts. Return the leaves, and the first position at
    which they differ from the tile, or 0 if they are equal.

    A missing fact gets the leaf in the tile, because the proof of the ledger already reports that it is
    missing.
    """
    query = """SELECT position, body FROM fact
        WHERE property = %s AND position > %s AND position <= %s AND body IS NOT NULL"""
    bodies = dict(database.rows(query, [property, begins, begins + width]))
    leaves, first = [], 0
    for place in range(width):
        stored = tile[place * HASH_BYTES : (place + 1) * HASH_BYTES]
        body = bodies.get(begins + place + 1)
        leaf = stored if body is None else leaf_of(bytes(body))
        if not first and len(stored) == HASH_BYTES and leaf != stored:
            first = begins + place + 1
        leaves.append(leaf.ljust(HASH_BYTES, b"\0"))
    return b"".join(leaves), first


def tile_faults(result: Scan) -> Iterator[TileFault]:
    """Yield the tiles that are missing, unknown, too short, or different from the tile that the level below
    gives.

    Tiles of level 0 that have the right number of hashes are not compared here: the field `differing` of the
    scan names them.
    """
    expected = bytearray(result.roots[: result.tile_size // TILE_WIDTH * HASH_BYTES])
    for block in range(len(expected) // HASH_BYTES, result.tile_size // TILE_WIDTH):
        expected += root_of(store.read(result.property, 0, block))  # the ledger is shorter than its tree
    for block, (_, root) in result.differing.items():
        if (block + 1) * HASH_BYTES <= len(expected):
            expected[block * HASH_BYTES : (block + 1) * HASH_BYTES] = root
    level, stored = 0, _stored(result.property)
    row = next(stored, None)
    while count := layout.entries(result.tile_size, level):
        parents = bytearray()
        for index in range(-(-count // TILE_WIDTH)):
            width = min(TILE_WIDTH, count - index * TILE_WIDTH)
            while row is not None and (row[0], row[1]) < (level, index):
                yield TileFault(row[0], row[1], "unknown", "is not a tile of this tree")
                row = next(stored, None)
            computed = bytes(expected[index * TILE_BYTES : index * TILE_BYTES + width * HASH_BYTES])
            if row is None or (row[0], row[1]) != (level, index):
                yield TileFault(level, index, "missing", f"must have {width} hashes")
            else:
                yield from _tile_fault(Tile(level, index, width), computed, row[2], row[3])
                row = next(stored, None)
            if level and width == TILE_WIDTH:
                parents += root_of(computed)
        expected, level = (parents if level else expected), level + 1
    while row is not None:
        yield TileFault(row[0], row[1], "unknown", "is not a tile of this tree")
        row = next(stored, None)


def _tile_fault(tile: Tile, computed: bytes, length: int, hashes: bytes) -> Iterator[TileFault]:
    if length != tile.width * HASH_BYTES:
        says = f"has {length:,} bytes and not {tile.width * HASH_BYTES:,}: it was written in part, or cut"
        yield TileFault(tile.level, tile.index, "changed", says)
    elif tile.level and hashes != computed:
        places = range(0, len(computed), HASH_BYTES)
        place = next(at for at in places if computed[at : at + HASH_BYTES] != hashes[at : at + HASH_BYTES])
        says = f"hash {place // HASH_BYTES} is not the root of its tile of level {tile.level - 1}"
        yield TileFault(tile.level, tile.index, "changed", says)


def _last(property: str) -> int:
    """Return the last position of a ledger. A position far beyond the number of facts for which the table has
    space is ignored, because only tampering can cause it.
    """
    ((last, space),) = database.rows(_LAST, [property, property])
    return int(min(last or 0, (space or 0) + SPARE))


def _tile_size(property: str) -> int:
    """Return the number of leaves in the tiles of a ledger. A tile far beyond the others is ignored, because
    only tampering can cause it.
    """
    row = database.first_row(_LAST_TILE, [property, SPARE_TILES, property])
    return 0 if row is None else row[0] * TILE_WIDTH + row[1] // HASH_BYTES


def _blocks(property: str, begins: int, ends: int) -> Iterator[tuple[int, bytes, int, bytes]]:
    """Yield each block: its first position, the stored leaves of its facts, the number of leaves, and the
    hashes of its tile.
    """
    first, last = begins // TILE_WIDTH, -(-ends // TILE_WIDTH)
    by_block = {
        block: (bytes(leaves or b""), count or 0, bytes(tile or b""))
        for block, leaves, count, tile in database.rows(
            _BLOCKS, [property, begins, ends, property, first, last]
        )
    }
    for block in range(first, last):
        yield block, *by_block.get(block, (b"", 0, b""))


def _stored(property: str) -> Iterator[tuple[int, int, int, bytes]]:
    """Yield the level, the index and the number of bytes of each stored tile. A tile above level 0 also has
    its hashes.
    """
    for level, index, length, hashes in database.stream_rows(_TILES, [property]):
        yield level, index, length, bytes(hashes or b"")


_LAST = """SELECT (SELECT max(position) FROM fact WHERE property = %s),
    (SELECT pg_catalog.pg_relation_size(tableoid) / 128 FROM fact WHERE property = %s LIMIT 1)"""
"""SQL for the last position, and for the number of facts for which the table has space: each fact has more
than 128 bytes.
"""
_LAST_TILE = """SELECT index, coalesce(length(hashes), 0) FROM tile WHERE property = %s AND level = 0
        AND index BETWEEN 0 AND %s + 2 * (SELECT count(*) FROM tile WHERE property = %s AND level = 0)
    ORDER BY index DESC LIMIT 1"""
_BLOCKS = """SELECT block, f.leaves, f.count, t.hashes FROM (
        SELECT (position - 1) / 256 AS block, string_agg(leaf, ''::bytea ORDER BY position) AS leaves,
            count(*)
        FROM fact WHERE property = %s AND position > %s AND position <= %s GROUP BY 1) f
    FULL JOIN (SELECT index AS block, hashes FROM tile
        WHERE property = %s AND level = 0 AND index >= %s AND index < %s) t USING (block) ORDER BY block"""
_TILES_OF_BLOCKS = """SELECT index, hashes FROM tile
    WHERE property = %s AND level = 0 AND index >= %s AND index < %s"""
_TILES = """SELECT coalesce(level, -1), coalesce(index, -1), coalesce(length(hashes), 0),
        CASE WHEN level > 0 THEN hashes END FROM tile
    WHERE property = %s ORDER BY 1, 2"""

"""Compare a ledger with a checkpoint that may come from outside the database, and find where they differ."""

from __future__ import annotations

from typing import NamedTuple

from audit.tree.hashes import HASH_BYTES, TILE_BYTES, TILE_WIDTH, Frontier, root_of
from audit.tree.proofs import Fetch
from audit.tree.scan import Scan, leaves_by_bodies


class Outside(NamedTuple):
    """A checkpoint with a valid signature that was kept outside the database.

    Args:
        property: the property whose ledger it describes.
        size: the number of facts.
        root: the root of their tree.
        source: where it was read, for people.
        fetch: reads the tiles that were kept with it, or None.
    """

    property: str
    size: int
    root: bytes
    source: str
    fetch: Fetch | None = None


class Difference(NamedTuple):
    """The positions at which a ledger first differs from a checkpoint: from `first` up to `last`. Both are
    the same position if the exact position is known.
    """

    first: int
    last: int


def first_difference(scan: Scan, size: int, root: bytes, fetch: Fetch) -> Difference | None:
    """Find the first position at which a ledger differs from the tree of a checkpoint. `fetch` reads the
    tiles of the checkpoint's tree.

    If the tiles do not lead to the checkpoint's root, they prove nothing, and None is returned. If the ledger
    is shorter than the tree and does not differ from it, the position after the ledger's end is returned.
    """
    blocks, remainder = size // TILE_WIDTH, size % TILE_WIDTH
    edge = fetch(0, blocks)[: remainder * HASH_BYTES] if remainder else b""
    if len(edge) != remainder * HASH_BYTES:
        return None
    roots = _block_roots(blocks, fetch)
    frontier = Frontier()
    for at in range(0, len(roots), HASH_BYTES):
        frontier.append(roots[at : at + HASH_BYTES])
    if len(roots) != blocks * HASH_BYTES or frontier.root(edge) != root:
        return None
    known = scan.size // TILE_WIDTH
    for block in range(scan.first_block, blocks):
        expected = roots[block * HASH_BYTES : (block + 1) * HASH_BYTES]
        if block >= known or scan.root_of_block(block) != expected:
            tile = fetch(0, block)
            return _in_block(scan, block, tile if root_of(tile) == expected else b"", TILE_WIDTH)
    return _in_block(scan, blocks, edge, remainder)


def _block_roots(blocks: int, fetch: Fetch) -> bytes:
    """Return the roots of the first blocks, read from the tiles of level 1."""
    tiles = [fetch(1, index) for index in range(-(-blocks // TILE_WIDTH))]
    if any(len(tile) != TILE_BYTES for tile in tiles[:-1]):
        return b""
    return b"".join(tiles)[: blocks * HASH_BYTES]


def _in_block(scan: Scan, block: int, tile: bytes, width: int) -> Difference:
    """Return the first position at which a block differs from its tile. If the tile is empty, return the
    first and last position of the block.
    """
    begins = block * TILE_WIDTH
    if not tile:
        return Difference(begins + 1, begins + width)
    present = min(width, max(0, scan.size - begins))
    _, first = leaves_by_bodies(scan.property, begins, present, tile)
    position = first or begins + present + 1
    return Difference(position, position)

"""Inclusion and consistency proofs of RFC 6962, sections 2.1.1 and 2.1.2, read from tiles, and their
verification as in RFC 9162, sections 2.1.3.2 and 2.1.4.2.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from audit.tree.hashes import EMPTY, HASH_BYTES, TILE_WIDTH, node, root_of, split
from audit.tree.layout import LEVEL_BITS

Fetch = Callable[[int, int], bytes]
"""A function that returns the hashes of the tile at a level and an index. The result is empty if there is no
such tile.
"""


class TileMissing(Exception):
    """A tile does not exist or has too few hashes."""

    def __init__(self, level: int, index: int) -> None:
        super().__init__(f"The tile at level {level}, index {index} is missing or not complete.")
        self.level, self.index = level, index


class Tree:
    """A tree whose hashes are read from tiles. Each tile is fetched once."""

    def __init__(self, fetch: Fetch) -> None:
        self._fetch = fetch
        self._tiles: dict[tuple[int, int], bytes] = {}

    def root(self, size: int) -> bytes:
        """Return the root of the tree of the first `size` leaves. Raise TileMissing if a tile is missing."""
        return self.range_root(0, size) if size else EMPTY

    def leaf(self, index: int) -> bytes:
        """Return the hash of a leaf. Raise TileMissing if its tile is missing."""
        return self._node(0, index)

    def range_root(self, begins: int, ends: int) -> bytes:
        """Return the root of the leaves from `begins` up to, but not including, `ends`.

        `begins` must be a multiple of the smallest power of two that is not less than `ends` - `begins`.
        """
        size = ends - begins
        if size & (size - 1) == 0:
            height = size.bit_length() - 1
            return self._node(height, begins >> height)
        middle = begins + split(size)
        return node(self.range_root(begins, middle), self.range_root(middle, ends))

    def complete_roots(self, size: int) -> list[bytes]:
        """Return the roots of the complete subtrees of a tree, from left to right. Raise TileMissing if a
        tile is missing.
        """
        roots, begins = [], 0
        for height in reversed(range(size.bit_length())):
            if size >> height & 1:
                roots.append(self._node(height, begins >> height))
                begins += 1 << height
        return roots

    def inclusion(self, index: int, size: int) -> list[bytes]:
        """Return the proof that the leaf at `index` is in the tree of the first `size` leaves."""
        begins, ends = 0, size
        path: list[bytes] = []
        while ends - begins > 1:
            middle = begins + split(ends - begins)
            if index < middle:
                path.append(self.range_root(middle, ends))
                ends = middle
            else:
                path.append(self.range_root(begins, middle))
                begins = middle
        return path[::-1]

    def consistency(self, old: int, new: int) -> list[bytes]:
        """Return the proof that the tree of `old` leaves is the beginning of the tree of `new` leaves."""
        if old in (0, new):
            return []
        begins, ends, is_root = 0, new, True
        path: list[bytes] = []
        while ends != old:
            middle = begins + split(ends - begins)
            if old <= middle:
                path.append(self.range_root(middle, ends))
                ends = middle
            else:
                path.append(self.range_root(begins, middle))
                begins, is_root = middle, False
        if not is_root:
            path.append(self.range_root(begins, ends))
        return path[::-1]

    def _node(self, height: int, index: int) -> bytes:
        level, above = divmod(height, LEVEL_BITS)
        tile, at = divmod(index << above, TILE_WIDTH)
        hashes = self._tiles.get((level, tile))
        if hashes is None:
            hashes = self._tiles[level, tile] = self._fetch(level, tile)
        part = hashes[at * HASH_BYTES : (at + (1 << above)) * HASH_BYTES]
        if len(part) != HASH_BYTES << above:
            raise TileMissing(level, tile)
        return root_of(part)


def root_by_inclusion(leaf: bytes, index: int, size: int, path: Sequence[bytes]) -> bytes | None:
    """Compute the root of a tree from a leaf and its inclusion proof. Return None if the proof has the wrong
    length.
    """
    if not 0 <= index < size:
        return None
    place, last, root = index, size - 1, leaf
    for hashed in path:
        if last == 0:
            return None
        if place & 1 or place == last:
            root = node(hashed, root)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            root = node(root, hashed)
        place, last = place >> 1, last >> 1
    return root if last == 0 else None


def is_consistent(old: int, new: int, old_root: bytes, new_root: bytes, path: Sequence[bytes]) -> bool:
    """Return True if a proof shows that the tree of `old` leaves is the beginning of the tree of `new`
    leaves.
    """
    if old > new or (old in (0, new) and path):
        return False
    if old == new:
        return old_root == new_root
    if old == 0:
        return old_root == EMPTY
    hashes = [old_root, *path] if old & (old - 1) == 0 else list(path)
    if not hashes:
        return False
    place, last = old - 1, new - 1
    while place & 1:
        place, last = place >> 1, last >> 1
    before = after = hashes[0]
    for hashed in hashes[1:]:
        if last == 0:
            return False
        if place & 1 or place == last:
            before, after = node(hashed, before), node(hashed, after)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            after = node(after, hashed)
        place, last = place >> 1, last >> 1
    return last == 0 and (before, after) == (old_root, new_root)

"""The layout of a tree in tiles, as https://c2sp.org/tlog-tiles defines it.

A tile of level 0 contains the hashes of 256 leaves. A tile of level n contains the roots of 256 full tiles of
level n - 1. The last tile of a level may be partial.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from audit.tree.hashes import TILE_WIDTH

LEVEL_BITS = 8


@dataclass(frozen=True, slots=True)
class Tile:
    """The level and the index of a tile, and the number of its hashes."""

    level: int
    index: int
    width: int

    @property
    def path(self) -> str:
        """Return the tile's path in its log, such as `tile/0/x001/067` or `tile/1/000.p/3`."""
        digits = f"{self.index:03d}"
        digits = digits.zfill(-(-len(digits) // 3) * 3)
        parts = [digits[at : at + 3] for at in range(0, len(digits), 3)]
        name = "/".join([*(f"x{part}" for part in parts[:-1]), parts[-1]])
        partial = "" if self.width == TILE_WIDTH else f".p/{self.width}"
        return f"tile/{self.level}/{name}{partial}"


def entries(size: int, level: int) -> int:
    """Return the number of hashes that a tree of `size` leaves has at a level of tiles."""
    return size >> (LEVEL_BITS * level)


def edge(size: int) -> Iterator[Tile]:
    """Yield the last tile of each level of a tree."""
    level = 0
    while count := entries(size, level):
        index = (count - 1) // TILE_WIDTH
        yield Tile(level, index, count - index * TILE_WIDTH)
        level += 1


def tiles_between(old: int, new: int) -> Iterator[Tile]:
    """Yield the tiles of a tree of `new` leaves that a tree of `old` leaves does not have, or has with fewer
    hashes.
    """
    level = 0
    while count := entries(new, level):
        first, last = entries(old, level) // TILE_WIDTH, (count - 1) // TILE_WIDTH
        for index in range(first, last + 1):
            yield Tile(level, index, min(TILE_WIDTH, count - index * TILE_WIDTH))
        level += 1

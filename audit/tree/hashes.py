"""Hashes of a Merkle tree as RFC 6962, section 2.1, defines them.

leaf = SHA-256(0x00 ‖ entry), which audit/facts/chain.py computes
node = SHA-256(0x01 ‖ left ‖ right)

A sequence of hashes is kept as one bytes object, 32 bytes a hash.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
from struct import Struct

HASH_BYTES = 32
TILE_WIDTH = 256
"""Number of hashes in a full tile."""
TILE_BYTES = HASH_BYTES * TILE_WIDTH
EMPTY = sha256().digest()
"""The root of a tree without leaves."""


def node(left: bytes, right: bytes) -> bytes:
    """Return the hash of a node from the hashes of its two subtrees."""
    return sha256(b"\1" + left + right).digest()


def root_of(hashes: bytes) -> bytes:
    """Return the root of a tree over a sequence of hashes. The hashes are leaves, or roots of subtrees of
    equal size.
    """
    while len(hashes) > HASH_BYTES:
        paired = len(hashes) & ~63
        pairs = _pairs(paired // 64).unpack(hashes[:paired])
        hashes = b"".join([sha256(b"\1" + pair).digest() for pair in pairs]) + hashes[paired:]
    return hashes or EMPTY


@lru_cache(maxsize=64)
def _pairs(count: int) -> Struct:
    """Return the layout of this number of pairs of hashes. Unpacking them takes half the time of slicing."""
    return Struct("64s" * count)


def split(size: int) -> int:
    """Return the size of the left subtree: the largest power of two that is smaller than `size`."""
    return 1 << ((size - 1).bit_length() - 1)


class Frontier:
    """The right edge of a growing tree: the roots of the largest complete subtrees, from left to right."""

    def __init__(self) -> None:
        self.blocks = 0
        self._roots: list[bytes] = []

    @classmethod
    def of(cls, blocks: int, roots: Sequence[bytes]) -> Frontier:
        """Return the right edge of a tree of this number of blocks, from the roots of its complete subtrees,
        from left to right.
        """
        frontier = cls()
        frontier.blocks, frontier._roots = blocks, list(roots)
        return frontier

    def append(self, root: bytes) -> None:
        """Add the root of the next block. All blocks have the same number of leaves, a power of two."""
        count = self.blocks
        while count & 1:
            root = node(self._roots.pop(), root)
            count >>= 1
        self._roots.append(root)
        self.blocks += 1

    def root(self, leaves: bytes = b"") -> bytes:
        """Return the root of the tree.

        Args:
            leaves: the leaves after the last complete block.
        """
        roots = [*self._roots, root_of(leaves)] if leaves else list(self._roots)
        if not roots:
            return EMPTY
        combined = roots.pop()
        while roots:
            combined = node(roots.pop(), combined)
        return combined

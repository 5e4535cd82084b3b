"""One proof that many facts are in the ledger that a checkpoint describes.

The proof has the hashes of the largest subtrees without any of these facts, from left to right. The root of
the tree is computed from these hashes and from the leaves of the facts. It is the root of the checkpoint only
if each fact was recorded, unchanged, at its position. Facts of one gaming day nearly always follow each
other, so that the proof of a day is short.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from audit.tree.hashes import HASH_BYTES, node, root_of, split
from audit.tree.proofs import Tree

TakeHash = Callable[[int, int], bytes]
"""The type of a function that returns the root of the leaves from one index up to another one, exclusive."""


class WrongProof(Exception):
    """A proof has too few or too many hashes, or the facts are not in the order of their positions."""


@dataclass(slots=True)
class Leaves:
    """The leaves of facts, in the order of their positions. The index of a leaf is its position less one."""

    indexes: array[int] = field(default_factory=lambda: array("q"))
    hashes: bytearray = field(default_factory=bytearray)

    def add(self, position: int, leaf: bytes) -> None:
        """Add the next leaf. Raise WrongProof if its position is not after the last one."""
        if position < 1 or (self.indexes and position <= self.indexes[-1] + 1):
            raise WrongProof(f"position {position} is not after the one before it")
        self.indexes.append(position - 1)
        self.hashes += leaf


def make_proof(leaves: Leaves, tree: Tree, size: int) -> tuple[bytes, bytes]:
    """Return the root of the first `size` leaves of a tree, and the proof that `leaves` are among them.

    Raises TileMissing if the tree lacks a tile.
    """
    hashes: list[bytes] = []

    def take(begins: int, ends: int) -> bytes:
        hashes.append(tree.range_root(begins, ends))
        return hashes[-1]

    root = _root(leaves, take, 0, size, 0, len(leaves.indexes))
    return root, b"".join(hashes)


def root_by_proof(leaves: Leaves, proof: bytes, size: int) -> bytes:
    """Return the root that the leaves and their proof lead to. Raise WrongProof if the proof has too few or
    too many hashes, or if a leaf is outside of the tree.
    """
    if leaves.indexes and leaves.indexes[-1] >= size:
        raise WrongProof(f"position {leaves.indexes[-1] + 1} is after the checkpoint of {size} facts")
    hashes: Iterator[bytes] = (proof[at : at + HASH_BYTES] for at in range(0, len(proof), HASH_BYTES))

    def take(begins: int, ends: int) -> bytes:
        for hashed in hashes:
            return hashed
        raise WrongProof("the proof has too few hashes")

    root = _root(leaves, take, 0, size, 0, len(leaves.indexes))
    if next(hashes, None) is not None:
        raise WrongProof("the proof has too many hashes")
    return root


def _root(leaves: Leaves, take: TakeHash, begins: int, ends: int, low: int, high: int) -> bytes:
    """Return the root of the tree's leaves with an index from `begins` up to `ends`, exclusive.

    Args:
        leaves: the known leaves of the tree.
        take: returns the root of a subtree without known leaves.
        begins: the first index.
        ends: the index after the last one.
        low: the place in `leaves` of the first known leaf in this range.
        high: the place in `leaves` after the last known leaf in this range.
    """
    if low == high:
        return take(begins, ends)
    if high - low == ends - begins:
        return root_of(bytes(leaves.hashes[low * HASH_BYTES : high * HASH_BYTES]))
    middle = begins + split(ends - begins)
    border = bisect_left(leaves.indexes, middle, low, high)
    left = _root(leaves, take, begins, middle, low, border)
    return node(left, _root(leaves, take, middle, ends, border, high))

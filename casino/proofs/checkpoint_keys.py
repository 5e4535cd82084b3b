"""Prove by seals that no key of checkpoints was changed, and that no checkpoint is missing."""

from __future__ import annotations

from collections.abc import Iterator

from audit.proofs.registry import Fault, RowCount
from casino.proofs import seals


def prove(count: RowCount) -> Iterator[Fault]:
    """Yield a fault for each key and each checkpoint that was changed, inserted or deleted with SQL."""
    yield from seals.prove_table("checkpoint_key", count)
    yield from seals.prove_table("checkpoint", RowCount())

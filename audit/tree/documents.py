"""Proofs as JSON documents, which `verify_proof.py` checks on another machine.

`inclusion_proof` shows that a fact is in the ledger that a checkpoint describes. `consistency_proof` shows
that the ledger of one checkpoint is the beginning of the ledger of a later checkpoint.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from functools import partial
from typing import Any
from uuid import UUID

from audit import database
from audit.facts.chain import leaf_of
from audit.tree import checkpoints, store
from audit.tree.checkpoints import Stored
from audit.tree.proofs import TileMissing, is_consistent, root_by_inclusion

VERSION = 1


class NoProof(Exception):
    """A proof cannot be given: the fact or the checkpoint does not exist, no checkpoint covers the fact, or a
    tile was changed. The text of the exception is shown to users.
    """


def inclusion_proof(property: str, uid: UUID, size: int | None = None) -> dict[str, Any]:
    """Return the proof that a fact is in the ledger of a property, as a JSON object. Raise NoProof if this
    cannot be proved.

    Args:
        property: the property.
        uid: the fact's uid.
        size: the size of the checkpoint whose ledger must contain the fact. By default, the latest
            checkpoint.

    Returns:
        `proof`, `version`, `property`, `uid`, `leaf` (the fact's canonical bytes, base64), `index` (its
        position in the ledger less one), `size`, `hashes` (base64) and `checkpoint` (the signed note).
    """
    row = database.first_row(
        "SELECT position, body FROM fact WHERE property = %s AND uid = %s", [property, uid]
    )
    if row is None:
        raise NoProof(f"The ledger of {property} has no fact {uid}.")
    position, body = row[0], bytes(row[1])
    checkpoint = checkpoints.latest(property) if size is None else _checkpoint(property, size)
    if checkpoint is None or checkpoint.size < position:
        covered = f"the latest one ends at position {checkpoint.size}" if checkpoint else "none was made yet"
        raise NoProof(
            f"No checkpoint covers position {position} of {property}: {covered}. Run manage.py checkpoint"
            f" {property}."
        )
    path = inclusion_paths(property, {position: leaf_of(body)}, checkpoint)[position]
    return {
        "proof": "inclusion",
        "version": VERSION,
        "property": property,
        "uid": str(uid),
        "leaf": _text(body),
        "index": position - 1,
        "size": checkpoint.size,
        "hashes": list(map(_text, path)),
        "checkpoint": checkpoints.cosigned_note(checkpoint),
    }


def inclusion_paths(property: str, leaves: Mapping[int, bytes], checkpoint: Stored) -> dict[int, list[bytes]]:
    """Return the hashes that prove that facts are in the ledger of a checkpoint. Raise NoProof if they cannot
    be proved.

    Args:
        property: the property.
        leaves: {position of a fact: its leaf}. The checkpoint must cover all positions.
        checkpoint: the checkpoint.
    """
    tree = store.tree_of(property)
    paths = {}
    for position, leaf in leaves.items():
        path = _path(property, partial(tree.inclusion, position - 1, checkpoint.size))
        if root_by_inclusion(leaf, position - 1, checkpoint.size, path) != checkpoint.root:
            raise _changed(property)
        paths[position] = path
    return paths


def consistency_proof(property: str, begins: int, ends: int) -> dict[str, Any]:
    """Return the proof that the checkpoint of size `begins` is the beginning of the checkpoint of size
    `ends`, as a JSON object. Raise NoProof if this cannot be proved.

    Returns:
        `proof`, `version`, `property`, `from`, `to`, `hashes` (base64), and the two signed notes
        `checkpoint_from` and `checkpoint_to`.
    """
    if begins > ends:
        raise NoProof(f"The first checkpoint must not be larger than the second one, but {begins} > {ends}.")
    old, new = _checkpoint(property, begins), _checkpoint(property, ends)
    tree = store.tree_of(property)
    path = _path(property, lambda: tree.consistency(begins, ends))
    if not is_consistent(begins, ends, old.root, new.root, path):
        raise _changed(property)
    return {
        "proof": "consistency",
        "version": VERSION,
        "property": property,
        "from": begins,
        "to": ends,
        "hashes": list(map(_text, path)),
        "checkpoint_from": checkpoints.cosigned_note(old),
        "checkpoint_to": checkpoints.cosigned_note(new),
    }


def _checkpoint(property: str, size: int) -> Stored:
    checkpoint = checkpoints.at(property, size)
    if checkpoint is None:
        raise NoProof(
            f"{property} has no checkpoint of size {size}. manage.py checkpoint {property} --list prints all."
        )
    return checkpoint


def _path(property: str, make: Any) -> list[bytes]:
    try:
        path: list[bytes] = make()
    except TileMissing as missing:
        raise NoProof(f"{missing} Run manage.py verify --only tile.") from None
    return path


def _changed(property: str) -> NoProof:
    return NoProof(
        f"The tiles of {property} do not lead to the root of the checkpoint: a tile, the fact or the"
        " checkpoint was changed. Run manage.py verify --only ledger."
    )


def _text(data: bytes) -> str:
    return b64encode(data).decode()

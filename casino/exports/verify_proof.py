"""Check a proof or a checkpoint of Catwalk, without Catwalk: `python verify_proof.py FILE --vkey VKEY`.

Needs only Python 3.10 or later and the package `cryptography`. FILE is what `manage.py proof` printed, or a
signed checkpoint. VKEY is the public key that `manage.py checkpoint_key list` prints; take it from the
casino, not from the person who gave you the file. `--vkey` may be repeated, for several keys of a log.
`--witness VKEY` also requires the signature of this witness.

An inclusion proof shows that one fact is in the ledger that a checkpoint describes, unchanged, and where. A
consistency proof shows that the ledger of one checkpoint is the beginning of the ledger of another one.

Exit status 0: valid. 1: not valid, with the reason. 2: nothing can be checked.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import re
import sys
from pathlib import Path
from typing import Any, NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

DASH = "\N{EM DASH} "
LOG, WITNESS = 1, 4
"""Types of keys: Ed25519 of a log, and Ed25519 of a witness with a time."""
LONGEST = 1 << 26


class Wrong(Exception):
    """Raised if the proof is not valid. The text of the exception is a sentence."""


class Unreadable(Exception):
    """Raised if the file or a key is not in the expected format."""


class Key(NamedTuple):
    """A public key that was read from a vkey."""

    name: str
    id: bytes
    type: int
    public: bytes


class Checkpoint(NamedTuple):
    """A checkpoint whose signatures were checked."""

    origin: str
    size: int
    root: bytes
    signed_by: list[str]


def decoded(text: Any, name: str) -> bytes:
    """Return the bytes of a base64 text. Raise Unreadable if it is not base64."""
    try:
        return base64.b64decode(text, validate=True)
    except (TypeError, ValueError):
        raise Unreadable(f"{name} is not base64") from None


def parse_vkey(text: str) -> Key:
    """Return the key in a vkey. Raise Unreadable if the text is not a vkey."""
    name, _, id_and_key = text.strip().partition("+")
    id, _, encoded = id_and_key.partition("+")
    data = decoded(encoded, f"the key of {name}")
    if not name or len(data) != 33 or data[0] not in (LOG, WITNESS):
        raise Unreadable(f"{text[:80]!r} is not a vkey")
    digest = hashlib.sha256(name.encode() + b"\n" + data).digest()[:4]
    if digest.hex() != id:
        raise Unreadable(f"the id of the vkey of {name} is {id[:16]}, that of its key {digest.hex()}")
    return Key(name, digest, data[0], data[1:])


def has_signed(key: Key, text: str, signature: bytes) -> bool:
    """Return True if the signature of a text was made with this key."""
    message = text.encode()
    if key.type == WITNESS:
        message = b"cosignature/v1\ntime %d\n" % int.from_bytes(signature[:8], "big") + message
        signature = signature[8:]
    try:
        Ed25519PublicKey.from_public_bytes(key.public).verify(signature, message)
    except InvalidSignature:
        return False
    return True


def open_checkpoint(note: Any, keys: list[Key], witnesses: list[Key]) -> Checkpoint:
    """Return what a signed checkpoint says. Raise Wrong unless one of `keys` and each of `witnesses` has
    signed it. Raise Unreadable if it is not in the format of a signed checkpoint.
    """
    if not isinstance(note, str) or "\n\n" not in note:
        raise Unreadable("the checkpoint is not a signed note")
    text, _, lines = note.rpartition("\n\n")
    text += "\n"
    signed_by = []
    for line in lines.splitlines():
        name, _, encoded = line.removeprefix(DASH).partition(" ")
        data = decoded(encoded, "a signature")
        if not line.startswith(DASH):
            raise Unreadable("a line of a signature does not begin with a dash")
        for key in (*keys, *witnesses):
            if (key.name, key.id) == (name, data[:4]):
                if not has_signed(key, text, data[4:]):
                    raise Wrong(f"the signature of {name} is not valid: the checkpoint was changed or forged")
                signed_by.append(f"{name}+{key.id.hex()}")
    for group, subject in (
        (keys, "none of the given keys"),
        *(([witness], f"the witness {witness.name}") for witness in witnesses),
    ):
        if not any(f"{key.name}+{key.id.hex()}" in signed_by for key in group):
            raise Wrong(f"{subject} has not signed the checkpoint")
    origin, size, root = [*text.split("\n"), "", ""][:3]
    hashed = decoded(root, "the root")
    if not re.fullmatch("0|[1-9][0-9]{0,18}", size) or len(hashed) != 32:
        raise Unreadable("the note is not a checkpoint")
    return Checkpoint(origin, int(size), hashed, signed_by)


def node(left: bytes, right: bytes) -> bytes:
    """Return the hash of a node of the tree from the hashes of its two subtrees."""
    return hashlib.sha256(b"\x01" + left + right).digest()


def split(size: int) -> int:
    """Return the largest power of two that is smaller than a size."""
    return 1 << ((size - 1).bit_length() - 1)


def root_with(leaf: bytes, index: int, size: int, path: list[bytes]) -> bytes:
    """Compute the root of a tree of `size` leaves from one leaf, the index of this leaf, and the hashes of
    its proof. Raise Wrong if the tree needs another number of hashes.
    """
    if size == 1:
        if path:
            raise Wrong("the proof has too many hashes")
        return leaf
    if not path:
        raise Wrong("the proof has too few hashes")
    middle = split(size)
    if index < middle:
        return node(root_with(leaf, index, middle, path[:-1]), path[-1])
    return node(path[-1], root_with(leaf, index - middle, size - middle, path[:-1]))


def both_roots(
    old: int, new: int, path: list[bytes], old_root: bytes, is_whole: bool = True
) -> tuple[bytes, bytes]:
    """Return the roots of the trees of `old` and of `new` leaves, computed from the hashes of a consistency
    proof. Raise Wrong if the number of hashes is not the number that the trees need.

    `is_whole`: True if `old` is the number of all leaves of the older checkpoint. The root of these leaves is
    then `old_root`.
    """
    if old == new:
        if len(path) != (0 if is_whole else 1):
            raise Wrong("the proof does not have the number of hashes that the trees need")
        known = old_root if is_whole else path[0]
        return known, known
    if not path:
        raise Wrong("the proof has too few hashes")
    middle = split(new)
    if old <= middle:
        before, after = both_roots(old, middle, path[:-1], old_root, is_whole)
        return before, node(after, path[-1])
    before, after = both_roots(old - middle, new - middle, path[:-1], old_root, False)
    return node(path[-1], before), node(path[-1], after)


def hashes_of(proof: dict[str, Any]) -> list[bytes]:
    """Return the hashes of a proof. Raise Unreadable if they are missing or not in their format."""
    listed = proof.get("hashes")
    if not isinstance(listed, list) or len(listed) > 128:
        raise Unreadable("hashes is not a list of hashes")
    path = [decoded(text, "a hash") for text in listed]
    if any(len(text) != 32 for text in path):
        raise Unreadable("a hash does not have 32 bytes")
    return path


def number_in(proof: dict[str, Any], name: str) -> int:
    """Return a field of a proof that is a whole number. Raise Unreadable if it is not one."""
    value = proof.get(name)
    if type(value) is not int or not 0 <= value < 1 << 62:
        raise Unreadable(f"{name} is not a whole number")
    return value


def check_inclusion(proof: dict[str, Any], keys: list[Key], witnesses: list[Key]) -> str:
    """Check that a fact is in the ledger of a checkpoint. Return a text that says what was proved. Raise
    Wrong or Unreadable.
    """
    checkpoint = open_checkpoint(proof.get("checkpoint"), keys, witnesses)
    body, index, size = (
        decoded(proof.get("leaf"), "leaf"),
        number_in(proof, "index"),
        number_in(proof, "size"),
    )
    if size != checkpoint.size:
        raise Wrong(f"the proof is for {size} facts, the checkpoint for {checkpoint.size}")
    if index >= size:
        raise Wrong(f"position {index + 1} is after the end of the checkpoint, which has {size} facts")
    leaf = hashlib.sha256(b"\x00" + body).digest()
    if root_with(leaf, index, size, hashes_of(proof)) != checkpoint.root:
        raise Wrong("the proof does not lead to the root of the checkpoint: the fact is not in this ledger")
    try:
        fact = json.loads(body)
    except ValueError:
        raise Unreadable("leaf is not a fact") from None
    if not isinstance(fact, dict) or fact.get("uid") != proof.get("uid"):
        raise Wrong("the uid of the proof is not that of the fact in it")
    shown = json.dumps(fact, ensure_ascii=True, sort_keys=True)
    return f"{said(checkpoint)}\nThis fact is at position {index + 1} of that ledger:\n{shown}"


def check_consistency(proof: dict[str, Any], keys: list[Key], witnesses: list[Key]) -> str:
    """Check that one checkpoint continues another one. Return a text that says what was proved. Raise Wrong
    or Unreadable.
    """
    old = open_checkpoint(proof.get("checkpoint_from"), keys, [])
    new = open_checkpoint(proof.get("checkpoint_to"), keys, witnesses)
    if (old.size, new.size) != (number_in(proof, "from"), number_in(proof, "to")) or old.origin != new.origin:
        raise Wrong("the two checkpoints are not those that the proof names")
    if not 0 < old.size <= new.size:
        raise Wrong("the first checkpoint is larger than the second one, or empty")
    if both_roots(old.size, new.size, hashes_of(proof), old.root) != (old.root, new.root):
        raise Wrong("the first ledger is not the beginning of the second one: facts were changed or removed")
    return f"{said(old)}\n{said(new)}\nThe second ledger begins with the {old.size} facts of the first one."


def said(checkpoint: Checkpoint) -> str:
    """Return a text that names a checkpoint and its signers."""
    return (
        f"Checkpoint of {checkpoint.origin}: {checkpoint.size} facts, root {checkpoint.root.hex()}, signed by"
        f" {', '.join(checkpoint.signed_by)}."
    )


def check(content: str, keys: list[Key], witnesses: list[Key]) -> str:
    """Check a proof, or a checkpoint. Return a text that says what was proved. Raise Wrong or Unreadable."""
    if not content.lstrip().startswith("{"):
        return said(open_checkpoint(content, keys, witnesses))
    proof = json.loads(content)
    if proof.get("version") != 1:
        raise Unreadable(f"this program checks proofs of version 1, not {proof.get('version')}")
    if proof.get("proof") == "inclusion":
        return check_inclusion(proof, keys, witnesses)
    if proof.get("proof") == "consistency":
        return check_consistency(proof, keys, witnesses)
    raise Unreadable(f"{proof.get('proof')!r} is not a kind of proof")


def main(arguments: list[str]) -> int:
    """Run the command with these arguments and return its exit status."""
    parser = argparse.ArgumentParser(
        prog="verify_proof.py", description="Check a proof or a checkpoint of Catwalk."
    )
    parser.add_argument("file", type=Path, help="the proof (JSON) or the signed checkpoint")
    parser.add_argument("--vkey", action="append", required=True, help="a key of the log; can be repeated")
    parser.add_argument("--witness", action="append", default=[], help="a witness that must have signed too")
    options = parser.parse_args(arguments)
    try:
        if options.file.stat().st_size > LONGEST:
            raise Unreadable("the file is too large")
        content = options.file.read_text(encoding="utf-8")
        keys, witnesses = list(map(parse_vkey, options.vkey)), list(map(parse_vkey, options.witness))
        print(check(content, keys, witnesses))
    except Wrong as wrong:
        print(f"{options.file.name}: NOT VALID: {wrong}.")
        return 1
    except (Unreadable, OSError, ValueError, RecursionError) as error:
        print(f"{options.file.name}: cannot be checked: {error}.", file=sys.stderr)
        return 2
    print("Valid.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

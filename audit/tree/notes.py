"""Signed notes (https://c2sp.org/signed-note) with Ed25519 keys, and checkpoints
(https://c2sp.org/tlog-checkpoint), which are notes about a tree.

A note is a text, an empty line, and one line for each signature: `— KEY NAME BASE64`. The base64 has the four
bytes of the key's id, then the signature.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from audit.facts.input_parsing import whole

ED25519, COSIGNATURE = 1, 4
"""The types of signatures: the signature of a log, and the signature of a witness, which includes a time."""
DASH = "\N{EM DASH} "
LONGEST = 65_536
"""Maximum number of bytes of a note that is read."""
KEY_BYTES, SIGNATURE_BYTES, ID_BYTES, TIME_BYTES = 32, 64, 4, 8


class InvalidNote(ValueError):
    """A note or a verifier key is not in its format, or no known key has signed the note."""


class VerifierKey(NamedTuple):
    """A public key. Its text form is the vkey `NAME+ID+BASE64`."""

    name: str
    public: bytes
    type: int = ED25519

    @property
    def id(self) -> bytes:
        """Return the four bytes that identify the key together with its name."""
        return sha256(self.name.encode() + b"\n" + bytes([self.type]) + self.public).digest()[:ID_BYTES]

    @property
    def text(self) -> str:
        """Return the key as a vkey."""
        return f"{self.name}+{self.id.hex()}+{b64encode(bytes([self.type]) + self.public).decode()}"


class Signature(NamedTuple):
    """A line of a note: the key's name and id, and the signature."""

    name: str
    id: bytes
    signature: bytes


class Note(NamedTuple):
    """A note: its text, which ends with a newline, and its signatures."""

    text: str
    signatures: tuple[Signature, ...]


class Checkpoint(NamedTuple):
    """The content of a checkpoint: the origin, which names the log, the number of leaves, and the root."""

    origin: str
    size: int
    root: bytes


def is_key_name(name: str) -> bool:
    """Return True if a key may have this name: it has no space, no plus and no control character."""
    return bool(name) and name.isprintable() and not any(letter.isspace() or letter == "+" for letter in name)


def parse_vkey(text: str) -> VerifierKey:
    """Parse a vkey. Raise InvalidNote if it is not valid, or if its id does not match its key."""
    name, _, id_and_key = text.strip().partition("+")
    id, _, encoded = id_and_key.partition("+")
    data = _decoded(encoded)
    if not is_key_name(name) or len(data) != 1 + KEY_BYTES or data[0] not in (ED25519, COSIGNATURE):
        raise InvalidNote(f"{text.strip()[:80]!r} is not a vkey: write NAME+ID+KEY as it was printed.")
    key = VerifierKey(name, data[1:], data[0])
    if key.id.hex() != id:
        raise InvalidNote(
            f"The id of the vkey of {name} is {id[:16]!r}, but that of its key is {key.id.hex()}."
        )
    return key


def verifier_of(name: str, private: Ed25519PrivateKey) -> VerifierKey:
    """Return the public half of a key."""
    return VerifierKey(name, private.public_key().public_bytes_raw())


def sign(text: str, keys: Iterable[tuple[str, Ed25519PrivateKey]]) -> str:
    """Return the note of a text, signed by each of the keys, which are given as (name, private key)."""
    lines = []
    for name, private in keys:
        data = verifier_of(name, private).id + private.sign(text.encode())
        lines.append(f"{DASH}{name} {b64encode(data).decode()}\n")
    return f"{text}\n{''.join(lines)}"


def parse(note: str) -> Note:
    """Parse a note without verifying its signatures. Raise InvalidNote if it is not a note."""
    text, separator, lines = note.rpartition("\n\n")
    if not separator or not lines.endswith("\n") or len(note) > LONGEST:
        raise InvalidNote(
            "This is not a signed note: it must have a text, an empty line and lines of signatures."
        )
    if any(letter < " " and letter != "\n" for letter in note):
        raise InvalidNote("A signed note has no control characters.")
    return Note(f"{text}\n", tuple(map(_signature, lines.removesuffix("\n").split("\n"))))


def signers(note: Note, known: Sequence[VerifierKey]) -> list[VerifierKey]:
    """Return the known keys that have signed a note. Raise InvalidNote if a known key's signature is wrong,
    or if no known key has signed it.
    """
    by_name = {(key.name, key.id): key for key in known}
    signed = []
    for signature in note.signatures:
        key = by_name.get((signature.name, signature.id))
        if key is None:
            continue
        if not _is_valid(note.text, key, signature.signature):
            raise InvalidNote(f"The signature of {key.name} ({key.id.hex()}) is not valid.")
        signed.append(key)
    if not signed:
        names = ", ".join(f"{signature.name} ({signature.id.hex()})" for signature in note.signatures)
        raise InvalidNote(f"None of the given keys has signed the note. Its signatures are by {names}.")
    return signed


def checkpoint_text(checkpoint: Checkpoint) -> str:
    """Return the text of a checkpoint."""
    return f"{checkpoint.origin}\n{checkpoint.size}\n{b64encode(checkpoint.root).decode()}\n"


def read_checkpoint(note: Note) -> Checkpoint:
    """Parse the text of a note as a checkpoint. Lines after the third are ignored. Raise InvalidNote if the
    text is not a checkpoint.
    """
    origin, size, root, *_ = (*note.text.split("\n"), "", "")
    hashed = _decoded(root)
    number = whole(size)
    if not origin or number is None or str(number) != size or len(hashed) != KEY_BYTES:
        raise InvalidNote(
            "This is not a checkpoint: its first lines must be the origin, the size and the root."
        )
    return Checkpoint(origin, number, hashed)


def _signature(line: str) -> Signature:
    name, _, encoded = line.removeprefix(DASH).partition(" ")
    data = _decoded(encoded)
    if not line.startswith(DASH) or not is_key_name(name) or len(data) <= ID_BYTES:
        raise InvalidNote(f"{line[:80]!r} is not a signature: write — NAME BASE64.")
    return Signature(name, data[:ID_BYTES], data[ID_BYTES:])


def _is_valid(text: str, key: VerifierKey, signature: bytes) -> bool:
    message = text.encode()
    if key.type == COSIGNATURE:
        time, signature = signature[:TIME_BYTES], signature[TIME_BYTES:]
        message = b"cosignature/v1\ntime %d\n" % int.from_bytes(time, "big") + message
    if len(signature) != SIGNATURE_BYTES:
        return False
    try:
        Ed25519PublicKey.from_public_bytes(key.public).verify(signature, message)
    except InvalidSignature:
        return False
    return True


def _decoded(text: str) -> bytes:
    try:
        return b64decode(text, validate=True)
    except (NotBase64, ValueError):
        return b""

"""Check a proof, a checkpoint or an archive of facts of Catwalk, without Catwalk: `python verify_proof.py
PATH --vkey VKEY`.

Needs only Python 3.10 or later and the package `cryptography`, and for an archive also `pyarrow`, which reads
the rows. PATH is what `manage.py proof` printed, a signed checkpoint, or a folder with archived months (all
of the archive, or a part of it). VKEY is the public key that `manage.py checkpoint_key list` prints; take it
from the casino, not from the person who gave you the file. `--vkey` may be repeated, for several keys or
logs. `--witness VKEY` also requires the signature of this witness.

An inclusion proof shows that one fact is in the ledger that a checkpoint describes, unchanged, and where. A
consistency proof shows that the ledger of one checkpoint is the beginning of the ledger of another one.

For an archive, the program compares each file with its manifest, and each column with the fact in `body`. It
computes the root of the checkpoint from the facts of each day, and checks the signature. It counts the facts
of each stream: they begin at 1 and, at a table, end with the close of the day. No hash contains the times in
`recorded_at`, and no proof shows that a whole table or day is missing: the program prints how many facts of
the ledger are not in the archive.

Exit status 0: valid. 1: not valid, with the reason. 2: nothing can be checked.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import re
import sys
from bisect import bisect_left
from collections.abc import Iterator
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

DASH = "\N{EM DASH} "
LOG, WITNESS = 1, 4
"""Types of keys: Ed25519 of a log, and Ed25519 of a witness with a time."""
LONGEST = 1 << 26
LISTED = 20
"""Maximum number of faults of one file of an archive that are printed."""
MANIFEST = "_manifest-"
DAY = re.compile(r"day=(\d{4}-\d\d-\d\d)/facts-\d+\.parquet")
ROWS = ["position", "stream", "number", "kind", "uid", "round", "body"]
PART = {"property": str, "month": str, "part": int, "after": int, "size": int, "facts": int, "days": list}
FILE = {"day": str, "path": str, "facts": int, "first": int, "last": int, "bytes": int}
FILE |= {"sha256": str, "hashes": str}
"""The fields of a manifest of an archive, and of each of its days."""


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


class Archive:
    """The facts of an archive that were read, and the faults that were found in it.

    Attributes:
        faults: a sentence for each fault.
        proved: a sentence for each month.
        facts: {property: number of facts}.
        sizes: {property: size of its largest checkpoint}.
    """

    def __init__(self, root: Path, keys: list[Key], witnesses: list[Key]) -> None:
        self.keys, self.witnesses = keys, witnesses
        self.faults: list[str] = []
        self.proved: list[str] = []
        self.facts: dict[str, int] = {}
        self.sizes: dict[str, int] = {}
        folders = sorted({path.parent for path in root.rglob(f"{MANIFEST}*.json")})
        if not folders:
            raise Unreadable("the folder has no manifest of an archived month")
        for folder in folders:
            self.check_month(folder)

    def check_month(self, folder: Path) -> None:
        """Check all parts of an archived month."""
        known: set[Path] = set()
        streams: dict[str, tuple[int, str]] = {}
        number, after = 1, 0
        while (path := folder / f"{MANIFEST}{number}.json").exists():
            known.add(path)
            try:
                part = part_in(path, number, after)
                known |= {folder / day["path"] for day in part["days"]}
                self.check_part(folder, part, streams)
            except (Wrong, Unreadable) as error:
                self.faults.append(f"{path}: {error}")
                return
            number, after = number + 1, part["size"]
        for path in sorted(set(folder.rglob("*")) - known):
            if path.is_file() and not path.name.startswith("."):
                self.faults.append(f"{path}: it is in no manifest")
        for stream, (_, kind) in sorted(streams.items()):
            if kind != "day-closed" and stream.split("/")[1:2] != ["house"]:
                self.faults.append(f"{folder}: the facts of {stream} end with {kind}, not with day-closed")

    def check_part(self, folder: Path, part: Any, streams: dict[str, tuple[int, str]]) -> None:
        """Check a part of a month: its checkpoint, its files and the facts in them. Raise Wrong or
        Unreadable if its checkpoint is not valid.
        """
        checkpoint = open_checkpoint(part["checkpoint"], self.keys, self.witnesses)
        if checkpoint.size != part["size"]:
            raise Wrong(f"its size is {part['size']}, but its checkpoint has {checkpoint.size} facts")
        digests = {day["sha256"]: day["day"] for day in part["days"]}
        for day in part["days"]:
            path = folder / day["path"]
            try:
                digest = digest_of(path)
                if (digest, path.stat().st_size) != (day["sha256"], day["bytes"]):
                    origin = f"the content of {digests[digest]}" if digest in digests else f"SHA-256 {digest}"
                    self.faults.append(f"{path}: it has {origin}, not {day['sha256']} as in its manifest")
                for fault in islice(day_faults(path, part, day, checkpoint, streams), LISTED):
                    self.faults.append(f"{path}: {fault}")
            except (Wrong, Unreadable, OSError) as error:
                self.faults.append(f"{path}: {error}")
        property, count = part["property"], sum(day["facts"] for day in part["days"])
        if count != part["facts"]:
            raise Wrong(f"its days have {count} facts, but it says {part['facts']}")
        self.facts[property] = self.facts.get(property, 0) + count
        self.sizes[property] = max(self.sizes.get(property, 0), checkpoint.size)
        files = f"{part['facts']} facts in {len(part['days'])} files"
        self.proved.append(f"{property} {part['month']} part {part['part']}: {files}. {said(checkpoint)}")


def digest_of(path: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while content := file.read(1 << 20):
            digest.update(content)
    return digest.hexdigest()


def part_in(path: Path, number: int, after: int) -> Any:
    """Return the content of the manifest of a part. Raise Unreadable if it is not a manifest, and Wrong if it
    does not belong here.
    """
    try:
        part = json.loads(path.read_bytes())
    except ValueError as error:
        raise Unreadable(f"it is not JSON: {error}") from None
    for fields, entries in ((PART, [part]), (FILE, part["days"] if has(part, PART) else [])):
        if not all(has(entry, fields) for entry in entries):
            raise Unreadable(f"it is not a manifest with {', '.join(fields)}")
    if part.get("archive") != 1:
        raise Unreadable(f"this program checks archives of version 1, not {part.get('archive')}")
    if (part["part"], part["after"]) != (number, after):
        says = f"it is part {part['part']} after position {part['after']}"
        raise Wrong(f"{says}, but part {number} after position {after} belongs here")
    for day in part["days"]:
        named = DAY.fullmatch(day["path"])
        if named is None or named[1] != day["day"] or not day["day"].startswith(part["month"]):
            raise Wrong(f"{day['path'][:80]!r} is not a file of {day['day'][:20]} in {part['month'][:20]}")
    return part


def has(entry: Any, fields: dict[str, type]) -> bool:
    """Return True if a JSON object has these fields, with values of these types."""
    return isinstance(entry, dict) and all(type(entry.get(name)) is kind for name, kind in fields.items())


def day_faults(
    path: Path, part: Any, day: Any, checkpoint: Checkpoint, streams: dict[str, tuple[int, str]]
) -> Iterator[str]:
    """Yield a sentence for each fault of the facts of a day. Raise Wrong or Unreadable if the file or its
    proof cannot be read.

    `streams` has the number and the kind of the last fact of each stream. It is updated.
    """
    indexes: list[int] = []
    leaves: list[bytes] = []
    for position, stream, number, kind, uid, round, body in rows_of(path):
        place = f"position {position}"
        if position < 1 or (indexes and position <= indexes[-1] + 1):
            raise Wrong(f"{place} is not after the one before it")
        table, date, *fields = fields_in(body, place)
        for name, value, of_fact in zip(
            ("stream", "kind", "uid", "round"),
            (stream, kind, uid, round),
            (f"{table}/{date}", *fields),
            strict=True,
        ):
            if value != of_fact:
                yield f"{place}: {name} is {value}, but the fact says {of_fact}"
        if not table.startswith(f"{part['property']}/") or date != day["day"]:
            yield f"{place}: the fact is of {table} on {date}"
        last, last_kind = streams.get(stream, (0, ""))
        if number != last + 1 or last_kind == "day-closed":
            yield f"{place}: it has number {number} of {stream}, after number {last}"
        streams[stream] = number, kind
        indexes.append(position - 1)
        leaves.append(hashlib.sha256(b"\x00" + body).digest())
    if not leaves or indexes[-1] >= checkpoint.size:
        raise Wrong(f"its positions are not those of a ledger of {checkpoint.size} facts")
    counted = len(leaves), indexes[0] + 1, indexes[-1] + 1
    if counted != (day["facts"], day["first"], day["last"]):
        says = "it has {} facts from position {} to {}".format(*counted)
        yield f"{says}, which are not those in its manifest"
    hashes = decoded(day["hashes"], "hashes")
    unused = [hashes[at : at + 32] for at in range(0, len(hashes), 32)][::-1]
    root = root_of_facts((indexes, leaves), unused, (0, checkpoint.size), (0, len(leaves)))
    if root != checkpoint.root or unused:
        yield "its facts do not lead to the root of the checkpoint: one was changed, added or removed"


def rows_of(path: Path) -> Iterator[tuple[Any, ...]]:
    """Yield the columns ROWS of each row of a Parquet file, with `body` as bytes. Raise Wrong if the file is
    not a file of facts.
    """
    import pyarrow
    from pyarrow import parquet

    try:
        with parquet.ParquetFile(path) as file:
            for batch in file.iter_batches(5000, columns=ROWS, use_threads=False):
                columns = [batch.column(name).to_pylist() for name in ROWS]
                for *row, body in zip(*columns, strict=True):
                    if type(row[0]) is not int or type(row[2]) is not int:
                        raise Wrong("a row has no position or no number")
                    yield *row, body.encode()
    except (pyarrow.ArrowException, KeyError, AttributeError, UnicodeError) as error:
        raise Wrong(f"it cannot be read as a file of facts: {error}") from None


def fields_in(body: bytes, place: str) -> tuple[Any, ...]:
    """Return table, day, kind, uid and round of a fact. Raise Wrong if the bytes are not a fact."""
    try:
        fact = json.loads(body)
        fields = fact["table"], fact["day"], fact["kind"], fact["uid"].lower()
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise Wrong(f"{place}: the bytes in body are not a fact") from None
    if not all(isinstance(field, str) for field in fields):
        raise Wrong(f"{place}: the bytes in body are not a fact")
    return *fields, fact.get("round")


def root_of_facts(
    facts: tuple[list[int], list[bytes]],
    hashes: list[bytes],
    within: tuple[int, int],
    places: tuple[int, int],
) -> bytes:
    """Compute the root of a part of the tree from known leaves and the hashes of a proof. Raise Wrong if the
    proof has too few hashes.

    Args:
        facts: the indexes of the known leaves, and the leaves.
        hashes: the roots of the subtrees without a known leaf, from right to left. Used hashes are removed.
        within: the first index of this part, and the index after its last one.
        places: the place in `facts` of the first leaf of this part, and the place after its last one.
    """
    (begins, ends), (low, high) = within, places
    if low == high:
        if not hashes:
            raise Wrong("the proof in its manifest has too few hashes")
        return hashes.pop()
    if ends - begins == 1:
        return facts[1][low]
    middle = begins + split(ends - begins)
    border = bisect_left(facts[0], middle, low, high)
    left = root_of_facts(facts, hashes, (begins, middle), (low, border))
    return node(left, root_of_facts(facts, hashes, (middle, ends), (border, high)))


def check_archive(root: Path, keys: list[Key], witnesses: list[Key]) -> int:
    """Check all archived months in a folder, and print what was proved. Return the exit status. Raise
    Unreadable if it has no month, or if pyarrow is not installed.
    """
    if find_spec("pyarrow") is None:
        raise Unreadable("the package pyarrow, which reads the rows of an archive, is not installed")
    archive = Archive(root, keys, witnesses)
    print("\n".join(archive.proved))
    for property, size in sorted(archive.sizes.items()):
        count = archive.facts[property]
        print(f"{property}: {size - count} of the {size} facts of the checkpoint are not in this archive.")
    for fault in archive.faults:
        print(f"NOT VALID: {fault}.")
    if not archive.faults:
        print("Valid.")
    return 1 if archive.faults else 0


def main(arguments: list[str]) -> int:
    """Run the command with these arguments and return its exit status."""
    parser = argparse.ArgumentParser(
        prog="verify_proof.py", description="Check a proof, a checkpoint or an archive of facts of Catwalk."
    )
    parser.add_argument(
        "file", type=Path, help="the proof (JSON), the signed checkpoint, or the folder of an archive"
    )
    parser.add_argument("--vkey", action="append", required=True, help="a key of the log; can be repeated")
    parser.add_argument("--witness", action="append", default=[], help="a witness that must have signed too")
    options = parser.parse_args(arguments)
    try:
        keys, witnesses = list(map(parse_vkey, options.vkey)), list(map(parse_vkey, options.witness))
        if options.file.is_dir():
            return check_archive(options.file, keys, witnesses)
        if options.file.stat().st_size > LONGEST:
            raise Unreadable("the file is too large")
        content = options.file.read_text(encoding="utf-8")
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

"""Check an export of Catwalk against its manifest, without Catwalk: `python verify_export.py FILE
[MANIFEST]`.

MANIFEST is FILE.manifest.json by default. An evidence pack has a manifest inside, so it can be checked alone.
Needs only Python 3.10 or later and its standard library.

It checks the file's bytes and SHA-256, and reads the file row by row to check the number of rows. For CSV,
NDJSON, JSON and XLSX it also checks the columns and the control totals: the exact sum of every column of
money and of counts, by currency. For Parquet it reads the number of rows from the footer. For Parquet by day
it also compares each day's file with its manifest in the ZIP. For an evidence pack it recomputes the hash of
every file, fact and note, the link of every fact in the ledger's chain, and the way from every fact to the
root in the signed checkpoint; `verify_proof.py` checks the signature.

Exit status 0: everything is as the manifest says. 1: something differs, one line each. 2: nothing can be
checked. It does not prove who made the two files: compare the ledger's head in the manifest with the one that
the casino names.
"""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import json
import re
import sys
import zipfile
import zlib
from collections.abc import Iterator
from decimal import Context, Decimal, InvalidOperation
from pathlib import Path
from typing import IO, Any
from xml.etree import ElementTree

SUMMED = ("money", "count")
FIGURES = (*SUMMED, "percent")
EXACT = Context(prec=10_000)
A_DOUBLE = Context(prec=15)
"""The precision of a spreadsheet's numbers. An amount with more digits is text in the file."""
CSV_LIMIT = 2**31 - 1
SUMMARY_SINCE = 5
"""The first version of the XLSX format (`writing` in its manifest) whose last worksheet is a summary."""
SHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"

Cells = dict[str, Any]
UNREADABLE = (
    ValueError,
    LookupError,
    ArithmeticError,
    RecursionError,
    EOFError,
    csv.Error,
    zipfile.BadZipFile,
    ElementTree.ParseError,
    zlib.error,
)
"""Exceptions raised by reading a file that is not in the expected format."""


SHAPE = {
    "format": str,
    "title": str,
    "bytes": int,
    "sha256": str,
    "rows": int,
    "columns": list,
    "totals": list,
    "ledger": list,
}
LISTS: dict[str, dict[str, type]] = {
    "columns": {"key": str, "type": str},
    "totals": {"currency": str, "rows": int, "sums": dict},
    "ledger": {"property": str, "position": int},
}
"""For each list in a manifest: the fields of its items that are checked, with their types."""


class Wrong(Exception):
    """Raised if the file cannot be read in its format. The text of the exception is a sentence."""


def csv_rows(path: Path, keys: list[str], separator: str = ",") -> Iterator[Cells]:
    """Yield the rows of a CSV, whose first line has the keys of the columns."""
    csv.field_size_limit(CSV_LIMIT)
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = csv.reader(file, delimiter=separator, strict=True)
        same_columns(next(rows, []), keys)
        for row in rows:
            if len(row) != len(keys):
                raise Wrong(f"line {rows.line_num} has {len(row)} cells instead of {len(keys)}")
            yield dict(zip(keys, row, strict=True))


def ndjson_rows(path: Path, keys: list[str]) -> Iterator[Cells]:
    """Yield the rows of NDJSON, which has one object on each line."""
    with path.open(encoding="utf-8", newline="\n") as file:
        for number, line in enumerate(file, 1):
            row = json.loads(line)
            if not isinstance(row, dict):
                raise Wrong(f"line {number} is not a JSON object")
            if keys:
                same_columns(list(row), keys)
            yield row


def json_rows(path: Path, keys: list[str]) -> Iterator[Cells]:
    """Yield the rows of a JSON export. Each row is on a line of its own, so only one is in memory."""
    decoder = json.JSONDecoder()
    with path.open(encoding="utf-8", newline="\n") as file:
        head = file.readline().rstrip("\n")
        opening, closing = '"rows":[', '],"totals":'
        if head.endswith(opening):
            json.loads(head + "]}")
            for line in file:
                row, end = decoder.raw_decode(line)
                same_columns(list(row), keys)
                yield row
                ending = line[end:].rstrip("\n")
                if ending != ",":
                    break
            else:
                raise Wrong("the list of rows has no end")
        else:
            head, separator, ending = head.partition(opening)
            json.loads(f"{head}{opening}]}}") if separator else None
        if not ending.startswith(closing) or file.read():
            raise Wrong("it does not end the way an export does")
        json.loads('{"rows":[' + ending)


def xlsx_rows(path: Path, keys: list[str], summary: bool = False) -> Iterator[Cells]:
    """Yield the rows of all worksheets in order. Each worksheet begins with the keys of the columns, except
    for the last one if it is a summary.
    """
    with zipfile.ZipFile(path) as book:
        names = [name for name in book.namelist() if re.fullmatch(r"xl/worksheets/sheet\d+\.xml", name)]
        shared = shared_texts(book)
        names.sort(key=lambda name: int("".join(filter(str.isdigit, name))))
        for name in names[:-1] if summary else names:
            with book.open(name) as file:
                for number, cells in enumerate(sheet_rows(file, shared)):
                    if number == 0:
                        same_columns([str(cells.get(place, "")) for place in range(len(keys))], keys)
                    else:
                        yield {key: cells.get(place) for place, key in enumerate(keys)}


def sheet_rows(file: Any, shared: list[str]) -> Iterator[dict[int, Any]]:
    """Yield the rows of one worksheet. Each row is a mapping of column index to value, with numbers as
    `Decimal`.
    """
    data: Any = None
    for event, row in ElementTree.iterparse(file, ("start", "end")):
        if row.tag == f"{SHEET}sheetData":
            data = row
        if event != "end" or row.tag != f"{SHEET}row":
            continue
        cells: dict[int, Any] = {}
        for cell in row.iter(f"{SHEET}c"):
            value, kind = cell.findtext(f"{SHEET}v"), cell.get("t", "n")
            if kind == "inlineStr":
                cells[place_of(cell.get("r", ""))] = "".join(
                    text.text or "" for text in cell.iter(f"{SHEET}t")
                )
            elif value is not None:
                number = A_DOUBLE.create_decimal(value) if kind == "n" else None
                cells[place_of(cell.get("r", ""))] = (
                    number if number is not None else shared[int(value)] if kind == "s" else value
                )
        yield cells
        data.clear()


def shared_texts(book: zipfile.ZipFile) -> list[str]:
    """Return the shared texts of a workbook. A spreadsheet program that saves the file stores texts there and
    not in the cells.
    """
    if "xl/sharedStrings.xml" not in book.namelist():
        return []
    root = ElementTree.fromstring(book.read("xl/sharedStrings.xml"))
    return ["".join(text.text or "" for text in item.iter(f"{SHEET}t")) for item in root.iter(f"{SHEET}si")]


def place_of(name: str) -> int:
    """Return the column index of a cell reference: 27 for `AB12`."""
    place = 0
    for letter in re.sub(r"\d", "", name):
        place = place * 26 + ord(letter) - ord("A") + 1
    return place - 1


def parquet_row_count(file: IO[bytes]) -> int:
    """Read the number of rows from the footer. It is the third field of the metadata, in Thrift's compact
    protocol.
    """
    size = file.seek(0, io.SEEK_END)
    if size < 12:
        raise Wrong("it is not a Parquet file")
    file.seek(size - 8)
    length, end = int.from_bytes(file.read(4), "little"), file.read(4)
    if end != b"PAR1" or length > size - 12:
        raise Wrong("it is not a Parquet file")
    file.seek(size - 8 - length)
    footer = io.BytesIO(file.read(length))
    field = 0
    while True:
        step, kind = divmod(one_byte(footer), 16)
        field = field + step if step else zigzag(footer)
        if kind == 0:
            raise Wrong("its footer does not name the number of rows")
        if field == 3:
            return zigzag(footer)
        skip(footer, kind)


def one_byte(footer: io.BytesIO) -> int:
    """Read the next byte."""
    byte = footer.read(1)
    if not byte:
        raise Wrong("its footer is cut off")
    return byte[0]


def varint(footer: io.BytesIO) -> int:
    """Read an integer that is encoded with seven bits in each byte."""
    value = shift = 0
    while True:
        byte = one_byte(footer)
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value


def zigzag(footer: io.BytesIO) -> int:
    """Read a signed integer in zigzag encoding, whose last bit is the sign."""
    value = varint(footer)
    return (value >> 1) ^ -(value & 1)


def skip(footer: io.BytesIO, kind: int) -> None:
    """Skip a field of this Thrift type."""
    if kind in (4, 5, 6):
        varint(footer)
    elif kind in (3, 7, 8):
        footer.read({3: 1, 7: 8}.get(kind) or varint(footer))
    elif kind in (9, 10):
        count, kind_of_item = divmod(one_byte(footer), 16)
        for _ in range(varint(footer) if count == 15 else count):
            footer.read(1) if kind_of_item in (1, 2) else skip(footer, kind_of_item)
    elif kind == 12:
        while inner := one_byte(footer):
            if inner < 16:
                zigzag(footer)
            skip(footer, inner % 16)
    elif kind not in (1, 2):
        raise Wrong(f"its footer has a field of an unknown kind, {kind}")


PACK_MANIFEST, PACK_FACTS, PACK_PROOF = "manifest.json", "facts.ndjson", "proof.json"
PACK_CHECKPOINT = "checkpoint.txt"
PACK_WORDS, PACK_FILE = "words.json", re.compile(r"files/\d+-([0-9a-f]{12})\.bin")


def pack_manifest(path: Path) -> Any:
    """Return the manifest inside an evidence pack."""
    with zipfile.ZipFile(path) as pack:
        return json.loads(pack.read(PACK_MANIFEST))


def pack_coverage(path: Path) -> str:
    """Return a sentence that says how many facts of an evidence pack are proved by its signed checkpoint."""
    with zipfile.ZipFile(path) as pack:
        proof = json.loads(pack.read(PACK_PROOF))
    covered = sum(place["hashes"] is not None for place in proof["facts"])
    if proof["size"] is None:
        return "it has no signed checkpoint, so its facts are proved by the chain alone"
    return (
        f"{covered} of its {len(proof['facts'])} facts lead to the root of the ledger at position"
        f" {proof['size']}; check who signed it: python verify_proof.py {PACK_CHECKPOINT} --vkey VKEY"
    )


def pack_differences(path: Path) -> Iterator[str]:
    """Yield a sentence for each difference between an evidence pack and its own manifest or proofs. The
    pack's files, its facts, the chain of the facts, and the texts of the case are checked.
    """
    with zipfile.ZipFile(path) as pack:
        inner = json.loads(pack.read(PACK_MANIFEST))
        members = {member["name"]: member for member in inner["members"]}
        names = [name for name in pack.namelist() if name != PACK_MANIFEST]
        for name in sorted({*names, *members}):
            if name not in members or names.count(name) != 1:
                yield f"{name} is missing, occurs twice, or is not in its manifest"
                continue
            digest, length = hashlib.sha256(), 0
            with pack.open(name) as file:
                while part := file.read(1 << 20):
                    digest.update(part)
                    length += len(part)
            if (length, digest.hexdigest()) != (members[name]["bytes"], members[name]["sha256"]):
                yield f"{name} has {length} bytes with SHA-256 {digest.hexdigest()}, not as in its manifest"
            named = PACK_FILE.fullmatch(name)
            if named and not digest.hexdigest().startswith(named[1]):
                yield f"{name} has SHA-256 {digest.hexdigest()}, not that of its name"
        facts, proof = pack.read(PACK_FACTS), json.loads(pack.read(PACK_PROOF))
        yield from fact_differences(facts.splitlines(), proof, inner)
        if proof["size"] is not None:
            yield from tree_differences(proof, pack.read(PACK_CHECKPOINT).decode())
        for entry in json.loads(pack.read(PACK_WORDS)):
            actual = hashlib.sha256((entry["salt"] + entry["words"]).encode()).hexdigest()
            if actual != entry["sha256"]:
                yield f"the words of {entry['sha256']} have SHA-256 {actual}"
            elif entry["sha256"].encode() not in facts:
                yield f"no fact names the words with SHA-256 {entry['sha256']}"


def fact_differences(lines: list[bytes], proof: Any, inner: Any) -> Iterator[str]:
    """Yield a sentence for each fact in the pack that does not match its proof. Either its hash differs, or
    its link to the fact before it in the ledger's chain.
    """
    if not len(lines) == len(proof["facts"]) == inner["rows"]:
        yield f"it has {len(lines)} facts and {len(proof['facts'])} proofs, its manifest says {inner['rows']}"
        return
    head, (ledger, *_) = proof["head"], inner["ledger"]
    if (head["position"], head["chain"]) != (ledger["position"], ledger["chain"]):
        yield "the head of the ledger in its proof is not that in its manifest"
    before: dict[tuple[str, int], str] = {}
    for line, place in zip(lines, proof["facts"], strict=True):
        subject = f"the fact at position {place['position']}"
        leaf = hashlib.sha256(b"\0" + line).digest()
        numbers = b"".join(place[key].to_bytes(8, "big") for key in ("position", "number"))
        chain = hashlib.sha256(b"\2" + bytes.fromhex(place["previous"]) + numbers + leaf).hexdigest()
        if leaf.hex() != place["leaf"]:
            yield f"{subject} has the hash {leaf.hex()}, its proof says {place['leaf']}"
        if chain != place["chain"]:
            yield f"{subject} makes the chain {chain}, its proof says {place['chain']}"
        known = before.get((place["ledger"], place["position"] - 1), place["previous"])
        at_head = place["ledger"] == "property" and place["position"] == head["position"]
        if known != place["previous"] or (at_head and place["chain"] != head["chain"]):
            yield f"{subject} is not chained to the fact before it, or to the head of the ledger"
        before[place["ledger"], place["position"]] = place["chain"]


def tree_differences(proof: Any, note: str) -> Iterator[str]:
    """Yield a sentence for each fact whose inclusion proof does not lead to the root in the pack's
    checkpoint.
    """
    _, size, root, *_ = [*note.split("\n"), "", "", ""]
    if size != str(proof["size"]):
        yield f"its checkpoint has the size {size[:20]}, its proof {proof['size']}"
        return
    for place in proof["facts"]:
        is_covered = place["ledger"] == "property" and place["position"] <= proof["size"]
        if is_covered and place["hashes"] is None:
            yield f"the fact at position {place['position']} has no proof that it is in the ledger"
        elif is_covered:
            path = [bytes.fromhex(hashed) for hashed in place["hashes"]]
            reached = root_of(bytes.fromhex(place["leaf"]), place["position"] - 1, proof["size"], path)
            if base64.b64encode(reached).decode() != root:
                yield f"the fact at position {place['position']} is not in the ledger of the checkpoint"


def root_of(leaf: bytes, index: int, size: int, path: list[bytes]) -> bytes:
    """Compute the root of a tree of `size` leaves from one leaf, the index of this leaf, and the hashes of
    its proof. Return empty bytes if the tree needs another number of hashes.
    """
    last, root = size - 1, leaf
    for hashed in path:
        if last == 0:
            return b""
        if index & 1 or index == last:
            root = hashlib.sha256(b"\1" + hashed + root).digest()
            while not index & 1 and index:
                index, last = index >> 1, last >> 1
        else:
            root = hashlib.sha256(b"\1" + root + hashed).digest()
        index, last = index >> 1, last >> 1
    return root if last == 0 else b""


def parquet_differences(path: Path, manifest: dict[str, Any]) -> Iterator[str]:
    """Yield a sentence if a Parquet file has another number of rows than its manifest says."""
    with path.open("rb") as file:
        count = parquet_row_count(file)
    if count != manifest["rows"]:
        yield f"it has {count} rows, the manifest says {manifest['rows']}"


DAY_MANIFEST = re.compile(r"_manifests/(\d{4}-\d\d-\d\d)\.json")


def day_differences(path: Path, manifest: dict[str, Any]) -> Iterator[str]:
    """Yield a sentence for each difference between the files of the days in a ZIP, the manifest of each day,
    and the manifest of the ZIP.
    """
    count = 0
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        days = [named[1] for named in map(DAY_MANIFEST.fullmatch, names) if named]
        files = {f"gaming_day={day}/{manifest['what']}.parquet": day for day in days}
        if sorted(names) != sorted([*files, *(f"_manifests/{day}.json" for day in days)]):
            yield "it does not have one file and one manifest for each day"
            return
        for name, day in files.items():
            of_day = json.loads(archive.read(f"_manifests/{day}.json"))
            content = archive.read(name)
            if (len(content), hashlib.sha256(content).hexdigest()) != (of_day["bytes"], of_day["sha256"]):
                yield f"{name} has other bytes than its manifest says"
            rows = parquet_row_count(io.BytesIO(content))
            count += rows
            if rows != of_day["rows"]:
                yield f"{name} has {rows} rows, its manifest says {of_day['rows']}"
            if of_day["ledger"] != manifest["ledger"]:
                yield f"the manifest of {day} names another position of the ledger"
    if count != manifest["rows"]:
        yield f"its files have {count} rows, the manifest says {manifest['rows']}"


PARQUET = {"parquet": parquet_differences, "parquet-days": day_differences}
"""{format: function that checks the rows of a Parquet file or of a ZIP of Parquet files}."""
ROWS = {"csv": csv_rows, "csv-excel": csv_rows, "ndjson": ndjson_rows, "json": json_rows, "xlsx": xlsx_rows}


def same_columns(actual: list[str], keys: list[str]) -> None:
    """Raise Wrong if the columns of a row differ from those in the manifest."""
    if actual != keys:
        raise Wrong(f"its columns are {', '.join(actual)[:200]} and not {', '.join(keys)[:200]}")


def file_rows(path: Path, manifest: dict[str, Any]) -> Iterator[Cells]:
    """Yield the rows of a file. The figures of a CSV in a locale are read with its separator and decimal
    sign. A figure with another decimal sign is reported as a difference.
    """
    keys = [column["key"] for column in manifest["columns"]]
    if manifest["format"] == "xlsx":
        yield from xlsx_rows(path, keys, summary=manifest.get("writing", 1) >= SUMMARY_SINCE)
        return
    if "locale" not in manifest:
        yield from ROWS[manifest["format"]](path, keys)
        return
    figures = [column["key"] for column in manifest["columns"] if column["type"] in FIGURES]
    decimal = manifest["decimal"]
    for number, row in enumerate(csv_rows(path, keys, manifest["separator"]), 1):
        for key in figures:
            if decimal != "." and "." in row[key]:
                raise Wrong(f"{key} of row {number} has a point, not the decimal sign {decimal}")
            row[key] = row[key].replace(decimal, ".")
        yield row


def number_in(cell: Any) -> Decimal | None:
    """Return the number in a cell. Return None for an empty cell, and for a word such as `pending`: files of
    earlier releases have such words.
    """
    if cell is None or cell == "":
        return None
    try:
        number = Decimal(str(cell))
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def added_up(
    rows: Iterator[Cells], columns: list[dict[str, str]]
) -> tuple[int, dict[str, tuple[int, dict[str, Decimal]]]]:
    """Return the number of all rows and, for each currency, its number of rows and the sum of every column
    that is added up.
    """
    summed = [column["key"] for column in columns if column["type"] in SUMMED]
    named = any(column["key"] == "currency" for column in columns)
    totals: dict[str, tuple[int, dict[str, Decimal]]] = {}
    count = 0
    for row in rows:
        count += 1
        currency = str(row.get("currency") or "") if named else ""
        number, sums = totals.get(currency) or (0, {key: Decimal(0) for key in summed})
        for key in summed:
            value = number_in(row.get(key))
            if value is not None:
                sums[key] = EXACT.add(sums[key], value)
        totals[currency] = (number + 1, sums)
    return count, totals


def differences(path: Path, manifest: dict[str, Any]) -> Iterator[str]:
    """Yield a sentence for each difference between the file and the manifest."""
    if manifest["format"] == "zip":
        yield from pack_differences(path)
        if "bytes" not in manifest:
            return
    digest, length = hashlib.sha256(), 0
    with path.open("rb") as file:
        while part := file.read(1 << 20):
            digest.update(part)
            length += len(part)
    if length != manifest["bytes"]:
        yield f"it has {length} bytes, the manifest says {manifest['bytes']}"
    if digest.hexdigest() != manifest["sha256"]:
        yield f"its SHA-256 is {digest.hexdigest()}, the manifest says {manifest['sha256']}"
    if manifest["format"] in PARQUET:
        yield from PARQUET[manifest["format"]](path, manifest)
    if manifest["format"] not in ROWS:
        return
    count, actual = added_up(file_rows(path, manifest), manifest["columns"])
    if count != manifest["rows"]:
        yield f"it has {count} rows, the manifest says {manifest['rows']}"
    expected = {total["currency"]: total for total in manifest["totals"]}
    for currency in sorted({*expected, *actual}):
        scope = f" in {currency}" if currency else ""
        rows, sums = actual.get(currency, (0, {}))
        total = expected.get(currency, {"rows": 0, "sums": {}})
        if rows != total["rows"]:
            yield f"it has {rows} rows{scope}, the manifest says {total['rows']}"
        for key in {**total["sums"], **sums}:
            actual_sum, expected_sum = sums.get(key, Decimal(0)), Decimal(total["sums"].get(key, "0"))
            if actual_sum != expected_sum:
                yield f"{key}{scope} adds up to {actual_sum}, the manifest says {expected_sum}"


def no_manifest(manifest: Any) -> str:
    """Return a sentence that says why a document is not a manifest. Return empty text if it is one."""
    if not isinstance(manifest, dict):
        return "it is not a JSON object"
    if manifest.get("manifest") != 1:
        return f"this checks manifests of version 1, not {manifest.get('manifest')}"
    for key, kind in SHAPE.items():
        if not isinstance(manifest.get(key), kind):
            return f"{key} is missing, or of the wrong type"
    if "locale" in manifest and not all(
        isinstance(manifest.get(key), str) and len(manifest[key]) == 1 for key in ("separator", "decimal")
    ):
        return "separator or decimal is missing, or is not one character"
    for key, fields in LISTS.items():
        for entry in manifest[key]:
            if not (
                isinstance(entry, dict)
                and all(isinstance(entry.get(field), kind) for field, kind in fields.items())
            ):
                return f"{key} has a value of the wrong type"
    if any(
        not isinstance(value, str) or number_in(value) is None
        for total in manifest["totals"]
        for value in total["sums"].values()
    ):
        return "totals has a sum that is not a number"
    return ""


def main(arguments: list[str]) -> int:
    """Run the command with these arguments and return its exit status."""
    if len(arguments) not in (1, 2) or arguments[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    path = Path(arguments[0])
    manifest_path = (
        Path(arguments[1]) if len(arguments) == 2 else path.with_name(path.name + ".manifest.json")
    )
    try:
        if len(arguments) == 1 and not manifest_path.exists() and zipfile.is_zipfile(path):
            manifest = pack_manifest(path)
            says = no_manifest(manifest | {"bytes": 0, "sha256": "", "columns": [], "totals": []})
        else:
            manifest = json.loads(manifest_path.read_text(encoding="utf-8"))
            says = no_manifest(manifest)
        if says:
            raise ValueError(says)
    except (OSError, *UNREADABLE) as error:
        print(f"{manifest_path} cannot be read as a manifest: {error}", file=sys.stderr)
        return 2
    wrong: list[str] = []
    try:
        for difference in differences(path, manifest):
            wrong.append(difference)
    except OSError as error:
        print(f"{path} cannot be read: {error.strerror}", file=sys.stderr)
        return 2
    except (*UNREADABLE, Wrong) as error:
        wrong.append(f"it cannot be read as {manifest['format']}: {error}")
    for message in wrong:
        print(f"{path.name}: {message}")
    if not wrong:
        heads = ", ".join(
            f"{ledger['property']} at position {ledger['position']}" for ledger in manifest["ledger"]
        )
        print(
            f"{path.name}: as its manifest says: {manifest['title']}, {manifest['rows']} rows,"
            f" {manifest.get('bytes', path.stat().st_size)} bytes; made from {heads}"
        )
        if manifest["format"] == "zip":
            print(f"{path.name}: {pack_coverage(path)}")
        elif manifest["format"] not in (*ROWS, *PARQUET):
            print(f"{path.name}: of the format {manifest['format']} only the bytes are checked")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Prove the structure of the database: compare all objects in its catalogs with the objects that this release
creates.

`schema.txt` lists them, one per line. `python -m tests.schema_fingerprint` generates the file from a newly
migrated database. `fact` has one partition per property, and all partitions are compared with a single
pattern.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings
from django.db import connection

from audit import database
from audit.proofs import system_catalog
from audit.proofs.catalog import PARTITIONS, QUERIES, SUPERUSERS
from audit.proofs.registry import STRUCTURE, Fault, RowCount

RELEASE = Path(__file__).with_name("schema.txt")
PATTERN = "public.fact_<property>"
"""The name of every property's partition in `schema.txt`."""
MAJOR = "SELECT 'server', '', '', 'Postgres ' || current_setting('server_version_num')::int / 10000"
SERVER = "Postgres 18"
"""The Postgres version for which `schema.txt` was generated. Other major versions describe the same objects
differently.
"""
BOUND = re.compile(r"FOR VALUES IN \('((?:[^']|'')*)'\)")


class Described(NamedTuple):
    """An object of the database.

    Attributes:
        partition: the partition of `fact` to which the object belongs, or empty.
    """

    name: str
    text: str
    partition: str = ""


def described(on: Any = None) -> list[Described]:
    """Return all objects of the database of a connection, by default the application's connection."""
    with (on or connection).cursor() as cursor:
        cursor.execute(PARTITIONS)
        partitions = dict(cursor.fetchall())
        objects = []
        for query in (MAJOR, *QUERIES, *system_catalog.QUERIES):
            cursor.execute(query, _values())
            objects += [
                _described(kind, name, part, text, partitions) for kind, name, part, text in cursor.fetchall()
            ]
    return sorted(objects)


def _values() -> dict[str, Any]:
    """Return the values for the queries' placeholders: the names of the roles in this installation."""
    return {
        "app": settings.DATABASES["default"]["USER"],
        "owner": settings.DATABASES["owner"]["USER"],
        "roles": list(settings.DATABASE_ROLES),
    }


def _server() -> str:
    return str(database.rows(MAJOR)[0][3])


def _superusers() -> list[str]:
    return [name for (name,) in database.rows(SUPERUSERS, _values())]


def lines(objects: list[Described]) -> list[str]:
    """Return the objects in the form of the lines of `schema.txt`."""
    return sorted(f"{name}: {text}".rstrip() for name, text, _ in objects)


def release() -> dict[str, str]:
    """Return {name: description} of the objects that this release creates."""
    listed = RELEASE.read_text(encoding="utf-8").splitlines()
    pairs = (line.partition(": ") for line in listed if line and not line.startswith("#"))
    return {name.removesuffix(":"): text for name, _, text in pairs}


def prove(count: RowCount) -> Iterator[Fault]:
    """Yield a fault for each object that is missing, unknown, or different from this release.

    If the server's version is not SERVER, nothing is compared and a note says so.
    """
    if (server := _server()) != SERVER:
        count.note(
            STRUCTURE, f"not compared: the list of this release is for {SERVER}, and this server is {server}"
        )
        return
    if superusers := _superusers():
        count.note(STRUCTURE, f"superusers, who can change everything: {', '.join(superusers)}")
    objects = described()
    count.add(STRUCTURE, len(objects))
    expected = release()
    common = {name: text for name, text in expected.items() if PATTERN not in name}
    pattern = {name: text for name, text in expected.items() if PATTERN in name}
    by_partition: dict[str, list[Described]] = defaultdict(list)
    for described_object in objects:
        by_partition[described_object.partition].append(described_object)
    for partition, of_it in sorted(by_partition.items()):
        yield from _compare(of_it, pattern if partition else common, partition)


def _compare(objects: list[Described], expected: dict[str, str], partition: str) -> Iterator[Fault]:
    stored: dict[str, list[str]] = defaultdict(list)
    for described_object in objects:
        stored[described_object.name].append(described_object.text)
    for name in sorted(stored.keys() | expected.keys()):
        place = name.replace(PATTERN, partition) if partition else name
        texts = stored.get(name, [])
        if name not in expected:
            yield from (
                Fault(STRUCTURE, place, "unknown", f"does not exist in this release: {text}")
                for text in texts
            )
        elif not texts:
            yield Fault(STRUCTURE, place, "missing", f"does not exist; this release has: {expected[name]}")
        elif texts != [expected[name]]:
            difference = (
                _difference(texts[0], expected[name]) if len(texts) == 1 else f"exists {len(texts)} times"
            )
            yield Fault(STRUCTURE, place, "changed", difference)


def _difference(stored: str, expected: str) -> str:
    """Return the parts of two descriptions that differ."""
    parts, wanted = stored.split("; "), expected.split("; ")
    present = "; ".join(part for part in parts if part not in wanted) or "nothing more"
    absent = "; ".join(part for part in wanted if part not in parts) or "nothing more"
    return f"has {present}; this release has {absent}"


def _described(kind: str, name: str, part: str, text: str, partitions: dict[str, bool | None]) -> Described:
    """Return an object in which the names of partitions are replaced by PATTERN."""
    text = re.sub(r"\s+", " ", text or "").strip()
    partition = name if name in partitions else ""
    if partition:
        short = partition.removeprefix("public.")
        name = PATTERN
        text = text.replace(f"public.{short}", PATTERN).replace(short, PATTERN.removeprefix("public."))
        if kind == "table" and partitions[partition]:
            text = BOUND.sub("FOR VALUES IN (<property>)", text)
    return Described(" ".join(word for word in (kind, name, part) if word), text, partition)

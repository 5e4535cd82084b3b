"""`verify_export.py` names each file of an archived export that was changed, and also a changed manifest."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from msgspec import json

from audit.proofs.registry import RowCount
from casino.exports import verify_export
from casino.exports.archive import blobs
from casino.exports.manifest import SUFFIX
from casino.proofs.exports import prove_exports
from tests.casino.conftest import Cast
from tests.conftest import House
from tests.furnished import furnishing
from tests.tampering import installation

PLACES = 20
"""The number of bytes of each file that are changed, one at a time."""


archived = furnishing(installation.furnish)
"""A fixture that fills the database with an installation that has two archived exports."""


def changed(content: bytes) -> Iterator[bytes]:
    """Yield other contents of a file: with one byte changed, with the end cut off, longer, empty, repeated,
    and with two bytes exchanged.
    """
    for place in range(0, len(content), max(1, len(content) // PLACES)):
        yield content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :]
    yield from (content[:-1], content[: len(content) // 2], content + b"\n", b"", content * 2)
    middle = next(at for at in range(len(content) // 2, len(content)) if content[at] != content[at + 1])
    yield content[:middle] + content[middle : middle + 2][::-1] + content[middle + 2 :]


def forged(manifest: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield manifests with one changed value each."""
    yield manifest | {"bytes": manifest["bytes"] + 1}
    yield manifest | {"sha256": "0" * 64}
    yield manifest | {"rows": manifest["rows"] + 1}
    yield manifest | {"columns": manifest["columns"][1:]}
    yield manifest | {"totals": []}
    yield manifest | {"manifest": 2}
    for place, total in enumerate(manifest["totals"]):
        for key in total["sums"]:
            other = total | {"sums": total["sums"] | {key: "123456.78"}}
            yield manifest | {
                "totals": [*manifest["totals"][:place], other, *manifest["totals"][place + 1 :]]
            }


def test_each_change_of_a_file_or_its_manifest_is_named(
    furnish: Cast, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT k.id, o.format, k.manifest FROM kept_report k JOIN report_order o USING (id)")
        exports = cursor.fetchall()
    tried, silent = 0, []
    for id, form, stored in exports:
        content, manifest = b"".join(blobs.read(id)), json.decode(stored)
        file = tmp_path / f"export-{id}.{form}"
        beside = file.with_name(file.name + SUFFIX)
        pairs = [(other, manifest) for other in changed(content)]
        pairs += [(content, other) for other in forged(manifest)]
        for place, (body, changed_manifest) in enumerate([(content, manifest), *pairs]):
            file.write_bytes(body)
            beside.write_bytes(json.encode(changed_manifest))
            if verify_export.main([str(file)]) == 0:
                silent.append((form, place))
        tried += len(pairs)
    assert silent == [(form, 0) for _, form, _ in exports], "only the unchanged files pass"
    assert tried >= 60
    capsys.readouterr()
    print(f"tampering of files: {tried} tried, {tried} named")


def test_a_manifest_that_contradicts_its_export_is_named(furnish: Cast, house: House) -> None:
    house.owner.execute("ALTER TABLE kept_report DISABLE TRIGGER USER")
    for key, label in (("bytes", "length"), ("sha256", "SHA-256")):
        house.owner.execute(
            "UPDATE kept_report SET manifest = jsonb_set(manifest::jsonb, %s, '1')::text", [[key]]
        )
        says = [fault.says for fault in prove_exports(RowCount())]
        assert any(f"its manifest says {label} 1," in text for text in says), says

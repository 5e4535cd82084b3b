"""Tools of other authors for the C2SP formats read our copies and checkpoints, and their witness signs the
checkpoints. These tools, `aics-tlog` and `aics-witness`, need Python 3.12. With an older Python the tests are
skipped.
"""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import sleep, time
from uuid import UUID

import pytest
from msgspec import json

from audit.tree import checkpoints, documents
from casino.checkpoints import make
from casino.exports import verify_proof
from tests.audit.floor import uid
from tests.casino.test_checkpoint_copies import copied
from tests.casino.test_checkpoints import ledger, record
from tests.manage import free_port

assert ledger  # a fixture
tlog = pytest.importorskip("aics_tlog")


def test_another_tool_reads_checkpoints_tiles_and_proofs(ledger: None, tmp_path: Path) -> None:
    first = make.make("aurora")
    record(601, 1000)
    second = make.make("aurora")
    assert first is not None
    assert second is not None
    assert copied(f"file://{tmp_path}") == 999
    folder = tmp_path / "aurora"
    note = tlog.parse_note((folder / "checkpoint").read_bytes())
    key = tlog.parse_vkey(checkpoints.keys_of("aurora")[0].verifier().text)
    assert tlog.verify_checkpoint(note, key).log_ok
    stated = tlog.parse_checkpoint(note.text)
    assert (stated.size, stated.root) == (999, second.root)
    assert tlog.audit_tiles(tlog.FileSystemTileReader(folder), 999, second.root, entries=False).size == 999
    for position in (1, 256, 257, 512, 999):
        proof = documents.inclusion_proof("aurora", UUID(uid(position)))
        body, path = (verify_proof.decoded(proof["leaf"], "leaf"), verify_proof.hashes_of(proof))
        assert tlog.verify_leaf_inclusion(body, position - 1, 999, path, second.root)
    path = verify_proof.hashes_of(documents.consistency_proof("aurora", 600, 999))
    assert tlog.verify_consistency(600, 999, first.root, second.root, path)


@pytest.fixture
def witness(ledger: None, tmp_path: Path) -> Iterator[str]:
    """Yield the URL of a witness that knows aurora's ledger, together with the witness's verification key
    (vkey).
    """
    make.make("aurora")
    key = checkpoints.keys_of("aurora")[0].verifier()
    command, config = [sys.executable, "-m", "aics_witness"], ["--config", str(tmp_path / "witness.json")]
    port = free_port()
    listen = ["--listen", f"127.0.0.1:{port}"]
    output = run(*command, "init", *config, "--name", "witness.example/w1", *listen)
    run(*command, "add-log", *config, "--origin", key.name, "--vkey", key.text)
    server = subprocess.Popen([*command, "serve", *config, *listen], stderr=subprocess.DEVNULL)
    prefix = json.decode((tmp_path / "witness.json").read_bytes()).get("prefix", "")
    try:
        ends = time() + 20
        while time() < ends:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            sleep(0.1)
        vkey = next(word for line in output.splitlines() for word in line.split() if word.count("+") >= 2)
        yield f"http://127.0.0.1:{port}{prefix}#{vkey}"
    finally:
        server.terminate()
        server.wait()


def run(*command: str) -> str:
    """Run a command and return what it printed."""
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_a_witness_of_another_tool_signs(witness: str) -> None:
    assert copied(witness) == 600
    record(601, 700)
    make.make("aurora")
    assert copied(witness) == 699
    trusted = [verify_proof.parse_vkey(checkpoints.keys_of("aurora")[0].verifier().text)]
    by = [verify_proof.parse_vkey(witness.partition("#")[2])]
    proof = documents.inclusion_proof("aurora", UUID(uid(9)))
    assert "witness.example/w1" in verify_proof.check_inclusion(proof, trusted, by)

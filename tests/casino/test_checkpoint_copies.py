"""Copies of checkpoints outside the database: in a folder, in a bucket of a real S3 server, and at a witness.
The program of the witness is part of these tests.
"""

from __future__ import annotations

import subprocess
import sys
from base64 import b64encode
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from time import sleep, time
from typing import Any
from uuid import UUID

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.db import transaction
from django.test import override_settings

from audit import tasks
from audit.models import Job
from audit.tree import checkpoints, documents, notes
from audit.tree.hashes import EMPTY, root_of
from audit.tree.layout import Tile
from audit.tree.notes import VerifierKey
from casino.checkpoints import copies, make
from casino.checkpoints.destination_urls import parse
from casino.checkpoints.witness import WitnessRefused
from casino.exports import verify_proof
from tests.audit.floor import uid
from tests.casino.feeding import run
from tests.casino.test_checkpoints import ledger, record, work
from tests.manage import free_port

assert ledger  # a fixture


def copied(url: str) -> int:
    """Copy new checkpoints to a destination and record the copies. Return the number of facts that the last
    copied checkpoint covers.
    """
    keep = copies.copy("aurora", parse(url))
    with transaction.atomic():
        return keep()


def check_copy(read: Any) -> None:
    """Assert that a copy has each checkpoint, and the tiles of the Merkle tree from which its root is
    computed.
    """
    for stored in checkpoints.page("aurora"):
        assert read(f"checkpoints/{stored.size}").decode() == stored.note
        tiles = [
            Tile(0, index, min(256, stored.size - index * 256)) for index in range(-(-stored.size // 256))
        ]
        assert root_of(b"".join(root_of(read(tile.path)) for tile in tiles)) == stored.root
    latest = checkpoints.latest("aurora")
    assert latest is not None
    assert read("checkpoint").decode() == latest.note


def test_a_worker_copies_to_each_folder(ledger: None, tmp_path: Path) -> None:
    places = [f"file://{tmp_path}/one", f"aurora=file://{tmp_path}/two", f"borealis=file://{tmp_path}/three"]
    with override_settings(CHECKPOINT_COPIES=places):
        for ends in (610, 690, 1100):
            record({610: 601, 690: 610, 1100: 690}[ends], ends)
            make.make("aurora")
            if ends != 690:
                assert work(copies.JOB) == []
        assert run("checkpoint", "--list").out.count("2 of 2") == 3
    for name in ("one", "two"):
        check_copy(lambda path, folder=tmp_path / name / "aurora": (folder / path).read_bytes())
    assert not (tmp_path / "three").exists()
    assert not [file for file in tmp_path.rglob("*") if file.name.startswith(".part")]


def test_a_copy_that_cannot_be_written_is_tried_again(ledger: None, tmp_path: Path) -> None:
    (tmp_path / "aurora").write_text("a file where the folder must be")
    with override_settings(CHECKPOINT_COPIES=[f"file://{tmp_path}"]):
        make.make("aurora")
        (job,) = Job.objects.filter(kind=copies.JOB)
        with pytest.raises(OSError):
            tasks.examine(job.id)
        (tmp_path / "aurora").unlink()
        Job.objects.filter(id=job.id).update(due_at="2026-01-01T00:00:00Z")
        assert work(copies.JOB) == []
    assert (tmp_path / "aurora" / "checkpoint").exists()


@pytest.fixture
def bucket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Yield the URL of a bucket of an S3 server, and stop the server at the end."""
    (tmp_path / "served" / "copies").mkdir(parents=True)
    port = free_port()
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "catwalk")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "a secret of the test")
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "none"))
    program = Path(sys.executable).with_name("rclone")
    command = [
        str(program),
        "serve",
        "s3",
        "--addr",
        f"127.0.0.1:{port}",
        "--auth-key",
        "catwalk,a secret of the test",
    ]
    server = subprocess.Popen(
        [*command, "--config", str(tmp_path / "rclone.conf"), str(tmp_path / "served")],
        stderr=subprocess.PIPE,
    )
    try:
        yield f"s3://copies/ledgers?endpoint=http://127.0.0.1:{port}&region=us-east-1"
    finally:
        server.terminate()
        server.communicate()


def test_an_s3_server_gets_a_copy(ledger: None, bucket: str, tmp_path: Path) -> None:
    make.make("aurora")
    ends = time() + 20
    while True:
        try:
            assert copied(bucket) == 600
            break
        except ConnectionError:
            assert time() < ends
            sleep(0.1)
    record(601, 700)
    make.make("aurora")
    assert copied(bucket) == 699
    folder = tmp_path / "served" / "copies" / "ledgers" / "aurora"
    check_copy(lambda path: (folder / path).read_bytes())


class Witness:
    """A witness of checkpoints as https://c2sp.org/tlog-witness describes it. It verifies proofs with
    `verify_proof.py`.
    """

    def __init__(self, vkey: str) -> None:
        self.private = Ed25519PrivateKey.generate()
        self.key = VerifierKey(
            "witness.example/w1", self.private.public_key().public_bytes_raw(), notes.COSIGNATURE
        )
        self.logs = [verify_proof.parse_vkey(vkey)]
        self.size, self.root = 0, b""
        self.asked: list[int] = []

    def answer(self, body: str) -> tuple[int, str, str]:
        """Return the witness's answer to a request `add-checkpoint`: its status, content type and body."""
        head, _, note = body.partition("\n\n")
        first, *proof = head.split("\n")
        old = int(first.removeprefix("old "))
        self.asked.append(old)
        try:
            stated = verify_proof.open_checkpoint(note, self.logs, [])
        except verify_proof.Wrong:
            return 403, "text/plain", ""
        if old != self.size:
            return 409, "text/x.tlog.size", f"{self.size}\n"
        path = [verify_proof.decoded(digest, "a hash") for digest in proof]
        try:
            if old and verify_proof.both_roots(old, stated.size, path, self.root) != (self.root, stated.root):
                return 422, "text/plain", ""
        except verify_proof.Wrong:
            return 422, "text/plain", ""
        self.size, self.root = stated.size, stated.root
        text, timestamp = note.rpartition("\n\n")[0] + "\n", int(time())
        signature = self.private.sign(f"cosignature/v1\ntime {timestamp}\n{text}".encode())
        data = b64encode(self.key.id + timestamp.to_bytes(8, "big") + signature).decode()
        return 200, "text/plain", f"— {self.key.name} {data}\n"


@pytest.fixture
def witness(ledger: None) -> Iterator[tuple[Witness, str]]:
    """Yield a witness of aurora's ledger and its URL."""
    make.make("aurora")
    cosigner = Witness(checkpoints.keys_of("aurora")[0].verifier().text)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            assert self.path == "/w/add-checkpoint"
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            status, kind, message = cosigner.answer(body)
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.end_headers()
            self.wfile.write(message.encode())

        def log_message(self, *args: Any) -> None:
            """Print no line for each request."""

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield cosigner, f"http://127.0.0.1:{server.server_port}/w/#{cosigner.key.text}"
        server.shutdown()
        thread.join()


def test_a_witness_signs_checkpoints(witness: tuple[Witness, str]) -> None:
    cosigner, url = witness
    assert copied(url) == 600
    record(601, 700)
    make.make("aurora")
    assert copied(url) == 699
    assert cosigner.asked == [0, 600]
    proof = documents.inclusion_proof("aurora", UUID(uid(9)))
    message = verify_proof.check_inclusion(proof, cosigner.logs, [verify_proof.parse_vkey(cosigner.key.text)])
    assert "witness.example/w1" in message
    cosigner.size = 0  # a witness that lost its memory tells its size
    record(700, 701)
    make.make("aurora")
    assert copied(url) == 700
    assert cosigner.asked[2:] == [699, 0]


def test_a_witness_finds_a_ledger_that_was_cut_or_rewritten(witness: tuple[Witness, str]) -> None:
    cosigner, url = witness
    assert copied(url) == 600
    record(601, 603)
    make.make("aurora")
    for size, root, says in (
        (700, b"", "facts were removed, or an old backup"),
        (600, EMPTY, "the ledger was rewritten"),
    ):
        cosigner.size, cosigner.root = size, root
        with pytest.raises(Exception, match=says) as caught:
            copied(url)
        assert isinstance(caught.value.__cause__, WitnessRefused)
    cosigner.logs = [verify_proof.parse_vkey(cosigner.key.text)]
    with pytest.raises(Exception, match="does not know this log"):
        copied(url)


@pytest.mark.parametrize(
    "text",
    [
        "file://host/x",
        "file:relative",
        "ftp://x",
        "s3:///x",
        "s3://b/x?acl=1",
        "https://w.example",
        "http://u@h/#a+b+c",
    ],
)
def test_an_invalid_destination_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        parse(text)


def test_destinations_are_read() -> None:
    assert parse("aurora=s3://b/p?endpoint=http://h:1&region=x") == (
        "aurora",
        "s3://b/p?endpoint=http://h:1&region=x",
    )
    assert parse("https://w.example/w#a+b+c=") == ("", "https://w.example/w#a+b+c=")
    assert parse("https://w.example/w#a+b+c=").name() == "https://w.example/w"

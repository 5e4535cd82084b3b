"""Checkpoints of a property: their keys, when they are due, and proofs that are checked on another
machine.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from django.test import override_settings

from audit import tasks
from audit.facts import check
from audit.ledger.intake import Sender, post, post_prepared
from audit.models import Job
from audit.proofs.registry import selected
from audit.proofs.run import run as prove
from audit.tree import checkpoints, documents, notes, store
from audit.tree.hashes import root_of
from audit.tree.notes import VerifierKey
from casino import tasks as casino_tasks
from casino.checkpoints import keys, make
from casino.exports import verify_proof
from casino.proofs import new_key
from tests.audit.floor import fact, line, opened, uid
from tests.benchmarks.append import night
from tests.casino.feeding import run
from tests.conftest import House
from tests.furnished import furnishing
from tests.manage import Manage

SENDER = Sender("ada")
TAKE = {"spot": "1", "wager": "over", "amount": 500}


def record(first: int, ends: int, table: str = "aurora/EOU-01") -> None:
    """Record takes at one table. Their numbers begin with `first` and end before `ends`."""
    post([line(fact(place, table=table, round="r") | TAKE) for place in range(first, ends)], SENDER)


@furnishing
def ledger() -> None:
    """Record 600 facts. No tree is made yet."""
    post([line(opened(1))], SENDER)
    record(2, 601)


def work(kind: str) -> list[str]:
    """Do the due jobs of this kind, as a worker does. Return the errors of the jobs that were set aside after
    too many failures.
    """
    for job in Job.objects.filter(kind=kind, state="due"):
        try:
            tasks.examine(job.id)
        except Exception:
            continue
    return list(Job.objects.filter(kind=kind, state="set-aside").values_list("error", flat=True))


def leaves() -> bytes:
    with connection.cursor() as cursor:
        cursor.execute("SELECT leaf FROM fact WHERE property = 'aurora' ORDER BY position")
        return b"".join(bytes(leaf) for (leaf,) in cursor.fetchall())


def test_a_worker_signs_when_facts_or_a_closed_day_require_it(ledger: None) -> None:
    with override_settings(CHECKPOINT_FACTS=500):
        assert make.ask_due() == ["aurora"]
        assert work(make.JOB) == []
        first = checkpoints.latest("aurora")
        assert first is not None
        assert (first.size, first.root) == (600, root_of(leaves()))
        record(601, 700)
        assert make.ask_due() == []
        record(700, 900)
        assert make.ask_due() == ["aurora"]
        assert work(make.JOB) == []
        assert (store.size_of("aurora"), checkpoints.latest("aurora")) == (899, first)
        post([line(fact(900, "day-closed", by="a-101"))], SENDER)
        casino_tasks.checkpoint()
        assert work(make.JOB) == []
        second = checkpoints.latest("aurora")
        assert second is not None
        assert (second.size, second.root) == (900, root_of(leaves()))
        assert make.ask_due() == []
    assert [key.made_by for key in checkpoints.keys_of("aurora")] == [keys.AUTOMATIC]


def test_a_tree_that_was_interrupted_is_continued(ledger: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "AT_ONCE", 1)
    write, calls = store._write, [0]

    def killed(*args: Any) -> None:
        calls[0] += 1
        if calls[0] == 4:  # after the second tile of level 0, before its root is in level 1
            raise KeyboardInterrupt
        write(*args)

    monkeypatch.setattr(store, "_write", killed)
    with pytest.raises(KeyboardInterrupt):
        store.grow("aurora")
    assert store.size_of("aurora") == 256
    assert store.is_complete("aurora")
    monkeypatch.setattr(store, "_write", write)
    assert store.grow("aurora") == (600, [])
    assert store.tree_of("aurora").root(600) == root_of(leaves())


@pytest.mark.parametrize(
    ("change", "repaired"),
    [
        ("UPDATE tile SET hashes = substr(hashes, 1, 1000) WHERE level = 0 AND index = 2", 1),
        ("DELETE FROM tile WHERE level = 1", 1),
        ("UPDATE tile SET hashes = substr(hashes, 1, 33) WHERE level = 1", 1),
    ],
)
def test_a_half_written_tile_is_made_again(ledger: None, house: House, change: str, repaired: int) -> None:
    store.grow("aurora")
    with house.owner as owner:
        owner.execute(change)
    record(601, 650)
    grown = store.grow("aurora")
    assert (grown.size, len(grown.repaired)) == (649, repaired)
    assert store.tree_of("aurora").root(649) == root_of(leaves())
    assert prove(selected(["tile"])).faults == []


def test_proofs_are_checked_on_another_machine(ledger: None, tmp_path: Path) -> None:
    assert run("proof", uid(7)).err.startswith("No checkpoint covers position 7 of aurora: none was made yet")
    assert run("checkpoint").out == "aurora: checkpoint of 600 facts\n"
    record(601, 1000)
    assert "the latest one ends at position 600" in run("proof", uid(700)).err
    assert run("checkpoint", "aurora").out == "aurora: checkpoint of 999 facts\n"
    assert run("checkpoint").out == "aurora: no fact since the checkpoint of 999 facts\n"
    vkey = checkpoints.keys_of("aurora")[0].verifier().text
    (tmp_path / "verify_proof.py").write_bytes(Path(verify_proof.__file__).read_bytes())
    commands = {
        "fact.json": ("proof", uid(700)),
        "old.json": ("proof", uid(7), "--size", 600),
        "both.json": ("proof", "--from", 600, "--to", 999),
        "note": ("checkpoint", "aurora", "--print", 999),
    }
    for name, command in commands.items():
        (tmp_path / name).write_text(run(*command).out)
        process = check_proof(tmp_path, name, vkey)
        assert (process.returncode, process.stderr) == (0, ""), process.stdout
        assert process.stdout.endswith("Valid.\n")
    assert "at position 700 of that ledger" in check_proof(tmp_path, "fact.json", vkey).stdout
    other = VerifierKey("catwalk.local/aurora", bytes(32)).text
    assert check_proof(tmp_path, "note", other).returncode == 1
    text = (tmp_path / "fact.json").read_text()
    for old, new in (
        ('"index": 699', '"index": 698'),
        ('"size": 999', '"size": 998'),
        ("\\n999\\n", "\\n998\\n"),
    ):
        assert old in text
        (tmp_path / "changed").write_text(text.replace(old, new))
        process = check_proof(tmp_path, "changed", vkey)
        assert (process.returncode, "NOT VALID" in process.stdout) == (1, True)


def check_proof(folder: Path, name: str, vkey: str) -> subprocess.CompletedProcess[str]:
    """Run the program `verify_proof.py` in a folder where Catwalk cannot be imported, and return its
    result.
    """
    command = [sys.executable, "-I", "verify_proof.py", name, "--vkey", vkey]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_every_fact_and_every_pair_of_checkpoints_has_a_proof(ledger: None) -> None:
    sizes = []
    for ends in (601, 700, 769, 770):
        record(sizes[-1] + 1 if sizes else 600, ends) if sizes else None
        checkpoint = make.make("aurora")
        assert checkpoint is not None
        sizes.append(checkpoint.size)
    trusted = [verify_proof.parse_vkey(checkpoints.keys_of("aurora")[0].verifier().text)]
    for position in (1, 2, 255, 256, 257, 512, 599, 600):
        for size in sizes:
            proof = documents.inclusion_proof("aurora", UUID(uid(position)), size)
            assert f"position {position} of" in verify_proof.check_inclusion(proof, trusted, [])
    for old in sizes:
        for new in sizes:
            if old <= new:
                verify_proof.check_consistency(documents.consistency_proof("aurora", old, new), trusted, [])
    for wrong in ((601, 602), (699, 600)):
        with pytest.raises(documents.NoProof):
            documents.consistency_proof("aurora", *wrong)
    with pytest.raises(documents.NoProof, match="has no fact"):
        documents.inclusion_proof("aurora", UUID(int=5))


def test_a_proof_from_a_changed_tile_is_not_given(ledger: None, house: House) -> None:
    make.make("aurora")
    with house.owner as owner:
        owner.execute("UPDATE tile SET hashes = sha256(hashes) || substr(hashes, 33) WHERE index = 1")
    with pytest.raises(documents.NoProof, match="do not lead to the root"):
        documents.inclusion_proof("aurora", UUID(uid(300)))
    with house.owner as owner:
        owner.execute("DELETE FROM tile WHERE level = 0 AND index = 1")
    with pytest.raises(documents.NoProof, match="level 0, index 1 is missing"):
        documents.inclusion_proof("aurora", UUID(uid(300)))


def test_keys_are_made_replaced_and_revoked(ledger: None) -> None:
    created = run("checkpoint_key", "make", "aurora", "--name", "casino.example/aurora", "--by", "i-101")
    assert "casino.example/aurora+" in created.out
    assert "rotate" in run("checkpoint_key", "make", "aurora").err
    make.make("aurora")
    assert run("checkpoint_key", "rotate", "aurora").code == 0
    old, new = checkpoints.keys_of("aurora")
    assert (old.state(), new.state(), old.made_by) == ("retired", "active", "i-101")
    record(601, 610)
    second, third = make.make("aurora"), None
    assert second is not None
    assert signed_by(second) == [new, old]
    record(610, 620)
    third = make.make("aurora")
    assert third is not None
    assert signed_by(third) == [new]
    assert run("checkpoint_key", "revoke", "aurora", new.verifier().id.hex()).code == 0
    assert run("checkpoint_key", "revoke", "aurora", "00000000").code == 1
    record(620, 630)
    assert "no active key" in run("checkpoint").err
    assert run("checkpoint_key", "make", "aurora", "--name", "other.example/x").code == 1
    assert run("checkpoint_key", "make", "aurora").code == 0
    assert run("checkpoint").code == 0
    assert run("checkpoint_key", "list").out.count("casino.example/aurora+") == 3
    assert run("checkpoint", "--list").out.count("aurora") == 4
    assert prove(selected(["checkpoint", "checkpoint_key"])).faults == []


def signed_by(checkpoint: checkpoints.Stored) -> list[checkpoints.Key]:
    every = checkpoints.keys_of("aurora")
    signers = notes.signers(notes.parse(checkpoint.note), [key.verifier() for key in every])
    return [next(key for key in every if key.verifier() == verifier) for verifier in signers]


def test_a_lost_key_is_named_and_replaced(ledger: None) -> None:
    make.make("aurora")
    record(601, 610)
    with override_settings(SECRET_KEY="another", SECRET_KEY_FALLBACKS=[], CHECKPOINT_FACTS=1):
        assert "cannot be decrypted" in run("checkpoint").err
        make.ask_due()
        (message,) = work(make.JOB)
        assert "run manage.py checkpoint_key rotate aurora" in message
        (fault, *_) = prove(selected(["checkpoint_key"])).faults
        assert (fault.table, fault.kind) == ("checkpoint_key", "key")
        assert prove(selected(["checkpoint"])).faults == []
        assert run("checkpoint_key", "rotate", "aurora").code == 0
        assert run("checkpoint").out == "aurora: checkpoint of 609 facts\n"


def test_a_key_moves_to_a_new_secret_key(ledger: None) -> None:
    make.make("aurora")
    with override_settings(SECRET_KEY="another", SECRET_KEY_FALLBACKS=[keys.keys.secrets()[0]]):
        new_key.move()
    with override_settings(SECRET_KEY="another", SECRET_KEY_FALLBACKS=[]):
        record(601, 610)
        assert run("checkpoint").code == 0
        assert prove(selected(["checkpoint", "checkpoint_key"])).faults == []


@pytest.mark.long
def test_a_tree_whose_maker_is_killed_is_continued(house: House, manage: Manage) -> None:
    facts = [check(sent) for sent in night("aurora/EOU-01", 200_000)]
    for start in range(0, len(facts), 500):
        post_prepared(facts[start : start + 500], SENDER)
    command = manage.start("checkpoint", env=house.env)
    while store.size_of("aurora") < 60_000:
        assert command.poll() is None
    command.kill()
    command.communicate()
    assert 60_000 <= store.size_of("aurora") < 200_000
    assert store.is_complete("aurora")
    checkpoint = make.make("aurora")
    assert checkpoint is not None
    assert (checkpoint.size, checkpoint.root) == (200_000, root_of(leaves()))
    assert prove(selected(["tile"])).faults == []

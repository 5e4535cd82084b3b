"""Evidence packs: their contents, how `verify_export.py` detects every change, and who may order them."""

from __future__ import annotations

import io
import re
import subprocess
import sys
import zipfile
from base64 import b64encode
from collections.abc import Callable
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from msgspec import json

from audit import database
from audit.findings import examine as findings
from audit.review import hands, verdicts
from audit.tree import checkpoints
from casino.alerts import publish
from casino.alerts.sources import NO_EVENT
from casino.cases import evidence_pdf, packs
from casino.cases import services as cases
from casino.exports import verify_export, verify_proof
from casino.exports.archive import build
from casino.surveillance import services as surveillance
from casino.surveillance.services import Words
from tests.casino.casework import HAND, MP4, cora, named_file, opened, post_act, state, suspicion
from tests.casino.conftest import Cast
from tests.casino.nights import STREAM

NOTE = "The dealer paid a losing bet."


def pack_of(browser: Client, **about: str) -> tuple[str, bytes]:
    """Order an evidence pack, and return its address and its bytes."""
    answer = browser.post("/evidence/", {"property": "aurora", **about})
    assert answer.status_code == 302, answer
    file = browser.get(f"{answer['Location']}file/")
    assert file.status_code == 200, browser.get(answer["Location"]).content.decode()
    return answer["Location"], b"".join(file)


def shown_days(desk: Cast, address: str) -> str:
    """Return the line with the gaming days on the page of an export."""
    page = desk.browser("Dana").get(address).content.decode()
    line = re.search(r"<dt>(Gaming days?[^<]*)</dt>\s*<dd>([^<]*)</dd>", page)
    return f"{line[1]} {line[2].strip()}" if line else ""


def verified(path: Path, *files: Path) -> tuple[int, str]:
    """Run `verify_export.py` on a pack, in the same way as a reader who has no Catwalk."""
    ran = subprocess.run(
        [sys.executable, "-I", verify_export.__file__, str(path), *map(str, files)],
        capture_output=True,
        text=True,
        check=False,
    )
    return ran.returncode, ran.stdout + ran.stderr


@pytest.fixture
def worked(desk: Cast) -> str:
    """Record a case with a hand that has a verdict, a note, a file and a subject. Return the number of the
    case.
    """
    played = hands.played("aurora", STREAM, "r-0002")
    assert played is not None
    hand_findings = verdicts.findings_of("aurora", STREAM, "r-0002")
    dora = desk.person("Dora")
    words = Words("confirmed", "dealer_error_uncorrected_house_loss", losses=100, note=NOTE)
    surveillance.give_verdict(dora, played, hand_findings, words)
    number = opened(desk)
    dana = desk.browser("Dana")
    assert post_act(dana, "note", number, note="Seen twice on video.").status_code == 302
    assert post_act(dana, "file", number, file=named_file(MP4, "cam-13.mp4")).status_code == 302
    subject = {"role": "dealer", "id": "d-101", "description": "Ada", "measure": "watch", "reason": "errors"}
    assert post_act(dana, "subject", number, begins="", ends="", **subject).status_code == 302
    findings.examine()
    return number


def test_a_line_of_a_pack_is_on_the_page_of_its_hash() -> None:
    pages = evidence_pdf.new_pages("Test", datetime(2026, 11, 27, tzinfo=UTC), "aurora, ledger position 1")
    for number in range(300):
        text = f"{number}. " + "A sentence about a bet. " * (1 + number**2 % 11)
        evidence_pdf.write_with_hash(pages, text, 9, f"position {number}, leaf {number:064x}")
    streams = re.findall(rb"stream\n(.*?)\nendstream", bytes(pages.output()), re.DOTALL)
    first = [text for stream in streams if (text := re.search(rb"\((.*?)\) Tj", stream)) is not None]
    assert len(first) == 11
    assert [text[1] for text in first if text[1].startswith(b"position")] == []


def test_a_pack_of_a_case_has_pdf_facts_proof_words_and_files_and_is_verified(
    worked: str, desk: Cast, tmp_path: Path
) -> None:
    address, content = pack_of(desk.browser("Dana"), case=worked)
    path = tmp_path / "pack.zip"
    path.write_bytes(content)
    with zipfile.ZipFile(path) as pack:
        names = pack.namelist()
        facts = pack.read("facts.ndjson").splitlines()
        words = {record["words"] for record in json.decode(pack.read("words.json"))}
        pdf = pack.read("evidence.pdf")
        (film,) = (name for name in names if name.startswith("files/"))
        assert pack.read(film) == MP4
    assert names[-1] == "manifest.json"
    kinds = {json.decode(line)["kind"] for line in facts}
    assert kinds >= {"round-opened", "bet", "pay", "verdict-given", "case-opened", "case-file-added"}
    assert words >= {NOTE, "Seen twice on video.", "cam-13.mp4", "Ada", "errors", "Payouts at EOU-07"}
    for text in (worked, "Owed and moved", "Table layout", "EOU-07", "Findings and verdicts", NOTE):
        assert text.encode("latin-1") in pdf or text[:12].encode() in pdf, text
    assert re.findall(rb"\[U\+[0-9A-F]+\]", pdf) == [], "amounts have a minus sign, and cards a suit"
    assert re.search(rb"owed -[0-9]", pdf), "a wager of this hand was lost"
    assert re.search(rb"\([2-9TJQKA10]+[shdc]\) Tj", pdf), "cards have the letters of their suits"
    assert b"page 1 of " in pdf
    assert b"(Easy Over Under)" in pdf
    code, says = verified(path)
    assert (code, "as its manifest says: Evidence pack" in says) == (0, True), says
    assert f"{len(facts)} of its {len(facts)} facts lead to the root" in says
    outer = tmp_path / "pack.zip.manifest.json"
    outer.write_bytes(desk.browser("Dana").get(f"{address}manifest/").content)
    code, says = verified(path)
    assert code == 0, says
    outer.write_bytes(outer.read_bytes().replace(b'"sha256": "', b'"sha256": "0'))
    assert verified(path)[0] == 1


def test_each_fact_of_a_pack_leads_to_a_checkpoint_that_the_casino_has_signed(
    worked: str, desk: Cast
) -> None:
    _, content = pack_of(desk.browser("Dana"), case=worked)
    with zipfile.ZipFile(io.BytesIO(content)) as pack:
        note, proof = pack.read("checkpoint.txt").decode(), json.decode(pack.read("proof.json"))
        facts = pack.read("facts.ndjson").splitlines()
    assert proof["size"] == proof["head"]["position"] == checkpoints.latest("aurora").size  # type: ignore[union-attr]
    trusted = [verify_proof.parse_vkey(checkpoints.keys_of("aurora")[0].verifier().text)]
    assert verify_proof.open_checkpoint(note, trusted, []).size == proof["size"]
    for place, body in zip(proof["facts"], facts, strict=True):
        document = {
            "proof": "inclusion",
            "version": 1,
            "property": "aurora",
            "uid": json.decode(body)["uid"],
            "leaf": b64encode(body).decode(),
            "index": place["position"] - 1,
            "size": proof["size"],
            "hashes": [b64encode(bytes.fromhex(hashed)).decode() for hashed in place["hashes"]],
            "checkpoint": note,
        }
        assert verify_proof.check_inclusion(document, trusted, [])
    with pytest.raises(verify_proof.Wrong):
        verify_proof.check_inclusion(document | {"index": document["index"] - 1}, trusted, [])


def test_a_pack_is_built_again_with_the_same_bytes(worked: str, desk: Cast) -> None:
    address, content = pack_of(desk.browser("Dana"), case=worked)
    second, same_content = pack_of(desk.browser("Dana"), case=worked)
    assert (second, same_content) == (address, content), "without new facts it is the same export"
    cases.note(desk.person("Dana"), "aurora", worked, "0198b2f0-8c00-7000-8000-0000000000aa", "more")
    rebuilt, is_same, says = build.rebuild(int(address.split("/")[2]))
    assert (is_same, rebuilt is not None) == (True, True), says
    assert rebuilt is not None
    rebuilt.file.close()
    newer, other = pack_of(desk.browser("Dana"), case=worked)
    assert newer != address
    assert other != content


def test_a_pack_says_that_a_finding_has_no_verdict(desk: Cast) -> None:
    _, content = pack_of(desk.browser("Dana"), stream=STREAM, hand="r-0002")
    with zipfile.ZipFile(io.BytesIO(content)) as pack:
        pdf = pack.read("evidence.pdf")
    assert b"No verdict up to this position of the ledger." in pdf
    left = {
        head: float(x)
        for x, head in re.findall(rb"BT ([0-9.]+) [0-9. ]+ Td [0-9.]+ g \((Stake|Owed|Moved)\) Tj", pdf)
    }
    millimeters = {head: x * 25.4 / 72 for head, x in left.items()}
    assert millimeters[b"Owed"] - millimeters[b"Stake"] > 24, "a heading is above its figures"
    assert 24 < millimeters[b"Moved"] - millimeters[b"Owed"] < 30


def test_a_pack_of_a_hand_needs_no_case(worked: str, desk: Cast, tmp_path: Path) -> None:
    address, content = pack_of(desk.browser("Dana"), stream=STREAM, hand="r-0002")
    page = desk.browser("Dana").get(address).content.decode()
    assert "An evidence pack contains a PDF and files" in page, "its bytes are not shown as text"
    assert shown_days(desk, address) == "Gaming day of its hands 27 Nov 2026", "not the day of the request"
    (tmp_path / "hand.zip").write_bytes(content)
    assert verified(tmp_path / "hand.zip")[0] == 0
    facts = zipfile.ZipFile(io.BytesIO(content)).read("facts.ndjson")
    assert b"verdict-given" in facts
    assert b"case-opened" not in facts
    for stream, hand in ((STREAM, "r-9999"), ("borealis/T/2026-11-27", "r-1"), (STREAM, "#x"), ("x", "y")):
        form = {"property": "aurora", "stream": stream, "hand": hand}
        assert desk.browser("Dana").post("/evidence/", form).status_code == 404, (stream, hand)


def changed(content: bytes, change: Callable[[str, bytes], bytes | None]) -> bytes:
    """Return a copy of an evidence pack in which `change` has replaced the content of each file. A file for
    which `change` returns None is removed.
    """
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            if (changed_content := change(name, old.read(name))) is not None:
                new.writestr(name, changed_content)
    return target.getvalue()


def with_fitting_manifest(content: bytes) -> bytes:
    """Return the pack with a manifest that fits its changed files, as a careful forger would make it."""
    with zipfile.ZipFile(io.BytesIO(content)) as pack:
        manifest = json.decode(pack.read("manifest.json"))
        for member in manifest["members"]:
            data = pack.read(member["name"])
            member["bytes"], member["sha256"] = len(data), sha256(data).hexdigest()
    return changed(content, lambda name, data: json.encode(manifest) if name == "manifest.json" else data)


FORGED: dict[str, Callable[[str, bytes], bytes | None]] = {
    "a fact": lambda name, data: (
        data.replace(b'"spot":"', b'"spot":"9', 1) if name == "facts.ndjson" else data
    ),
    "a fact left out": lambda name, data: data.split(b"\n", 1)[1] if name == "facts.ndjson" else data,
    "a note": lambda name, data: (
        data.replace(b"losing bet", b"winning bet") if name == "words.json" else data
    ),
    "a film": lambda name, data: data[:-1] + b"x" if name.startswith("files/") else data,
    "a chain": lambda name, data: (
        data.replace(b'"previous": "', b'"previous": "ff', 1).replace(b'"chain": "', b'"chain": "ff', 2)
        if name == "proof.json"
        else data
    ),
    "a hash of the tree": lambda name, data: (
        re.sub(rb'("hashes": \[\s*)"..', rb'\1"ff', data, count=1) if name == "proof.json" else data
    ),
    "a proof left out": lambda name, data: (
        re.sub(rb'"hashes": \[[^]]*\]', b'"hashes": null', data, count=1) if name == "proof.json" else data
    ),
    "the root": lambda name, data: (
        re.sub(rb"\A(.*\n\d+\n)....", rb"\1AAAA", data) if name == "checkpoint.txt" else data
    ),
    "a place": lambda name, data: (
        data.replace(b'"number": ', b'"number": 9', 1) if name == "proof.json" else data
    ),
}


def test_every_change_of_a_pack_is_noticed_even_if_its_manifest_is_made_to_fit(
    worked: str, desk: Cast, tmp_path: Path
) -> None:
    _, content = pack_of(desk.browser("Dana"), case=worked)
    path = tmp_path / "pack.zip"
    for name, change in FORGED.items():
        path.write_bytes(changed(content, change))
        assert verified(path)[0] == 1, name
        path.write_bytes(with_fitting_manifest(changed(content, change)))
        assert verified(path)[0] == 1, f"{name}, with a manifest that fits"
    path.write_bytes(changed(content, lambda name, data: None if name == "words.json" else data))
    assert verified(path)[0] == 1
    path.write_bytes(content[:5000])
    assert verified(path)[0] == 2


def test_a_pack_needs_the_right_to_see_its_case(worked: str, desk: Cast) -> None:
    address, _ = pack_of(desk.browser("Dana"), case=worked)
    hidden = opened(desk, by="Dora", owner="v-102", seen_by=("v-102",))
    other_address, _ = pack_of(desk.browser("Dora"), case=hidden)
    form = {"property": "aurora", "case": hidden}
    assert desk.browser("Dana").post("/evidence/", form).status_code == 404
    for name in ("Boris", "Alma", "Igor", "Rhea", "Mia", "Ada", "Eve"):
        assert (
            desk.browser(name).post("/evidence/", {"property": "aurora", "case": worked}).status_code == 403
        )
    for name, status in (("Alma", 404), ("Boris", 404), ("Mia", 403)):
        for path in ("", "file/", "manifest/", "state/"):
            assert desk.browser(name).get(f"{address}{path}").status_code in (status, 403), (name, path)
    for path in ("", "file/", "manifest/"):
        assert desk.browser("Dana").get(f"{other_address}{path}").status_code == 404
        assert desk.browser("Igor").get(f"{other_address}{path}").status_code == 200
    assert (
        desk.browser("Dana").post("/evidence/", {"property": "borealis", "case": worked}).status_code == 403
    )


def test_the_pack_of_a_suspicion_is_in_no_list_of_others(desk: Cast, tmp_path: Path) -> None:
    number = suspicion()
    assert post_act(cora(), "join", number, what="hand", of=f"EOU-07 2026-11-27 {HAND.of}").status_code == 302
    address, content = pack_of(cora(), case=number)
    assert post_act(cora(), "note", number, note="And again.").status_code == 302
    newer, _ = pack_of(cora(), case=number)
    assert newer != address, "a confidential fact came, although the ledger has no new one"
    (tmp_path / "s.zip").write_bytes(content)
    assert verified(tmp_path / "s.zip")[0] == 0
    assert b'"ledger": "confidential"' in zipfile.ZipFile(io.BytesIO(content)).read("proof.json")
    for name in ("Dana", "Igor", "Rhea", "Alma"):
        browser = desk.browser(name)
        assert number not in browser.get("/exports/").content.decode()
        for path in ("", "file/", "manifest/", "state/"):
            assert browser.get(f"{address}{path}").status_code == 404, (name, path)
        assert browser.get("/exports/999999/").status_code == 404
    for reader in ("Igor", "Rhea"):
        assert number not in desk.browser(reader).get("/views/").content.decode()
    assert number in cora().get("/exports/").content.decode()
    assert set(NO_EVENT) == set(packs.ACTS)
    publish.publish("aurora")
    events = str(database.rows("SELECT type, subject, data::text FROM event"))
    assert ("evidence" in events, number in events, "export.finished" in events) == (False, False, False)


def test_the_page_of_a_pack_names_the_days_of_the_hands_that_are_in_it(worked: str, desk: Cast) -> None:
    address, _ = pack_of(desk.browser("Dana"), case=worked)
    assert shown_days(desk, address) == "Gaming day of its hands 27 Nov 2026"
    case = state(worked)
    cases.remove_parts(desk.person("Dana"), "aurora", worked, str(uuid4()), case.hands())
    assert shown_days(desk, address) == "Gaming day of its hands 27 Nov 2026", "removed after the pack"
    assert shown_days(desk, pack_of(desk.browser("Dana"), case=worked)[0]) == ""


def test_erased_words_are_not_in_later_packs(worked: str, desk: Cast) -> None:
    note = next(fact.event for fact in state(worked).facts if hasattr(fact.event, "note_sha256"))
    second = {"second": "m-101", "second_password": desk.logins["Mia"].password}
    erasure: dict[str, Any] = {"erased": [note.note_sha256], "why": "wrong-file", **second}
    assert post_act(desk.browser("Dana"), "erase", worked, **erasure).status_code == 302
    _, content = pack_of(desk.browser("Dana"), case=worked)
    assert b"Seen twice" not in zipfile.ZipFile(io.BytesIO(content)).read("words.json")
    assert b"Seen twice" not in zipfile.ZipFile(io.BytesIO(content)).read("evidence.pdf")

"""The page of a hand says which checkpoint proves a fact, and the proof is downloaded from there."""

from __future__ import annotations

from pathlib import Path
from re import findall

from audit.tree import checkpoints
from casino.checkpoints import make
from casino.exports import verify_proof
from tests.casino.conftest import ROLES, Cast
from tests.casino.pages import source, text
from tests.casino.test_checkpoints import check_proof
from tests.casino.test_pages import HAND, night

__all__ = ["night"]


def test_a_fact_of_a_hand_is_proved_by_the_latest_checkpoint(night: Cast, tmp_path: Path) -> None:
    dana = night.browser("Dana")
    assert "No checkpoint covers this position yet." in text(dana.get(HAND))
    assert not findall(r'href="(/proof/[^"]+)"', source(dana.get(HAND)))
    make.make("aurora")
    checkpoint = checkpoints.latest("aurora")
    assert checkpoint is not None
    assert f"Proved by checkpoint {checkpoint.size:,} of" in text(dana.get(HAND))
    address = findall(r'href="(/proof/[^"]+)"', source(dana.get(HAND)))[0]
    proof = dana.get(address)
    assert proof.headers["Content-Disposition"].startswith('attachment; filename="proof-')
    (tmp_path / "proof.json").write_bytes(proof.content)
    (tmp_path / "verify_proof.py").write_bytes(Path(verify_proof.__file__).read_bytes())
    process = check_proof(tmp_path, "proof.json", checkpoints.keys_of("aurora")[0].verifier().text)
    assert process.returncode == 0, process.stdout
    assert "Proof of fact" in text(night.browser("Igor").get("/views/"))


def test_a_proof_needs_the_right_to_see_facts_of_the_property(night: Cast) -> None:
    make.make("aurora")
    address = findall(r'href="(/proof/[^"]+)"', source(night.browser("Dana").get(HAND)))[0]
    answers = {name: night.browser(name).get(address).status_code for name in ROLES}
    assert {name for name, status in answers.items() if status == 200} == {
        "Dana",
        "Dora",
        "Alma",
        "Igor",
        "Rhea",
    }
    assert set(answers.values()) == {200, 403}
    assert "Proved by" not in text(night.browser("Boris").get(HAND))
    dana = night.browser("Dana")
    assert dana.get(address.replace("aurora", "borealis")).status_code == 403
    assert dana.get(address[:-5] + "0000/").status_code == 404
    assert dana.post(address).status_code == 405

"""A superuser changes facts, tiles, checkpoints and keys, and recomputes the chain. The checkpoints show each
change. If tiles exist, the fault names the first position that differs.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.db import connections, transaction
from django.test import override_settings

from audit.facts.chain import FIRST, leaf_of, link
from audit.ledger.intake import Sender, post
from audit.proofs.registry import LEDGER, Fault, Options, selected
from audit.proofs.run import run
from audit.tree import checkpoints, notes, outside, store
from casino.checkpoints import copies, make
from casino.checkpoints.destination_urls import parse
from tests.audit.floor import fact, line, opened
from tests.conftest import House, Template
from tests.tampering.superuser import Superuser, superuser

SIZES = (300, 600)
LAST = 700
TAKE = {"spot": "1", "wager": "over", "amount": 500}


SENDER = Sender("ada")


def takes(first: int, ends: int) -> list[bytes]:
    """Return facts about takes as JSON lines, as a device would post them. Their numbers go from `first` up
    to but not including `ends`.
    """
    return [line(fact(place, round="r") | TAKE) for place in range(first, ends)]


class Ledger(NamedTuple):
    """A superuser of a ledger with checkpoints, and the folder of their copies."""

    user: Superuser
    copy: Path


@contextmanager
def new_ledger(template: Template, folder: Path) -> Iterator[Ledger]:
    """Yield a ledger of 700 facts with checkpoints after 300 and 600 facts, which are copied to the folder.
    The ledger has its own database.
    """
    places = override_settings(CHECKPOINT_COPIES=[f"file://{folder}"])
    with template.copied() as name, places:
        house = House(name)
        post(
            [line(opened(1))] + [line(fact(place, round="r") | TAKE) for place in range(2, 301)],
            Sender("ada"),
        )
        assert make.make("aurora")
        copy(folder)
        post(takes(301, 601), SENDER)
        assert make.make("aurora")
        copy(folder)
        post(takes(601, LAST + 1), SENDER)
        store.grow("aurora")
        with superuser() as user:
            yield Ledger(user, folder / "aurora")
        house.close()


@pytest.fixture(scope="module")
def ledger(
    template: Template, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Ledger]:
    """Yield a ledger for all tests of a module. Each test undoes its changes."""
    with (
        django_db_blocker.unblock(),
        new_ledger(template, tmp_path_factory.mktemp("copies")) as ledger,
    ):
        yield ledger


def copy(folder: Path) -> None:
    """Copy the checkpoints to a folder, as a worker does."""
    keep = copies.copy("aurora", parse(f"file://{folder}"))
    with transaction.atomic():
        keep()


def faults(ledger: Ledger, *files: str) -> list[Fault]:
    """Compare the ledger with the copied checkpoints in these files, and return the faults."""
    keys = [key.verifier() for key in KEYS]
    files_read = tuple(outside.read(ledger.copy / file, keys, ["aurora"]) for file in files)
    with ledger.user.undone():
        return run(
            selected([LEDGER]), snapshot=ledger.user.as_application, options=Options(files_read)
        ).faults


def kinds(reported: list[Fault]) -> list[tuple[str, str, str]]:
    return [fault[:3] for fault in reported]


KEYS: list[checkpoints.Key] = []


@pytest.fixture(autouse=True)
def attacked(ledger: Ledger) -> Iterator[None]:
    """Undo after each test what it did to the ledger."""
    KEYS[:] = checkpoints.all_keys()
    with ledger.user.undone():
        yield


def rewrite(user: Superuser, first: int) -> None:
    """Change the amount of the fact at a position, and compute all later hashes again."""
    (before,) = [*user.rows("SELECT chain FROM fact WHERE position = %s", [first - 1]), (FIRST,)][:1]
    chain, columns = bytes(before[0]), []
    query = "SELECT position, number, body FROM fact WHERE position >= %s ORDER BY position"
    for position, number, body in user.rows(query, [first]):
        changed = bytes(body)
        if position == first:
            changed = changed.replace(b'"amount":500', b'"amount":900')
        leaf = leaf_of(changed)
        chain = link(chain, position, number, leaf)
        columns.append((position, changed, leaf, chain))
    user.execute(
        """UPDATE fact f SET body = n.body, leaf = n.leaf, chain = n.chain
        FROM unnest(%s::bigint[], %s::bytea[], %s::bytea[], %s::bytea[]) n (position, body, leaf, chain)
        WHERE f.position = n.position""",
        [list(column) for column in zip(*columns, strict=True)],
    )
    user.execute("UPDATE head SET chain = %s", [chain])


def cut(user: Superuser, upto: int) -> None:
    """Remove the facts after position `upto`. Change the database tables of heads and streams, so that they
    agree with the remaining facts.
    """
    user.execute("DELETE FROM fact WHERE position > %s", [upto])
    user.execute(
        """UPDATE head SET position = f.position, chain = f.chain, recorded_at = f.recorded_at
        FROM fact f WHERE f.position = %s""",
        [upto],
    )
    user.execute("DELETE FROM stream WHERE name NOT IN (SELECT stream FROM fact)")
    user.execute("UPDATE stream SET number = (SELECT max(number) FROM fact WHERE stream = stream.name)")


def make_tiles_again(user: Superuser, *, checkpoints_upto: int = 0) -> None:
    """Delete all tiles and make new ones from the changed facts. Delete the checkpoints of more than
    `checkpoints_upto` facts.
    """
    user.execute("DELETE FROM tile")
    store.grow("aurora")
    user.execute("DELETE FROM checkpoint WHERE size > %s", [checkpoints_upto])


def test_an_untouched_ledger_has_no_fault(ledger: Ledger) -> None:
    assert faults(ledger) == faults(ledger, "checkpoint", "checkpoints/300") == []


def test_a_cut_tail_is_found_without_a_file(ledger: Ledger) -> None:
    cut(ledger.user, 550)
    assert kinds(faults(ledger)) == [("fact", "aurora position 551", "cut")]


def test_a_cut_tail_that_no_checkpoint_covers_is_found_by_the_tree(ledger: Ledger) -> None:
    cut(ledger.user, 650)
    assert kinds(faults(ledger)) == [("fact", "aurora position 651", "cut")]


def test_an_old_backup_is_found_with_a_checkpoint_from_outside(ledger: Ledger) -> None:
    cut(ledger.user, 450)
    make_tiles_again(ledger.user, checkpoints_upto=300)
    assert faults(ledger) == []
    reported = faults(ledger, "checkpoint")
    assert kinds(reported) == [("fact", "aurora position 451", "restored")]
    assert "ends at position 450" in reported[0].says
    assert "600 facts" in reported[0].says


def test_an_old_backup_with_new_facts_is_found_at_the_first_new_fact(ledger: Ledger) -> None:
    cut(ledger.user, 450)
    make_tiles_again(ledger.user, checkpoints_upto=300)
    post(
        [line(fact(place, round="r") | TAKE | {"amount": 700}) for place in range(1001, 1301)], Sender("ada")
    )
    store.grow("aurora")
    reported = faults(ledger, "checkpoint")
    assert kinds(reported) == [("fact", "aurora position 451", "rewritten")]


@pytest.mark.parametrize("position", [2, 256, 257, 300, 301, 512, 600])
def test_a_rewritten_ledger_is_found_by_its_own_tiles(ledger: Ledger, position: int) -> None:
    rewrite(ledger.user, position)
    assert kinds(faults(ledger)) == [("fact", f"aurora position {position}", "rewritten")]


@pytest.mark.parametrize("position", [2, 256, 300, 301, 600])
def test_a_rewritten_ledger_with_new_tiles_is_found_by_the_copy(ledger: Ledger, position: int) -> None:
    rewrite(ledger.user, position)
    make_tiles_again(ledger.user)
    assert faults(ledger) == []
    assert kinds(faults(ledger, "checkpoint")) == [("fact", f"aurora position {position}", "rewritten")]


def test_without_tiles_the_positions_between_checkpoints_are_named(ledger: Ledger, tmp_path: Path) -> None:
    for size in SIZES:
        (tmp_path / str(size)).write_bytes((ledger.copy / "checkpoints" / str(size)).read_bytes())
    rewrite(ledger.user, 400)
    make_tiles_again(ledger.user)
    (reported,) = faults(ledger._replace(copy=tmp_path), "300", "600")
    assert reported[:3] == ("fact", "aurora position 301", "rewritten")
    assert "between positions 301 and 600" in reported.says


def test_a_rewrite_after_the_last_checkpoint_differs_from_the_tiles(
    ledger: Ledger,
) -> None:
    rewrite(ledger.user, 650)
    (reported,) = faults(ledger)
    assert reported[:3] == ("tile", "aurora level 0 index 2", "changed")
    assert "position 650; no checkpoint covers it" in reported.says


@pytest.mark.parametrize(
    ("condition", "change", "place", "kind"),
    [
        (
            "level = 0 AND index = 1",
            "hashes = set_byte(hashes, 40, get_byte(hashes, 40) # 1)",
            "level 0 index 1",
            "changed",
        ),
        (
            "level = 1 AND index = 0",
            "hashes = set_byte(hashes, 40, get_byte(hashes, 40) # 1)",
            "level 1 index 0",
            "changed",
        ),
        ("level = 0 AND index = 2", "hashes = substr(hashes, 1, 100)", "level 0 index 2", "changed"),
        ("level = 1", "index = 7", "level 1 index 0", "missing"),
    ],
)
def test_an_edited_tile_is_named(ledger: Ledger, condition: str, change: str, place: str, kind: str) -> None:
    ledger.user.execute(f"UPDATE tile SET {change} WHERE {condition}")
    assert ("tile", f"aurora {place}", kind) in kinds(faults(ledger))
    assert not [fault for fault in faults(ledger) if fault.table != "tile"]


@pytest.mark.parametrize(
    ("hashes", "kinds_of_faults"), [(88, []), (187, []), (87, ["missing"]), (0, ["unknown", "missing"])]
)
def test_the_newest_tile_may_end_earlier_but_not_before_the_last_checkpoint(
    ledger: Ledger, hashes: int, kinds_of_faults: list[str]
) -> None:
    """Test a tile that ends after 600 facts or later. The tree had this tile before it grew to 700 facts."""
    condition = "level = 0 AND index = 2"
    ledger.user.execute(f"UPDATE tile SET hashes = substr(hashes, 1, {32 * hashes}) WHERE {condition}")
    assert [fault.kind for fault in faults(ledger, "checkpoint") if fault.table == "tile"] == kinds_of_faults


@pytest.mark.parametrize("place", [(0, 0), (0, 1), (1, 0)])
def test_a_deleted_tile_is_named(ledger: Ledger, place: tuple[int, int]) -> None:
    ledger.user.execute("DELETE FROM tile WHERE (level, index) = (%s, %s)", place)
    assert kinds(faults(ledger)) == [("tile", f"aurora level {place[0]} index {place[1]}", "missing")]


def forge(user: Superuser, size: int, private: Ed25519PrivateKey, origin: str) -> None:
    """Store a checkpoint of the facts as they are now, signed with this key under this name."""
    root = store.tree_of("aurora").root(size)
    note = notes.sign(notes.checkpoint_text(notes.Checkpoint(origin, size, root)), [(origin, private)])
    user.execute(
        "INSERT INTO checkpoint (property, size, root, note) VALUES ('aurora', %s, %s, %s)",
        [size, root, note],
    )


def test_a_forged_checkpoint_is_named(ledger: Ledger) -> None:
    forge(ledger.user, 650, Ed25519PrivateKey.generate(), KEYS[0].name)
    (reported,) = faults(ledger)
    assert reported[:3] == ("checkpoint", "aurora size 650", "forged")
    assert "None of the given keys has signed the note" in reported.says


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("root = sha256(root)", "its note says"),
        ("size = size + 1", "its note says"),
        ("note = replace(note, E'\\n600\\n', E'\\n601\\n')", "not valid"),
        ("note = ''", "not a signed note"),
    ],
)
def test_a_changed_checkpoint_is_named(ledger: Ledger, change: str, says: str) -> None:
    ledger.user.execute(f"UPDATE checkpoint SET {change} WHERE size = 600")
    (reported,) = faults(ledger)
    assert reported.table == "checkpoint"
    assert reported.kind == "forged"
    assert says in reported.says


def test_a_deleted_checkpoint_and_a_deleted_key_are_named(ledger: Ledger) -> None:
    ledger.user.execute("DELETE FROM checkpoint WHERE size = 300")
    assert seal_faults(ledger) == [("checkpoint", "missing")]
    ledger.user.execute("DELETE FROM checkpoint_key")
    assert seal_faults(ledger) == [("checkpoint_key", "missing"), ("checkpoint", "missing")]
    assert kinds(faults(ledger)) == [("checkpoint", "aurora size 600", "key")]


def test_a_checkpoint_of_a_revoked_key_is_valid_if_it_was_made_before(ledger: Ledger) -> None:
    ledger.user.execute("UPDATE checkpoint_key SET revoked_at = now() + interval '1 day'")
    assert faults(ledger) == []
    ledger.user.execute("UPDATE checkpoint_key SET revoked_at = now() - interval '1 day'")
    assert [fault.kind for fault in faults(ledger)] == ["forged", "forged"]


def seal_faults(ledger: Ledger) -> list[tuple[str, str]]:
    with ledger.user.undone():
        faults = run(selected(["checkpoint_key"]), snapshot=ledger.user.as_application).faults
    return [(fault.table, fault.kind) for fault in faults]


def test_a_forged_file_is_refused(ledger: Ledger, tmp_path: Path) -> None:
    text = (ledger.copy / "checkpoint").read_text()
    (tmp_path / "checkpoint").write_text(text.replace("\n600\n", "\n601\n"))
    with pytest.raises(outside.NotFromOutside, match="not valid"):
        faults(ledger._replace(copy=tmp_path), "checkpoint")
    other = notes.verifier_of("catwalk.local/aurora", Ed25519PrivateKey.generate())
    with pytest.raises(outside.NotFromOutside, match="None of the given keys"):
        outside.read(ledger.copy / "checkpoint", [other], ["aurora"])


def test_tampering_is_found_when_the_next_checkpoint_is_made(ledger: Ledger) -> None:
    rewrite(ledger.user, 400)
    make_tiles_again(ledger.user, checkpoints_upto=600)
    with pytest.raises(store.TreeFault, match="are not those of the checkpoint"):
        make.make("aurora")


def test_an_edited_tile_is_rebuilt_before_the_next_checkpoint(ledger: Ledger) -> None:
    ledger.user.execute(
        "UPDATE tile SET hashes = set_byte(hashes, 3, get_byte(hashes, 3) # 1) WHERE level = 1"
    )
    checkpoint = make.make("aurora")
    assert checkpoint is not None
    assert checkpoint.size == LAST
    assert faults(ledger) == []


def test_the_copy_finds_a_ledger_that_was_restored(ledger: Ledger) -> None:
    cut(ledger.user, 450)
    make_tiles_again(ledger.user)
    ledger.user.execute("DELETE FROM checkpoint_copy")
    assert make.make("aurora")
    with pytest.raises(Exception, match="has a checkpoint of 600 facts of aurora, the ledger has 450"):
        copy(ledger.copy.parent)


def test_the_copy_finds_a_ledger_that_was_rewritten(ledger: Ledger) -> None:
    rewrite(ledger.user, 10)
    make_tiles_again(ledger.user)
    assert make.make("aurora")
    with pytest.raises(Exception, match="with a different root"):
        copy(ledger.copy.parent)
    assert connections["default"].in_atomic_block

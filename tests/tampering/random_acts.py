"""Random changes by a superuser, one function for each kind of act. Each function makes one change and
returns what `verify` has to report.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.db import Error

from audit.proofs import ledger, tree
from audit.proofs.derived import prove_replay
from audit.proofs.registry import Fault, Prove
from audit.tree.hashes import HASH_BYTES, TILE_WIDTH
from casino.proofs import checkpoint_keys, events
from tests.tampering.attacks import COLUMNS, OTHER
from tests.tampering.superuser import Superuser
from tests.tampering.test_checkpoints import KEYS, LAST, SIZES, cut, forge, make_tiles_again, rewrite

COVERED = SIZES[-1]
"""The last position that a checkpoint covers."""
FACT_COLUMNS = (
    "body = set_byte(body, {byte}, get_byte(body, {byte}) # 1)",
    "leaf = set_byte(leaf, {short}, get_byte(leaf, {short}) # 1)",
    "chain = set_byte(chain, {short}, get_byte(chain, {short}) # 1)",
    "number = number + {byte} + 1",
    "kind = 'pay'",
    "uid = '00000000-0000-4000-8000-00000000beef'",
    "stream = stream || 'x'",
    "round = coalesce(round, '') || 'x'",
    "recorded_at = recorded_at - interval '1 day'",
)
DERIVED = ("tally", "examination", "ledger_examination", "finding", "round_tally")
"""Tables of results that are changed. Each has rows after the ledger of these tests was examined."""
UNPROVED = {"seal"}
"""Columns of these tables whose changes `verify` does not name: `reviewed.toml` says why."""
Faults = list[Fault]


class Expected(NamedTuple):
    """What `verify` has to report about a change.

    Attributes:
        proofs: the functions that check everything that the change can touch.
        is_named: returns True if the faults name the change rightly; None if no checkpoint covers the change.
        says: the change in words, if the name of the function that made it does not say it.
    """

    proofs: tuple[Prove, ...]
    is_named: Callable[[Faults], bool] | None
    says: str = ""


FACTS: tuple[Prove, ...] = (ledger.prove_facts,)
TREE: tuple[Prove, ...] = (tree.prove,)


def fault_at(position: int, *kinds: str, proofs: tuple[Prove, ...] = FACTS) -> Expected:
    """Return the expectation that a fault names the fact at this position. If `kinds` are given, the fault
    must have one of these kinds.
    """
    place = f"aurora position {position}"
    return Expected(
        proofs,
        lambda faults: any(
            (fault.table, fault.place) == ("fact", place) and (not kinds or fault.kind in kinds)
            for fault in faults
        ),
    )


def fault_of_table(table: str, *kinds: str, proofs: tuple[Prove, ...] = TREE) -> Expected:
    """Return the expectation that a fault names this database table. If `kinds` are given, the fault must
    have one of these kinds.
    """
    return Expected(
        proofs,
        lambda faults: any(fault.table == table and (not kinds or fault.kind in kinds) for fault in faults),
    )


NOT_COVERED = Expected((*FACTS, *TREE), None)


def change_column(user: Superuser, random: Random) -> Expected:
    position = random.randint(2, LAST)
    change = random.choice(FACT_COLUMNS).format(byte=random.randint(0, 100), short=random.randint(0, 31))
    user.execute(f"UPDATE fact SET {change} WHERE position = {position}")
    return fault_at(position)


def delete_row(user: Superuser, random: Random) -> Expected:
    position = random.randint(1, LAST)
    user.execute(f"DELETE FROM fact WHERE position = {position}")
    return fault_at(position, "missing")


def repeat_row(user: Superuser, random: Random) -> Expected:
    position = random.randint(1, LAST)
    user.execute(f"INSERT INTO fact SELECT * FROM fact WHERE position = {position}")
    return fault_at(position, "doubled")


def swap_rows(user: Superuser, random: Random) -> Expected:
    first, two = sorted(random.sample(range(1, LAST + 1), 2))
    columns = ("body", "leaf", "kind", "round", "stream", "uid")
    values = ", ".join(f"{name} = o.{name}" for name in columns)
    pairs = f"(({first}, {two}), ({two}, {first}))"
    user.execute(f"UPDATE fact f SET {values} FROM fact o WHERE (f.position, o.position) IN {pairs}")
    return fault_at(first)


def cut_facts(user: Superuser, random: Random) -> Expected:
    """Cut the newest facts. The tiles remain."""
    upto = random.randint(1, LAST - 1)
    cut(user, upto)
    return fault_at(upto + 1, "cut", proofs=TREE)


def cut_facts_and_tiles(user: Superuser, random: Random) -> Expected:
    """Cut the newest facts and their tiles. The checkpoints remain."""
    upto = random.randint(1, LAST - 1)
    cut(user, upto)
    make_tiles_again(user, checkpoints_upto=COVERED)
    return fault_at(upto + 1, "cut", proofs=TREE) if upto < COVERED else NOT_COVERED


def restore_backup(user: Superuser, random: Random) -> Expected:
    """Change facts, tiles and checkpoints back to what they were after an earlier fact, as if an old backup
    had been restored.
    """
    upto = random.randint(1, LAST - 1)
    cut(user, upto)
    make_tiles_again(user, checkpoints_upto=upto)
    return fault_at(upto + 1, "restored", proofs=TREE) if upto < COVERED else NOT_COVERED


def rewrite_with_old_tiles(user: Superuser, random: Random) -> Expected:
    position = random.randint(2, LAST)
    rewrite(user, position)
    return (
        fault_at(position, "rewritten", proofs=TREE)
        if position <= COVERED
        else fault_of_table("tile", "changed")
    )


def rewrite_with_new_tiles(user: Superuser, random: Random) -> Expected:
    position = random.randint(2, LAST)
    rewrite(user, position)
    make_tiles_again(user, checkpoints_upto=COVERED)
    return fault_at(position, "rewritten", proofs=TREE) if position <= COVERED else NOT_COVERED


def change_derived(user: Superuser, random: Random) -> Expected:
    """Change a column of a row that replay stored, or delete the row."""
    table = random.choice(DERIVED)
    kinds = {column: kind for name, column, kind in user.rows(COLUMNS) if name == table}
    column = random.choice(sorted(kinds.keys() - UNPROVED))
    ((count,),) = user.rows(f'SELECT count(*) FROM "{table}"')
    row = f'ctid = (SELECT ctid FROM "{table}" ORDER BY 1 OFFSET {random.randrange(count)} LIMIT 1)'
    other = OTHER[kinds[column]].format(f'"{column}"')
    statement = (
        f'DELETE FROM "{table}" WHERE {row}'
        if random.random() < 0.1
        else f'UPDATE "{table}" SET "{column}" = {other} WHERE {row}'
    )
    user.execute(statement)
    return fault_of_table(table, proofs=(prove_replay, events.prove))._replace(says=statement)


def change_tile(user: Superuser, random: Random) -> Expected:
    """Change a tile, shorten it, or delete it.

    The newest tile may be shortened to whole hashes after the last checkpoint. This is no fault, because the
    tile looked the same before the tree had grown.
    """
    level, index = random.choice([(0, 0), (0, 1), (0, 2), (1, 0)])
    byte = random.randint(0, {(0, 2): 32 * (LAST - 512), (1, 0): 64}.get((level, index), 8192) - 1)
    shortened = f"UPDATE tile SET hashes = substr(hashes, 1, {byte})"
    change = random.choice(
        [
            f"UPDATE tile SET hashes = set_byte(hashes, {byte}, get_byte(hashes, {byte}) # 1)",
            shortened,
            "DELETE FROM tile",
        ]
    )
    user.execute(f"{change} WHERE level = {level} AND index = {index}")
    hashes, other_bytes = divmod(byte, HASH_BYTES)
    is_earlier = (level, index, other_bytes) == (0, 2, 0) and 2 * TILE_WIDTH + hashes >= COVERED
    return NOT_COVERED if change == shortened and is_earlier else fault_of_table("tile")


def change_checkpoint(user: Superuser, random: Random) -> Expected:
    size = random.choice(SIZES)
    change = random.choice(
        ["root = sha256(root)", "size = size - 1", "note = overlay(note placing 'x' from 3)"]
    )
    user.execute(f"UPDATE checkpoint SET {change} WHERE size = {size}")
    return fault_of_table("checkpoint", "forged")


def forge_checkpoint(user: Superuser, random: Random) -> Expected:
    """Store a checkpoint that is signed with a key that the superuser made."""
    forge(user, random.randint(COVERED + 1, LAST), Ed25519PrivateKey.generate(), KEYS[0].name)
    return fault_of_table("checkpoint", "forged")


def delete_checkpoint(user: Superuser, random: Random) -> Expected:
    user.execute(f"DELETE FROM checkpoint WHERE size = {random.choice(SIZES)}")
    return fault_of_table("checkpoint", "missing", proofs=(checkpoint_keys.prove,))


def change_key(user: Superuser, random: Random) -> Expected:
    change = random.choice(
        [
            "DELETE FROM checkpoint_key",
            "UPDATE checkpoint_key SET public = sha256(public), name = name || 'x'",
            "UPDATE checkpoint_key SET revoked_at = now()",
            "UPDATE checkpoint_key SET public = sha256(public)",
        ]
    )
    user.execute(change)
    return fault_of_table("checkpoint_key", proofs=(checkpoint_keys.prove,))


Act = Callable[[Superuser, Random], Expected]
ACTS: dict[str, tuple[Act, ...]] = {
    "columns": (change_column,),
    "rows": (delete_row, repeat_row),
    "order": (swap_rows,),
    "tail": (cut_facts, cut_facts_and_tiles),
    "old backup": (restore_backup,),
    "rewritten chain": (rewrite_with_old_tiles, rewrite_with_new_tiles),
    "derived tables": (change_derived,),
    "tiles": (change_tile,),
    "keys": (change_checkpoint, forge_checkpoint, delete_checkpoint, change_key),
}
"""For each kind of change: the functions that make one. They take turns."""


def attempt(user: Superuser, act: Act, random: Random) -> Expected | None:
    """Make a change. Return what `verify` has to report, or None if Postgres refuses the change. If the
    connection to Postgres is lost, raise its error.
    """
    try:
        with user.committed():
            return act(user, random)
    except Error:
        if user.is_disconnected():
            raise
        return None

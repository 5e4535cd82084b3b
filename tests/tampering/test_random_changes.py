"""Random changes by a superuser: columns, rows, order, tail, old backups, rewritten ledgers, tiles, keys and
checkpoints. Each is found, and named by its table and position. `make long` tries 10,000 and prints figures.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random

import pytest

from audit.proofs.registry import Fault
from tests.counts import LONG
from tests.tampering.superuser import Superuser
from tests.tampering.test_checkpoints import (
    KEYS,
    LAST,
    SIZES,
    Ledger,
    attacked,
    cut,
    faults,
    ledger,
    make_tiles_again,
    rewrite,
    seal_faults,
)
from tests.tampering.test_tampering import LOOSE

assert ledger
assert attacked  # fixtures
CHANGES = 10_000 if LONG else 22
COLUMNS = (
    "body = set_byte(body, {byte}, get_byte(body, {byte}) # 1)",
    "leaf = set_byte(leaf, {short}, get_byte(leaf, {short}) # 1)",
    "chain = set_byte(chain, {short}, get_byte(chain, {short}) # 1)",
    "number = number + {byte} + 1",
    "kind = 'pay'",
    "uid = '00000000-0000-4000-8000-00000000beef'",
    "stream = stream || 'x'",
)
Expected = Callable[[list[Fault]], bool]
"""The type of a function that returns True if the faults name the change correctly."""


def at(position: int, *kinds: str) -> Expected:
    """Return a function that returns True if a fault names the fact at this position."""
    place = f"aurora position {position}"
    return lambda faults: any(
        fault.table == "fact" and fault.place == place and (not kinds or fault.kind in kinds)
        for fault in faults
    )


def change_column(user: Superuser, random: Random) -> Expected:
    position = random.randint(1, LAST)
    change = random.choice(COLUMNS).format(byte=random.randint(0, 100), short=random.randint(0, 31))
    user.execute(f"UPDATE fact SET {change} WHERE position = {position}")
    return at(position)


def swap_rows(user: Superuser, random: Random) -> Expected:
    first, two = sorted(random.sample(range(1, LAST + 1), 2))
    columns = ("body", "leaf", "kind", "round", "stream")
    values = ", ".join(f"{name} = o.{name}" for name in columns)
    pairs = f"(({first}, {two}), ({two}, {first}))"
    user.execute(f"UPDATE fact f SET {values} FROM fact o WHERE (f.position, o.position) IN {pairs}")
    return at(first)


def delete_row(user: Superuser, random: Random) -> Expected:
    position = random.randint(1, LAST)
    user.execute(f"DELETE FROM fact WHERE position = {position}")
    return at(position, "missing", "cut")


def cut_tail(user: Superuser, random: Random) -> Expected:
    upto = random.randint(1, LAST - 1)
    cut(user, upto)
    return at(upto + 1, "cut")


def restore_backup(user: Superuser, random: Random) -> Expected:
    upto = random.randint(1, SIZES[-1] - 1)
    cut(user, upto)
    make_tiles_again(user, checkpoints_upto=upto)
    return at(upto + 1, "restored")


def rewrite_with_old_tiles(user: Superuser, random: Random) -> Expected:
    position = random.randint(2, SIZES[-1])
    rewrite(user, position)
    return at(position, "rewritten")


def rewrite_with_new_tiles(user: Superuser, random: Random) -> Expected:
    position = random.randint(2, SIZES[-1])
    rewrite(user, position)
    make_tiles_again(user)
    return at(position, "rewritten")


def change_tile(user: Superuser, random: Random) -> Expected:
    level, index = random.choice([(0, 0), (0, 1), (0, 2), (1, 0)])
    byte = random.randint(0, {(0, 2): 32 * (LAST - 512), (1, 0): 64}.get((level, index), 8192) - 1)
    change = random.choice(
        [
            f"UPDATE tile SET hashes = set_byte(hashes, {byte}, get_byte(hashes, {byte}) # 1)",
            f"UPDATE tile SET hashes = substr(hashes, 1, {byte})",
            "DELETE FROM tile",
        ]
    )
    user.execute(f"{change} WHERE level = {level} AND index = {index}")
    return lambda faults: any(fault.table == "tile" for fault in faults)


def change_checkpoint(user: Superuser, random: Random) -> Expected:
    size = random.choice(SIZES)
    change = random.choice(
        ["root = sha256(root)", "size = size - 1", "note = overlay(note placing 'x' from 3)"]
    )
    user.execute(f"UPDATE checkpoint SET {change} WHERE size = {size}")
    return lambda faults: any((fault.table, fault.kind) == ("checkpoint", "forged") for fault in faults)


def delete_checkpoint(user: Superuser, random: Random) -> Expected:
    user.execute(f"DELETE FROM checkpoint WHERE size = {random.choice(SIZES)}")
    return lambda faults: any((fault.table, fault.kind) == ("checkpoint", "missing") for fault in faults)


def change_key(user: Superuser, random: Random) -> Expected:
    change = random.choice(
        [
            "DELETE FROM checkpoint_key",
            "UPDATE checkpoint_key SET public = sha256(public), name = name || 'x'",
        ]
    )
    user.execute(change)
    return lambda faults: any(fault.table == "checkpoint_key" for fault in faults)


ACTS: tuple[Callable[[Superuser, Random], Expected], ...] = (
    change_column,
    swap_rows,
    delete_row,
    cut_tail,
    restore_backup,
    rewrite_with_old_tiles,
    rewrite_with_new_tiles,
    change_tile,
    change_checkpoint,
    delete_checkpoint,
    change_key,
)


def attempts(ledger: Ledger, random: Random) -> Iterator[tuple[str, bool]]:
    """Yield the name of each change, and True if it was named rightly."""
    for number in range(CHANGES):
        act = ACTS[number % len(ACTS)]
        with ledger.user.undone():
            expected = act(ledger.user, random)
            reported = faults(ledger, "checkpoint")
            reported += [Fault(table, "", kind, "") for table, kind in seal_faults(ledger)]
        yield act.__name__, expected(reported)


def test_random_changes_are_named(ledger: Ledger, capsys: pytest.CaptureFixture[str]) -> None:
    assert KEYS
    ledger.user.execute(LOOSE.format("fact"))
    tried, wrong = Counter[str](), Counter[str]()
    for name, is_named in attempts(ledger, Random(18)):
        tried[name] += 1
        wrong[name] += not is_named
    with capsys.disabled():
        if LONG:
            print(f"\n{tried.total():,} changes, {wrong.total()} not named rightly: {dict(tried)}")
    assert +wrong == Counter()

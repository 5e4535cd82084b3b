"""Followers of a ledger miss no fact while eight processes write to it.

Some writers pause between insert and commit, and some posts are rolled back after their insert. Three
followers read meanwhile, each in a process of its own: a client of the REST API with the cursors of a list, a
reader of the facts of one kind, and the tables of the daily log. With CATWALK_COUNTS=long, the writers post
100,000 facts, and a table of the figures is printed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

from django.db import connection

from audit.ledger.verify import verify
from casino.accounts import services as accounts
from tests.benchmarks.own import PAGES
from tests.casino.conftest import ROLES, Cast
from tests.conftest import House
from tests.counts import LONG
from tests.faults.test_kills import until
from tests.manage import PROJECT

WRITERS = 8
FACTS = 12_500 if LONG else 150
"""The number of facts of each writer."""
PATIENCE = 3600
"""Maximum number of seconds to wait for a process."""
LEDGER = "SELECT position, uid::text, kind FROM fact WHERE property = 'aurora' ORDER BY position"


class Follower(NamedTuple):
    """What a follower has read, compared with the ledger.

    Attributes:
        meanwhile: the number of facts that it read while the writers wrote.
    """

    name: str
    expected: int
    seen: int
    meanwhile: int
    missed: int
    doubled: int
    unknown: int
    is_in_order: bool


def start(house: House, *arguments: object) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.faults.ledger_processes", *map(str, arguments)],
        env=os.environ | house.env | PAGES | {"DJANGO_SETTINGS_MODULE": "casino.settings"},
        cwd=PROJECT,
    )


def compare(name: str, read: dict[str, Any], expected: list[str]) -> Follower:
    """Compare the facts that a follower has read with the facts of the ledger, in the order of commit."""
    uids, distinct = read["uids"], set(read["uids"])
    return Follower(
        name,
        len(expected),
        len(uids),
        read["meanwhile"],
        missed=len(set(expected) - distinct),
        doubled=len(uids) - len(distinct),
        unknown=len(distinct - set(expected)),
        is_in_order=uids == expected,
    )


def print_table(written: list[dict[str, Any]], followers: list[Follower]) -> None:
    posts, rolled_back = (sum(result[name] for result in written) for name in ("posts", "rolled_back"))
    print(
        f"\n{WRITERS} writers, {sum(len(result['uids']) for result in written):,} facts in {posts:,} posts;"
        f" {rolled_back:,} more facts were rolled back after their insert"
    )
    names = ("to read", "read", "meanwhile", "missed", "twice", "unknown", "in order")
    print(f"{'follower':28}" + "".join(f"{name:>11}" for name in names))
    for name, *figures, is_in_order in followers:
        print(
            f"{name:28}"
            + "".join(f"{figure:>11,}" for figure in figures)
            + f"{'yes' if is_in_order else 'no':>11}"
        )


def test_followers_miss_nothing_while_eight_processes_write(house: House, tmp_path: Path) -> None:
    Cast()
    token, go, stop = (
        accounts.issue_token(made_by="m-101", person=ROLES["Rhea"]),
        tmp_path / "go",
        tmp_path / "stop",
    )
    connection.close()
    names = {
        "list": "cursors of the REST API",
        "kinds": "facts of one kind",
        "log": "tables of the daily log",
    }
    paths = {way: tmp_path / way for way in names}
    followers = [
        start(house, way, *([token] if way == "list" else []), path, stop) for way, path in paths.items()
    ]
    outputs = [tmp_path / f"writer-{number}" for number in range(WRITERS)]
    writers = [start(house, "write", number, FACTS, path, go) for number, path in enumerate(outputs)]
    try:
        for path in (*outputs, *paths.values()):
            until(path.with_suffix(".ready").exists, f"{path.name} does not get ready")
        go.touch()
        assert [writer.wait(PATIENCE) for writer in writers] == [0] * WRITERS
        stop.touch()
        assert [follower.wait(PATIENCE) for follower in followers] == [0] * len(followers)
    finally:
        for process in (*writers, *followers):
            process.kill()
            process.wait()
    written = [json.loads(path.read_text()) for path in outputs]
    ledger = house.app.execute(LEDGER).fetchall()
    written_uids = {uid for result in written for uid in result["uids"]}
    recorded = [uid for _, uid, _ in ledger if uid in written_uids]
    entries = [uid for _, uid, kind in ledger if kind == "log-written"]
    expected = {"list": [uid for _, uid, _ in ledger], "kinds": entries, "log": entries}
    results = [compare(names[way], json.loads(paths[way].read_text()), expected[way]) for way in names]
    print_table(written, results)
    assert [position for position, _, _ in ledger] == list(range(1, len(ledger) + 1))
    assert len(recorded) == len(written_uids) == WRITERS * FACTS
    assert [result for result in results if not result.is_in_order or not result.meanwhile] == []
    assert not any(ledger.faults for ledger in verify())

"""How fast facts are recorded, compared with COPY into the same kind of table: `python -m
tests.benchmarks.append [--facts N]`.

The benchmark has its own embedded server in a temporary folder. In one run, it alternates between two ways:

- `file`: what import_facts does after it has checked the whole file: read from its spool and post 500 facts
at a time, each post committed. It prepares the next post while the server records the current one;
- `copy`: COPY in binary form of the same rows into a table with the same keys and indexes, 500 rows at a
time, each committed. Uids, leaves and chain hashes are computed and packed before the clock starts, so this
way assigns no numbers, looks nothing up and chains nothing;
- `library`: the event store of the library `eventsourcing`, 500 events at a time, each committed
(tests/benchmarks/event_library.py).

Also measured are `prepared` (the same as `file` without the spool), `end_to_end` (every line is checked and
posted while the clock runs), and four writers at once. The four writers have no goal, because they gain
nothing under the one lock of a ledger.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from struct import pack
from time import perf_counter, time
from typing import Any

from tests.benchmarks.event_library import NAME, EventLibrary
from tests.benchmarks.own import own_house

BATCH = 500
BAR = 0.6
TURNS = 5
WRITERS = 4
ROUND: tuple[dict[str, Any], ...] = (
    {"kind": "round-opened"},
    *(
        {"kind": "bet", "spot": str(spot), "wager": "over", "amount": 2500, "player": f"p-{spot}0210"}
        for spot in range(1, 7)
    ),
    {"kind": "no-more-bets"},
    {"kind": "shake", "times": 3},
    {"kind": "roll", "dice": [4, 5]},
    {"kind": "announce", "what": "dice", "value": 9},
    *({"kind": "deal", "to": str(spot), "card": "Td"} for spot in range(1, 7)),
    *({"kind": "pay", "spot": str(spot), "wager": "over", "amount": 2500} for spot in range(1, 7)),
    *({"kind": "clear", "from": str(spot)} for spot in range(1, 7)),
    {"kind": "round-closed"},
)


def night(table: str, count: int) -> list[bytes]:
    """Return this number of facts of one table's day as lines of a file, with time-ordered uids."""
    from tests.audit.floor import fact, line, opened

    first = int(time() * 1000) - 1795694400000
    opening = opened(first, table)
    lines = [line(opening | {"uid": with_random_bits(opening["uid"])})]
    for place in range(1, count):
        fields: dict[str, Any] = {
            "n": place,
            "round": f"r-{place // len(ROUND)}",
            **ROUND[place % len(ROUND)],
        }
        sent = fact(first + place // 50, table=table, **fields)
        sent["uid"] = with_random_bits(sent["uid"])
        sent["source"] = "shoe-7"
        lines.append(json.dumps(sent, separators=(",", ":")).encode())
    return lines


def with_random_bits(uid: str) -> str:
    """Return a uid with the same time and other random bits, so that no two writers use the same one."""
    return f"{uid[:14]}{os.urandom(2).hex()[:4]}-8{os.urandom(2).hex()[:3]}-{os.urandom(6).hex()}"


def batches(facts: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """Yield the facts in groups that are posted together."""
    for place in range(0, len(facts), BATCH):
        yield facts[place : place + BATCH]


def call_each(act: Callable[[Any], Any], parts: Sequence[Any]) -> None:
    """Call a function once for each of these values, in their order. The results are not used."""
    for part in parts:
        act(part)


def writer(table: str, count: int, go: float) -> tuple[float, float]:
    """Do the work of one of the four writers: validate the facts, wait until the instant `go`, and post the
    facts. Return the instants of the first and last post.
    """
    import django

    django.setup()
    from audit.facts import check
    from audit.ledger.intake import Sender, post_prepared

    lines = night(table, count)
    post_prepared([check(lines[0])], Sender("bench"))
    facts = [check(line) for line in lines[1:]]
    while time() < go:
        pass
    start = time()
    call_each(partial(post_prepared, sender=Sender("bench")), list(batches(facts)))
    return start, time()


class Copy:
    """Records the same rows with COPY, in a table with the same columns, keys and indexes."""

    def __init__(self, owner: Any) -> None:
        self.owner = owner
        self.last, self.chain = 0, bytes(32)
        owner.execute("CREATE TABLE copied (LIKE fact INCLUDING ALL) PARTITION BY LIST (property)")
        owner.execute("CREATE TABLE copied_rows PARTITION OF copied FOR VALUES IN ('copied')")

    def packed(self, facts: Sequence[Any]) -> list[bytes]:
        """Return each post as the bytes that COPY accepts, so that this work is done before the
        clock starts.
        """
        from audit.facts.chain import link

        chunks = []
        for part in batches(facts):
            rows = [b"PGCOPY\n\xff\r\n\0" + bytes(8)]
            for number, fact in enumerate(part, self.last + 1):
                self.chain = link(self.chain, number, number, fact.leaf)
                fields = (
                    b"copied",
                    pack("!q", number),
                    fact.stream.encode(),
                    pack("!q", number),
                    fact.kind.encode(),
                    fact.uid.bytes,
                    fact.round and fact.round.encode(),
                    fact.body,
                    fact.leaf,
                    self.chain,
                    pack("!q", 849_000_000_000_000),
                )
                rows.append(pack("!h", len(fields)))
                rows += [
                    pack("!i", -1) if field is None else pack("!i", len(field)) + field for field in fields
                ]
            self.last += len(part)
            chunks.append(b"".join([*rows, pack("!h", -1)]))
        return chunks

    def post(self, packed: bytes) -> None:
        """Copy one post into the table and commit it."""
        with self.owner.cursor() as cursor, cursor.copy("COPY copied FROM STDIN (FORMAT binary)") as copy:
            copy.write(packed)


def one_writer(count: int, folder: Path, spools: ExitStack) -> dict[str, float]:
    """Return how many facts a second are recorded in each way. The ways alternate, so that the load of the
    machine affects them equally.
    """
    from django.db import connections

    from audit.facts import check
    from audit.ledger.intake import Sender, post, post_prepared
    from casino.importing import posting
    from casino.importing.spool import Spool

    sender = Sender("bench")
    connections["owner"].ensure_connection()
    copy = Copy(connections["owner"].connection)
    library = EventLibrary(folder, connections["owner"].connection)
    spools.callback(library.close)
    seconds: defaultdict[str, float] = defaultdict(float)
    size = 0
    for turn in range(TURNS):
        # Uids are recorded in their order in each way, as in COPY: others cost the server a tenth more.
        ways = sorted(("file", "prepared", "end_to_end"), reverse=bool(turn % 2))
        lines = {way: night(f"bench/{way}-{turn}", count // TURNS) for way in ways}
        start = perf_counter()
        facts = [check(line) for line in lines["file"]]
        seconds["check"] += perf_counter() - start
        size += sum(len(fact.body) for fact in facts)
        spool, packed = spools.enter_context(Spool()), copy.packed(facts)
        for number, fact in enumerate(facts, 1):
            spool.add(0, number, fact)
        prepared = [check(line) for line in lines["prepared"]]
        acts: dict[str, Callable[[], Any]] = {
            "file": partial(posting.post, spool, sender, strict=True, progress=lambda count: None),
            "copy": partial(call_each, copy.post, packed),
            "library": partial(call_each, library.record, list(batches(library.events(facts)))),
            "prepared": partial(call_each, partial(post_prepared, sender=sender), list(batches(prepared))),
            "end_to_end": partial(
                call_each, partial(post, sender=sender), list(batches(lines["end_to_end"]))
            ),
        }
        for way in sorted(acts, reverse=bool(turn % 2)):
            start = perf_counter()
            acts[way]()
            seconds[way] += perf_counter() - start
    recorded = count // TURNS * TURNS
    return {name: recorded / taken for name, taken in seconds.items()} | {"bytes": size / recorded}


def four_writers(count: int) -> float:
    """Return how many facts a second are recorded while four processes post for one property at the same
    time.
    """
    go = time() + 3 + count / 40_000
    with ProcessPoolExecutor(WRITERS, mp_context=get_context("spawn")) as pool:
        runs = [pool.submit(writer, f"four/T-{place}", count // WRITERS, go) for place in range(WRITERS)]
        spans = [run.result() for run in runs]
    return (
        (count // WRITERS - 1) * WRITERS / (max(end for _, end in spans) - min(start for start, _ in spans))
    )


def main(argv: list[str]) -> int:
    """Print the figures, with one JSON object as the last line. Return 1 if the goal is not met."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.append", description="Facts a second, against COPY."
    )
    parser.add_argument("--facts", type=int, default=100_000, help="how many go in each way (default 100000)")
    facts = parser.parse_args(argv).facts
    with own_house() as folder, ExitStack() as opened:
        speed = one_writer(facts, folder, opened)
        four = four_writers(facts)
    return say(speed, four)


def say(speed: dict[str, float], four: float) -> int:
    """Print the figures for people, then the JSON line for programs. Return 1 if the goal is not met."""
    ratio = {way: speed[way] / speed["copy"] for way in ("file", "prepared", "end_to_end")}
    print(f"facts of {speed['bytes']:.0f} bytes, posts of {BATCH}, one writer, facts a second:")
    print(
        f"  from a checked file              {speed['file']:>10,.0f}   {ratio['file']:.2f} of COPY, bar {BAR}"
    )
    print(f"  checked facts already in memory  {speed['prepared']:>10,.0f}   {ratio['prepared']:.2f} of COPY")
    print(
        f"  check and append, each line      {speed['end_to_end']:>10,.0f}"
        f"   {ratio['end_to_end']:.2f} of COPY"
    )
    print(
        f"  check alone                      {speed['check']:>10,.0f}   {1e6 / speed['check']:.1f} us a fact"
    )
    print(f"  COPY into the same keys          {speed['copy']:>10,.0f}")
    print(
        f"  {NAME + ', in memory':<31}{speed['library']:>12,.0f}"
        f"   {speed['prepared'] / speed['library']:.2f} times as many here"
    )
    print(f"four writers at once               {four:>10,.0f}   no bar")
    shown = {way: {"facts_per_s": round(speed[way]), "ratio": round(ratio[way], 3)} for way in ratio}
    figures = {
        "bench": "append",
        "file": shown["file"] | {"bar": BAR},
        "rest": None,
        "prepared": shown["prepared"],
        "end_to_end": shown["end_to_end"],
        "check": round(speed["check"]),
        "four_writers": round(four),
        "batch": BATCH,
        "copy": round(speed["copy"]),
        "library": {"name": NAME, "facts_per_s": round(speed["library"])},
        "against": "COPY in binary form, the same batches, into a table with the same keys",
        "ratio": round(ratio["file"], 3),
        "bar": BAR,
        "holds": ratio["file"] >= BAR,
    }
    print(json.dumps(figures))
    return 0 if figures["holds"] else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

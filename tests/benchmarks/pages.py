"""How long the server takes for the pages of surveillance and for the admin's lists: `python -m
tests.benchmarks.pages [--facts N] [--findings N] [--tables N] [--folder PATH]`.

The benchmark has its own embedded installation with the days that `large_ledger` describes. Then an officer's
requests run through all of Django and the real database: for queue, hands, search, boards and wall. An
auditor's requests follow, for the lists of the admin with their searches and filters (`admin_pages`). In the
same run, a page without figures is requested. `ratio` is the p95 of a kind of page divided by the p95 of this
bare page. `cpu` is the CPU time of the server and the database, which does not include waiting for other
processes of the machine. The goal is 100 ms at p95 with 10,000,000 facts and 100,000 findings.

With `--folder`, the installation is kept and used again by the next run, because building one of 10,000,000
facts takes about half an hour.
"""

from __future__ import annotations

import argparse
import json
import sys
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Any

from tests.benchmarks import admin_pages
from tests.benchmarks.large_ledger import OFFICERS, Size, build
from tests.benchmarks.own import PAGES, own_house
from tests.benchmarks.served import ASKED, Figures, Officer, measure, print_figures

LIMIT_MS = 100.0
BAR = 1.0
BARE = "bare page"
"""A page that reads only the user and the property: the form with which users change their passwords."""
SAMPLE = "TABLESAMPLE system ({}) REPEATABLE (1)"
LARGEST_CONTROL = "DE-01"
"""The control with the largest number of findings."""
DAYS = 30
"""The number of gaming days that a board shows."""


def addresses(rng: Random, last: date) -> dict[str, list[str]]:
    """Return the addresses to request, by kind.

    Args:
        last: the gaming day at whose tables hands are in play.
    """
    return {
        BARE: ["/password/"],
        **_queue(rng, last),
        **_search(rng, last),
        **_boards(last),
        "wall": ["/wall/"],
        "wall news": ["/wall/news/"],
        **admin_pages.addresses(rng),
    }


def _queue(rng: Random, last: date) -> dict[str, list[str]]:
    from django.db import connection

    from audit.review import queue
    from audit.review.queue import Wanted
    from casino.web import request_params

    first = queue.page(Wanted(("aurora",))).rows
    names = queue.tables(("aurora",))
    after = f"{first[-1].rank}|{first[-1].less}|{first[-1].stream}|{first[-1].hand}"
    filters = ["", "?grade=money", "?grade=procedure", "?code=late-bet", "?code=duplicate-card", "?state=all"]
    filters += [f"?day={last - timedelta(days=3)}", "?state=decided"]
    filters += [f"?table={rng.choice(names)}" for _ in range(8)]
    with connection.cursor() as cursor:
        cursor.execute(
            f"""SELECT stream, round FROM round_tally {SAMPLE.format(1)} WHERE codes = '{{}}'
                LIMIT %s""",
            [ASKED],
        )
        others = cursor.fetchall()
    return {
        "queue": [f"/queue/{filter}" for filter in filters],
        "queue more": [f"/queue/more/?after={after}"],
        "queue news": [f"/queue/news/?since={queue.now()}"],
        "hand, flagged": [request_params.hand_url(row.stream, row.hand) for row in first],
        "hand": [request_params.hand_url(stream, round) for stream, round in others],
        "replay": [request_params.replay_url(stream, round) for stream, round in others],
    }


def _search(rng: Random, last: date) -> dict[str, list[str]]:
    """Return addresses of searches for values that occur in the ledger."""
    from django.db import connection

    values: dict[str, list[str]] = {}
    with connection.cursor() as cursor:
        for name, column in (
            *((name, name) for name in ("dealer", "supervisor", "game")),
            *((name, f"unnest({name}s)") for name in ("spot", "wager", "outcome", "card", "code")),
            ("table", 'substr("table", 8)'),
        ):
            cursor.execute(
                f"SELECT DISTINCT {column} FROM round_tally {SAMPLE.format(2)} ORDER BY 1 LIMIT 200"
            )
            values[name] = [value for (value,) in cursor.fetchall() if value and "," not in value]
    several = {name: [f"{name}={rng.choice(choices)}" for _ in range(20)] for name, choices in values.items()}
    days = [f"day_from={day}&day_last={day}" for day in (last - timedelta(days=n) for n in range(20))]
    kinds = {
        "": [""],
        **several,
        "state": ["state=open", "state=decided"],
        "verdict": ["verdict=confirmed", "verdict=dismissed"],
        "officer": [f"officer={name}" for name in OFFICERS],
        "amount": ["difference_from=25&sort=-difference", "staked_from=1000", "sort=-staked"],
        "days": days,
        "two filters": [
            f"{code}&{table}" for code, table in zip(several["code"], several["table"], strict=True)
        ],
        "three filters": [
            f"{card}&{wager}&{dealer}"
            for card, wager, dealer in zip(several["card"], several["wager"], several["dealer"], strict=True)
        ],
    }
    searches = {
        f"search {name}".strip(): [f"/hands/?{query}" for query in queries] for name, queries in kinds.items()
    }
    typed = ["typed=card: 7", "typed=d-1", "typed=dealer: d", "typed=code: w"]
    return searches | {"search, typed": [f"/hands/complete/?{query}" for query in typed]}


def _boards(last: date) -> dict[str, list[str]]:
    days = f"from={last - timedelta(days=DAYS - 1)}&to={last}"
    names = ("dealers", "tables", "games", "codes", "controls", "officers")
    boards = {f"board {name}": [f"/boards/{name}/?{days}"] for name in names}
    boards["board control"] = [f"/boards/controls/?{days}&of={LARGEST_CONTROL}"]
    return boards | {"board exposure": ["/boards/exposure/"]}


def officer() -> Officer:
    """Return the officer whose requests are measured."""
    from casino.accounts.services import activate_user
    from casino.models import Person
    from casino.reference.entries import Entry
    from casino.reference.recording import set_registers

    if not Person.objects.filter(pk="v-101").exists():
        clock = Entry("day-begins", "aurora", {"time": "06:00", "zone": "America/Los_Angeles"})
        person = Entry("people", "v-101", {"role": "surveillance"})
        set_registers("aurora", [person, clock], by="m-101", second="m-102")
        activate_user("v-101", "Dana")
    return Officer("v-101")


def main(argv: list[str]) -> int:
    """Print the figures, with one JSON object as the last line. Return 1 if the goal is not met."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.pages", description="Server time of the pages of surveillance."
    )
    parser.add_argument(
        "--facts", type=int, default=200_000, help="at least this many facts (the bar speaks of 10000000)"
    )
    parser.add_argument(
        "--findings", type=int, default=2_000, help="about this many findings (the bar speaks of 100000)"
    )
    parser.add_argument("--tables", type=int, default=40, help="at how many tables")
    parser.add_argument(
        "--folder",
        type=Path,
        help="keep the installation in this folder, for example /tmp/catwalk-pages, and use it again in the"
        " next run; delete the folder to build another",
    )
    parser.add_argument("--asked", type=int, default=ASKED, help="how many requests of each kind")
    parser.add_argument("--only", default="", help="only the kinds whose name begins with this")
    options = parser.parse_args(argv)
    with own_house(options.folder, **PAGES) as folder:
        built = build(Size(options.facts, options.findings, options.tables), folder)
        dana, ines = officer(), admin_pages.reader()
        kinds = addresses(Random("pages"), date.fromisoformat(built["last"]))
        wanted = {
            kind: addresses
            for kind, addresses in kinds.items()
            if kind.startswith(options.only) or kind == BARE
        }
        figures = {
            kind: measure(
                ines if kind.startswith("admin") else dana,
                addresses,
                options.asked,
                partial=kind in ("queue more", "queue news"),
            )
            for kind, addresses in wanted.items()
        }
    return say(built, figures, options.asked)


def say(built: dict[str, Any], figures: dict[str, Figures], requests: int) -> int:
    """Print the figures for people, then the JSON line for programs. Return 1 if the goal is not met."""
    print(
        f"{built['facts']:,} facts of {built['days']} days at {built['tables']} tables,"
        f" {built['findings']:,} findings, {built['hands']:,} hands with findings; {requests} requests of"
        " each kind, one after another; milliseconds:"
    )
    kinds = print_figures(figures, BARE)
    worst = max(of.p95 for of in figures.values())
    ratio = round(LIMIT_MS / worst, 2)
    result = {"bench": "pages", "facts": built["facts"], "findings": built["findings"], "kinds": kinds}
    result |= {
        "p95_ms": round(worst, 1),
        "against": LIMIT_MS,
        "ratio": ratio,
        "bar": BAR,
        "holds": ratio >= BAR,
    }
    print(json.dumps(result))
    return 0 if result["holds"] else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""The cost of recording and reading facts if a property had several partitions, for example one a month:
`python -m tests.benchmarks.partitions [--facts N] [--partitions 1,12,36]`.

The benchmark has its own embedded server. For each number of partitions, it makes a property whose facts are
partitioned by position, with unique indexes as far as Postgres allows them, and fills it. It then records new
facts with the append function, and reads streams as a replay does. It prints the CPU time of the database's
process for each fact. A uid can be unique only within a partition, so each look-up reads an index of every
partition.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

from tests.benchmarks.append import BATCH, batches, night
from tests.benchmarks.own import own_house

NEW = 20_000
"""Number of facts that are recorded after the property was filled."""
READ = 200
"""Number of streams that are read."""
STREAM = 1_000
"""Number of facts of each stream that is in the property before."""
FILL = f"""INSERT INTO fact (property, position, stream, number, kind, uid, body, leaf, chain, recorded_at)
    SELECT %(property)s, n, format('%%s/T%%s/2025-01-01', %(property)s, (n - 1) / {STREAM}),
        1 + (n - 1) %% {STREAM}, 'bet', md5(%(property)s || n)::uuid, %(body)s, sha256(int8send(n)),
        sha256(int8send(-n)), now()
    FROM generate_series(1::bigint, %(facts)s) n"""


def make_property(owner: Any, property: str, facts: int, partitions: int) -> None:
    """Make a property with a ledger of this number of facts, in this number of partitions."""
    table = f"fact_{property}"
    by_range = "PARTITION BY RANGE (position)" if partitions > 1 else ""
    position = ", position" if partitions > 1 else ""
    owner.execute(f"CREATE TABLE {table} (LIKE fact INCLUDING DEFAULTS) {by_range}")
    owner.execute(f"ALTER TABLE {table} ADD PRIMARY KEY (property, position)")
    owner.execute(f"CREATE UNIQUE INDEX ON {table} (property, uid{position})")
    owner.execute(f"CREATE UNIQUE INDEX ON {table} (property, stream, number{position})")
    size = facts // partitions
    for number in range(partitions) if partitions > 1 else ():
        ends = (number + 1) * size + 1 if number + 1 < partitions else 2**62
        bounds = f"FROM ({number * size + 1}) TO ({ends})"
        owner.execute(f"CREATE TABLE {table}_{number} PARTITION OF {table} FOR VALUES {bounds}")
    owner.execute(f"ALTER TABLE fact ATTACH PARTITION {table} FOR VALUES IN ('{property}')")
    values = {"property": property, "facts": facts, "body": night(f"{property}/T0", 2)[1]}
    owner.execute(FILL, values)
    owner.execute(
        "INSERT INTO head SELECT property, position, chain, recorded_at FROM fact"
        " WHERE property = %s ORDER BY position DESC LIMIT 1",
        [property],
    )
    owner.execute(f"ANALYZE {table}")


def server_seconds(connection: Any) -> float:
    """Return the CPU seconds of the server's process of a connection."""
    fields = Path(f"/proc/{connection.info.backend_pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure(property: str, facts: int) -> tuple[float, float]:
    """Record and read facts of a property. Return the CPU microseconds of the server for each recorded and
    for each read fact.
    """
    from django.db import connection

    from audit.facts import check
    from audit.ledger import store
    from audit.ledger.intake import Sender, post_prepared

    prepared = [check(line) for line in night(f"{property}/NEW", NEW)]
    connection.ensure_connection()
    before = server_seconds(connection.connection)
    for batch in batches(prepared):
        post_prepared(batch, Sender("bench"))
    after = server_seconds(connection.connection)
    streams = facts // STREAM
    read = 0
    for number in range(READ):
        name = f"{property}/T{number * streams // READ}/2025-01-01"
        read += sum(len(page) for page in store.read_bodies(property, name))
    ended = server_seconds(connection.connection)
    return (after - before) / NEW * 1e6, (ended - after) / read * 1e6


def main(argv: list[str]) -> int:
    """Print the cost of a fact for each number of partitions."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.partitions", description=__doc__)
    parser.add_argument("--facts", type=int, default=1_200_000, help="facts of each property (default 1.2m)")
    parser.add_argument("--partitions", default="1,12,36,120", help="numbers of partitions")
    options = parser.parse_args(argv)
    with own_house():
        from django.db import connections

        connections["owner"].ensure_connection()
        owner = connections["owner"].connection
        owner.execute("ALTER TABLE fact DROP CONSTRAINT fact_property_uid_key")
        owner.execute("ALTER TABLE fact DROP CONSTRAINT fact_property_stream_number_key")
        figures = {}
        for partitions in map(int, options.partitions.split(",")):
            property = f"p{partitions}"
            make_property(owner, property, options.facts, partitions)
            recorded, read = measure(property, options.facts)
            print(
                f"{partitions:4} partitions: {recorded:6.1f} µs to record a fact in batches of {BATCH},"
                f" {read:5.2f} µs to read one"
            )
            figures[property] = [round(recorded, 1), round(read, 2)]
        print(json.dumps({"bench": "partitions", "facts": options.facts} | figures))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

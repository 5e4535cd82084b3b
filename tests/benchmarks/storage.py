"""How many bytes of disk a fact needs: `python -m tests.benchmarks.storage [--facts N]`.

The benchmark has its own embedded installation with days of one table, copied to many tables, with a fault in
every tenth hand. The facts are recorded and examined. Then Postgres is asked for the size of the database
tables.
"""

from __future__ import annotations

import argparse
import json
import sys

from tests.benchmarks.own import own_house
from tests.benchmarks.recorded_days import fill

FACT = "pg_partition_tree('fact')"


def main(argv: list[str]) -> int:
    """Print the bytes of each fact, with one JSON object as the last line."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.storage", description="Bytes of disk for each fact."
    )
    parser.add_argument("--facts", type=int, default=200_000)
    options = parser.parse_args(argv)
    with own_house():
        from audit import database

        ((empty,),) = database.rows("SELECT pg_database_size(current_database())")
        facts, _ = fill(options.facts)
        ((database_bytes, body, table, indexes),) = database.rows(
            f"""SELECT pg_database_size(current_database()),
                (SELECT sum(length(body)) FROM fact)::bigint,
                (SELECT sum(pg_table_size(relid)) FROM {FACT} WHERE isleaf)::bigint,
                (SELECT sum(pg_indexes_size(relid)) FROM {FACT} WHERE isleaf)::bigint"""
        )
        ((rounds,),) = database.rows("SELECT count(*) FROM round_tally")
    figures = {
        "bench": "storage",
        "facts": facts,
        "body": round(body / facts),
        "fact_table": round(table / facts),
        "fact_indexes": round(indexes / facts),
        "database": round((database_bytes - empty) / facts),
        "hands": rounds,
        "facts_per_hand": round(facts / rounds, 1),
    }
    print(f"{facts:,} facts in {rounds:,} hands, bytes a fact:")
    print(f"  body {figures['body']}, table {figures['fact_table']}, its indexes {figures['fact_indexes']}")
    print(
        f"  whole database, with findings and tallies, without what it had when empty: {figures['database']}"
    )
    print(json.dumps(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

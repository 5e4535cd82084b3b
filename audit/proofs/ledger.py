"""Prove the ledger: compute the tables of facts, heads and streams again from the bytes of the facts, and
compare the results with the stored rows.
"""

from __future__ import annotations

from collections.abc import Iterator

from audit.ledger import stored, verify
from audit.proofs import registry
from audit.proofs.registry import REPLAY, Fault, RowCount
from audit.tree.scan import blocks_of

TABLE_OF = {"head": "head", "stream": "stream"}
"""For each kind of fault that does not concern a fact: the table at fault."""
_WITH_PROPERTY = """SELECT c.relname::text FROM pg_catalog.pg_class c
    JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid
    WHERE c.relnamespace = 'public'::pg_catalog.regnamespace AND c.relkind = 'r' AND NOT c.relispartition
        AND a.attname = 'property' AND NOT a.attisdropped ORDER BY 1"""
_PROPERTIES = """WITH RECURSIVE one (property) AS (
        (SELECT property FROM public.{table} ORDER BY property LIMIT 1)
        UNION ALL
        SELECT (SELECT t.property FROM public.{table} t WHERE t.property > one.property
            ORDER BY t.property LIMIT 1)
        FROM one WHERE one.property IS NOT NULL)
    SELECT property FROM one WHERE property IS NOT NULL"""


def prove(count: RowCount) -> Iterator[Fault]:
    """Yield the faults of every property's ledger. Then yield a fault for each table that has rows of a
    property without facts.
    """
    yield from prove_facts(count)
    yield from _without_ledger()


def prove_facts(count: RowCount) -> Iterator[Fault]:
    """Yield the faults of every property's ledger."""
    since = {checkpoint.property: checkpoint.size for checkpoint in count.options.since}
    options = count.options
    for ledger in verify.ledgers(count.show, options.processes, since, blocks_of, options.ranges):
        if ledger.property not in since:
            count.blocks[ledger.property] = ledger.hashed
        count.add("fact", ledger.facts)
        count.add("stream", ledger.streams)
        count.add("head")
        for fault in ledger.faults:
            place = (
                fault.property if fault.position is None else f"{fault.property} position {fault.position}"
            )
            yield Fault(TABLE_OF.get(fault.kind, "fact"), place, fault.kind, fault.says)


def _without_ledger() -> Iterator[Fault]:
    """Yield a fault for each derived table that has rows of a property without facts."""
    properties = {stored.readable(name) for (name,) in stored.fetch("SELECT property FROM public.head", ())}
    derived = {line.table for line in registry.proofs() if line.how == REPLAY}
    for (name,) in stored.fetch(_WITH_PROPERTY, ()):
        table = name.decode()
        if table in derived:
            for (value,) in stored.fetch(_PROPERTIES.format(table=table), ()):
                if value and stored.readable(value) not in properties:
                    says = "has rows of this property, whose ledger does not exist or has no head"
                    yield Fault(table, str(stored.readable(value)), "unknown", says)

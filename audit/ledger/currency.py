"""SQL for the currency of the amounts of a fact."""

from __future__ import annotations


def currency_at(property: str, stream: str, number: str) -> str:
    """Return SQL for the currency of the fact with this number, or null if it has none.

    It is the currency in which the table was open at the fact. The property's own stream has no table: its
    facts about money (`audit.facts.money_kinds`) name their currency themselves.

    Args:
        property: SQL for the property.
        stream: SQL for the name of the stream.
        number: SQL for the number of the fact in the stream.
    """
    return f"""coalesce(
        (SELECT convert_from(o.body, 'UTF8')::json ->> 'currency' FROM fact o
            WHERE o.property = {property} AND o.stream = {stream} AND o.number <= {number}
                AND o.kind = 'table-opened'
                AND o.kind IN ('table-opened', 'dealer-seated', 'round-opened', 'corrected')
            ORDER BY o.number DESC LIMIT 1),
        (SELECT convert_from(m.body, 'UTF8')::json ->> 'currency' FROM fact m
            WHERE m.property = {property} AND m.stream = {stream} AND m.number = {number}))"""

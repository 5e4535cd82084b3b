"""Template tag: the position of the ledger that a page shows if it was read from the replica."""

from __future__ import annotations

from django import template

from casino.runtime.replica import ReplicaHead, head_read

register = template.Library()


@register.inclusion_tag("_replica_position.html")
def replica_position(property: str) -> dict[str, ReplicaHead | None]:
    """Show the position of a property's ledger in the snapshot of the replica. Show nothing if the page was
    read from the primary.
    """
    return {"shown": head_read(property)}

"""Read the saved views of the search over all hands. The latest fact about a view counts."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from audit import database
from audit.facts import decode
from audit.facts.installation_kinds import ViewSaved

MOST = 500
"""Maximum number of views of a property that are read."""


class SavedView(NamedTuple):
    """A saved view.

    Attributes:
        shared: True if everybody at the property who may see hands can see the view.
    """

    owner: str
    name: str
    query: str
    shared: bool
    at: datetime


def saved_views(property: str) -> list[SavedView]:
    """Return those views of a property that were not removed, by owner and name. Each view costs one index
    lookup, even if it was changed often.
    """
    views = [decode(bytes(body)) for (body,) in database.rows(_LATEST, {"property": property, "most": MOST})]
    return sorted(
        SavedView(view.by, view.name, view.query, view.shared, view.at)
        for view in views
        if isinstance(view, ViewSaved) and view.query is not None
    )


_LATEST = """WITH RECURSIVE v AS (
    (SELECT view_of(f.body) AS key, f.body FROM fact f
     WHERE f.property = %(property)s AND f.kind = 'view-saved'
     ORDER BY view_of(f.body), f.position DESC LIMIT 1)
    UNION ALL SELECT n.* FROM v, LATERAL (
        SELECT view_of(f.body) AS key, f.body FROM fact f
        WHERE f.property = %(property)s AND f.kind = 'view-saved' AND view_of(f.body) > v.key
        ORDER BY view_of(f.body), f.position DESC LIMIT 1) n
) SELECT body FROM v LIMIT %(most)s"""

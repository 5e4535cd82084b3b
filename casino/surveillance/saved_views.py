"""Save, change and remove saved views of the search over all hands. Each change is a fact."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import parse_qsl

from audit.queries.view_facts import saved_views
from casino.accounts.permissions import can, require
from casino.models import Person
from casino.presentation.errors import ActionRejected
from casino.surveillance import search_filters
from casino.surveillance.search_completion import query_of
from casino.surveillance.search_filters import FilterError
from casino.web.property_turn import in_turn
from casino.web.recording import property_fact, record

LETTERS = 50
"""Maximum length of the name of a saved view, in characters."""
VIEWS = 100
"""Maximum number of saved views of one person at a property."""


class View(NamedTuple):
    """A saved view on the page.

    Attributes:
        query: the parameters of its search.
        may_remove: True if the user may remove it.
    """

    owner: str
    name: str
    query: str
    shared: bool
    may_remove: bool


class Views(NamedTuple):
    """The user's own saved views, and the saved views that other users share."""

    own: list[View]
    shared: list[View]


def views_of(person: Person, property: str) -> Views:
    """Return the saved views that a person sees at a property."""
    every = saved_views(property)
    may_save = can(person, "save-view", property)
    own = [View(*view[:4], may_save) for view in every if view.owner == person.id]
    shared = [View(*view[:4], False) for view in every if view.shared and view.owner != person.id]
    return Views(own, shared)


def record_view(by: Person, property: str, name: str, query: str, shared: bool) -> str:
    """Record a saved view of the search. It replaces the person's earlier saved view with the same name.
    Return the parameters of its search. Raise ActionRejected or PermissionDenied.
    """
    require(by, "save-view", property)
    name = " ".join(name.split())
    if not name or len(name) > LETTERS or not name.isprintable():
        raise ActionRejected(f"Give the view a name of at most {LETTERS} characters.", "name")
    try:
        wanted = search_filters.read(property, dict(parse_qsl(query)))
    except FilterError as error:
        raise ActionRejected(f"{error.name}: {error}.", "query") from None
    if not wanted.given:
        raise ActionRejected("Set a filter or an order first, then save the view.", "query")
    parameters = query_of(wanted, wanted.given).partition("&")[2]
    with in_turn(property):
        own = [view.name for view in saved_views(property) if view.owner == by.id]
        if name not in own and len(own) >= VIEWS:
            raise ActionRejected(
                f"You have {VIEWS} saved views, which is the maximum. Remove a view first.", "name"
            )
        _record(by, property, name, parameters, shared)
    return parameters


def remove_view(by: Person, property: str, name: str) -> None:
    """Record that a person removed one of their own saved views. Raise ActionRejected or PermissionDenied."""
    require(by, "save-view", property)
    with in_turn(property):
        if not any((view.owner, view.name) == (by.id, name) for view in saved_views(property)):
            raise ActionRejected("You have no view with this name. Reload the page.", "name")
        _record(by, property, name, None, shared=False)


def _record(by: Person, property: str, name: str, query: str | None, shared: bool) -> None:
    fact = property_fact("view-saved", by, property, name=name, query=query, shared=shared)
    record(by, property, [fact])

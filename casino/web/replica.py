"""Let a view read the replica, and record who has just written something.

A view with the decorator `reads_replica` must read everything before it returns: the text of its page, or the
bytes of its file. It says which position of the ledger it shows (`name_position`).
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from typing import Any, TypeVar

from django.db import DatabaseError, InterfaceError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase

from audit import database
from casino.models import Person
from casino.reference.calendar import read_once
from casino.runtime import replica
from casino.runtime.operations import metrics

SAFE = ("GET", "HEAD", "OPTIONS", "TRACE")
READ_FROM, POSITION, CHAIN = "Catwalk-Read-From", "Catwalk-Position", "Catwalk-Chain"

View = TypeVar("View", bound=Callable[..., Any])
Response = TypeVar("Response", bound=HttpResponseBase)


def reads_replica(view: View) -> View:
    """Return a view that reads the replica if it may be used, otherwise the primary.

    The view is a function of a request, or a method of an API view. The user and the user's rights are read
    from the primary, before the view is called.
    """

    @wraps(view)
    def read(*args: Any, **named: Any) -> Any:
        request = next(value for value in args if hasattr(value, "method"))
        if request.method not in SAFE or not replica.is_configured():
            return view(*args, **named)
        person = request.user if isinstance(getattr(request, "user", None), Person) else None
        if person is not None:
            _ = person.roles
        used: list[str] = []

        def answer() -> Any:
            try:
                with read_once():
                    return view(*args, **named)
            except Http404:
                if database.reads_primary():
                    raise
                raise database.NeedsPrimary("the replica may not have it yet") from None

        response = replica.read(answer, person.pk if person is not None else "", count=used.append)
        _count(used)
        response[READ_FROM] = "replica" if used == [replica.USED] else "primary"
        return response

    return read  # type: ignore[return-value]


def _count(used: list[str]) -> None:
    for reason in used:
        metrics.read_from("primary" if reason else "replica", reason)


def name_position(response: Response, property: str) -> Response:
    """Add headers to a response that was read from the replica: the ledger position that it shows, and the
    chain at this position. A response that was read from the primary gets no headers. Return the response.
    """
    shown = replica.head_read(property)
    if shown is not None:
        response[POSITION], response[CHAIN] = str(shown.head.position), shown.head.chain
    return response


class RecordWrites:
    """Record in the database that a person has sent a change. This person's next pages are read from the
    replica only if it has the change. Devices are left out: they send many facts and read no reports.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.method not in SAFE and replica.is_configured() and (person := _person(request)):
            with suppress(DatabaseError, InterfaceError):  # the answer of a change that was made must arrive
                replica.record_write(person)
        return response


def _person(request: HttpRequest) -> str:
    """Return the staff ID of the person who sent the request, or an empty text for a device."""
    token = getattr(request, "token", None)
    if token is not None:
        return str(token.person_id or "")
    user: Any = getattr(request, "user", None)
    return str(user.pk) if user is not None and user.is_authenticated else ""

"""Signatures on our pages: each by that person's own password, at this moment. Who is logged in has given it already."""

from __future__ import annotations

from collections.abc import Mapping

from django.contrib.auth import authenticate
from django.http import HttpRequest

from casino.acts import NotAccepted
from casino.models import Person
from casino.permissions import may


def signs(request: HttpRequest, person_id: str, password: str) -> Person | None:
    """The person whose password this is, or None. Wrong ones count: five lock the name out at this address."""
    found = authenticate(request, username=person_id, password=password)
    return found if isinstance(found, Person) else None


def signed(request: HttpRequest, property: str, fields: Mapping[str, str], *, optional: frozenset[str] = frozenset()) -> dict[str, Person]:
    """Field of the form to the person who signed there; a field of `optional` that was left empty is not in it.

    `fields` names for each the act that its signer must have at the property. A field `x` holds the house id and `x_password` the
    password. Raises NotAccepted, naming the field, for a missing or wrong signature, one without the right, and one who signs twice.
    Rights come before passwords and every password is asked for at most once, so that a mistake costs nobody a lock-out.
    """
    typed = {name: request.POST.get(name, "").strip() for name in fields}
    if "\0" in "".join(typed.values()):
        raise NotAccepted("A house id has no such letter.", next(name for name, id in typed.items() if "\0" in id))
    for place, (name, id) in enumerate(typed.items()):
        if not id and name not in optional:
            raise NotAccepted(f"{words(name)}: a signature is missing. Type the house id and that person's own password.", name)
        if id and id in list(typed.values())[:place]:
            first = next(other for other, by in typed.items() if by == id)
            raise NotAccepted(f"{words(name)}: {id} has signed already ({words(first).lower()}). This takes another person.", name)
    return {name: _one(request, property, name, id, fields[name]) for name, id in typed.items() if id}


def _one(request: HttpRequest, property: str, name: str, id: str, act: str) -> Person:
    own = isinstance(request.user, Person) and id == request.user.pk
    person = request.user if own else signs(request, id, request.POST.get(f"{name}_password", ""))
    if not isinstance(person, Person):
        raise NotAccepted(f"{words(name)}: id and password do not fit.", name)
    if not may(person, act, property):
        raise NotAccepted(f"{words(name)}: {id} may not sign here ({act.replace('-', ' ')}).", name)
    return person


def words(name: str) -> str:
    """A field's name as it is read: `carried_by` is `Carried by`."""
    return name.replace("_", " ").capitalize()

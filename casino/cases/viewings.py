"""Record who views a case, on pages and by REST."""

from __future__ import annotations

from django.urls import reverse

from casino.accounts import view_log
from casino.cases import confidential, queries
from casino.models import Person


def record_viewing(person: Person, property: str, number: str) -> None:
    """Record that a person views a case. If the case is a suspicion, this is recorded where only compliance
    can read it.
    """
    if confidential.is_confidential(number):
        queries.record_viewing(person, property, number)
    else:
        address = reverse("case", args=[property, number])
        view_log.record_report(person, property, f"case {number}", address)

"""Decide who may see which case. A case can name the people who may see it. If it names nobody, everybody
with the right `see-case` sees it.

Only compliance sees a suspicion. Other people cannot tell that it exists: they get the same answer as for an
unknown number.
"""

from __future__ import annotations

from typing import Any

from django.http import Http404

from audit.review import case_fold
from audit.review.case_fold import Case
from casino.accounts.permissions import can, require
from casino.cases.confidential import is_confidential

SEE, WORK, ERASE = "see-case", "work-case", "erase-case"
SEE_SUSPICION, WORK_SUSPICION = "see-suspicion", "work-suspicion"
SEE_ALL = "see-views"
"""A right of internal audit and the regulator. A case can name the people who may see it. With this right, a
person may see also cases that do not name them.
"""


def case_for(person: Any, property: str, number: str) -> Case:
    """Return a case that the person may see. Raise PermissionDenied if the person does not have the right to
    see cases. Raise Http404 if the case does not exist, or if this person may not see it.
    """
    require(person, SEE, property)
    hidden = is_confidential(number)
    if hidden and not can(person, SEE_SUSPICION, property):
        raise Http404(number)
    case = case_fold.case_of(property, number, confidential=hidden)
    if case is None or not (hidden or may_see(person, property, case)):
        raise Http404(number)
    return case


def may_see(person: Any, property: str, case: Case) -> bool:
    """Return True if the person may see this case. If the case names people in `seen_by`, only these people,
    its owner, its opener and people with the right SEE_ALL may see it. All other cases are not restricted
    here.
    """
    named = {case.owner, case.opened_by, *case.seen_by}
    return not case.seen_by or person.pk in named or can(person, SEE_ALL, property)


def work_right(number: str) -> str:
    """Return the right that is needed to change a case."""
    return WORK_SUSPICION if is_confidential(number) else WORK


def may_work(person: Any, property: str, number: str) -> bool:
    """Return True if the person has the right to change the case with this number."""
    return can(person, work_right(number), property)

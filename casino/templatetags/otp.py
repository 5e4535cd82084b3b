"""Template tags for forms with one-time passwords. They tell whether a form must ask for a code, and whether
the user must still set up one-time passwords.
"""

from __future__ import annotations

from typing import Any

from django import template

from casino.accounts import otp
from casino.models import Person

register = template.Library()


@register.simple_tag(takes_context=True)
def codes_asked(context: Any) -> bool:
    """Return True if any user has set up one-time passwords. Forms must then ask for a code. The database is
    queried once per page.
    """
    request = context["request"]
    if not hasattr(request, "codes_asked"):
        request.codes_asked = otp.is_anyone_enrolled()
    return bool(request.codes_asked)


@register.simple_tag(takes_context=True)
def code_lacking(context: Any) -> str:
    """Return a text that lists the properties that require one-time passwords of this user. It is empty if no
    property does, or if the user has set them up.
    """
    person = context["request"].user
    return ", ".join(otp.properties_requiring_otp(person)) if isinstance(person, Person) else ""

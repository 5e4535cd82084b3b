"""What a form has to know of one-time passwords: whether to ask for a code, and whether who is logged in
lacks what is demanded.
"""

from __future__ import annotations

from typing import Any

from django import template

from casino.accounts import otp
from casino.models import Person

register = template.Library()


@register.simple_tag(takes_context=True)
def codes_asked(context: Any) -> bool:
    """Whether anybody who may sign could have a code to give; asked once a page, however many signatures it
    has.
    """
    request = context["request"]
    if not hasattr(request, "codes_asked"):
        request.codes_asked = otp.is_anyone_enrolled()
    return bool(request.codes_asked)


@register.simple_tag(takes_context=True)
def code_lacking(context: Any) -> str:
    """The properties that demand them of who is logged in, who has none; empty where there are none such."""
    person = context["request"].user
    return ", ".join(otp.properties_requiring_otp(person)) if isinstance(person, Person) else ""

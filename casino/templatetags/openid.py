"""Template tags for sign-in with OpenID Connect."""

from __future__ import annotations

from django import template
from django.conf import settings

from casino.accounts import openid

register = template.Library()


@register.simple_tag
def openid_name() -> str:
    """Return the name of the OpenID Connect provider, or an empty text if none is configured."""
    return settings.OPENID_NAME if openid.is_configured() else ""

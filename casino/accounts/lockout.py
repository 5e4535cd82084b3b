"""Count wrong passwords by staff ID and address (django-axes), without storing anything of the submitted
form.

A form may hold the passwords of five signers, of which only one is wrong. A wrong password is often right but
for one letter, or is right elsewhere. Rows of axes stay for a while and are part of every backup.
"""

from __future__ import annotations

from typing import Any

from axes.handlers.database import AxesDatabaseHandler
from django.http import HttpRequest, QueryDict


class FailedLoginCounter(AxesDatabaseHandler):  # type: ignore[misc]
    """The handler of axes that counts failed logins, with the submitted form hidden from it."""

    def user_login_failed(
        self, sender: Any, credentials: dict[str, Any], request: HttpRequest | None = None, **more: Any
    ) -> None:
        """Count one more wrong password of the user in `credentials`."""
        if request is None:
            super().user_login_failed(sender, credentials, request, **more)
            return
        asked, sent = request.GET, request.POST
        request.GET = request.POST = QueryDict()
        try:
            super().user_login_failed(sender, credentials, request, **more)
        finally:
            request.GET, request.POST = asked, sent

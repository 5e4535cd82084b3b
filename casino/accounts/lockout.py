"""Wrong passwords are counted by name and address (django-axes). Nothing of the form that held one is stored.

A form may hold the passwords of five signers of which one is wrong. A wrong one is often right but for a
letter, or right elsewhere. What axes stores stays for a while and goes into every backup.
"""

from __future__ import annotations

from typing import Any

from axes.handlers.database import AxesDatabaseHandler
from django.http import HttpRequest, QueryDict


class FailedLoginCounter(AxesDatabaseHandler):  # type: ignore[misc]
    """The counter of axes, which does not see the form."""

    def user_login_failed(
        self, sender: Any, credentials: dict[str, Any], request: HttpRequest | None = None, **more: Any
    ) -> None:
        """Count one more wrong password of the name in `credentials`."""
        if request is None:
            super().user_login_failed(sender, credentials, request, **more)
            return
        asked, sent = request.GET, request.POST
        request.GET = request.POST = QueryDict()
        try:
            super().user_login_failed(sender, credentials, request, **more)
        finally:
            request.GET, request.POST = asked, sent

"""Wrong passwords are counted, by name and address (django-axes); of the form that held one nothing is kept.

A form may hold the passwords of five signers and only one of them is wrong; and the wrong one is often right
but for a letter, or right elsewhere. What is counted is kept for a while, and goes into every backup.
"""

from __future__ import annotations

from typing import Any

from axes.handlers.database import AxesDatabaseHandler
from django.http import HttpRequest, QueryDict


class FailedLoginCounter(AxesDatabaseHandler):  # type: ignore[misc]
    """The counter of axes, which is shown no form."""

    def user_login_failed(
        self, sender: Any, credentials: dict[str, Any], request: HttpRequest | None = None, **more: Any
    ) -> None:
        """One more wrong password of the name in `credentials`."""
        if request is None:
            super().user_login_failed(sender, credentials, request, **more)
            return
        asked, sent = request.GET, request.POST
        request.GET = request.POST = QueryDict()
        try:
            super().user_login_failed(sender, credentials, request, **more)
        finally:
            request.GET, request.POST = asked, sent

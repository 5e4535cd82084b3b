"""A real mail server that stores the messages it accepts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes
from typing import Any

from aiosmtpd.controller import Controller

from tests.manage import free_port

LOST = "lost"
"""The server accepts the message, and its answer does not reach the sender."""


class MailBox:
    """The messages that a mail server has accepted. `refuse` has the error answers with which the server
    refuses the next messages, or LOST.
    """

    def __init__(self) -> None:
        self.messages: list[Any] = []
        self.refuse: list[str] = []

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        answer = self.refuse.pop(0) if self.refuse else ""
        if answer and answer != LOST:
            return answer
        self.messages.append((envelope.rcpt_tos, message_from_bytes(envelope.content)))
        if answer == LOST:
            server.transport.abort()
        return "250 accepted"


@contextmanager
def receiving_mail(settings: Any) -> Iterator[MailBox]:
    """Run a mail server during this block, to which Django sends all mail."""
    box = MailBox()
    port = free_port()
    server = Controller(box, hostname="127.0.0.1", port=port)
    server.start()
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", port
    settings.EMAIL_USE_TLS = settings.EMAIL_USE_SSL = False
    try:
        yield box
    finally:
        server.stop()

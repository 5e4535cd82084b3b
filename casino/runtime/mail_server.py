"""Send a message to the configured mail server, and return what the server answered."""

from __future__ import annotations

import smtplib

from django.conf import settings
from django.core.mail import EmailMessage, get_connection

ACCEPTED = 250
"""The SMTP code with which a mail server accepts a message."""


def send(message: EmailMessage) -> tuple[int, str]:
    """Send a message to its only recipient. Return the SMTP code and the text of the server's answer. The
    code is 0 if the server did not answer, or if none is configured.
    """
    if not settings.EMAIL_HOST:
        return 0, "No mail server is configured (CATWALK_MAIL_HOST)."
    try:
        get_connection().send_messages([message])
    except smtplib.SMTPRecipientsRefused as error:
        code, reason = next(iter(error.recipients.values()), (0, b""))
        return code, _decoded(reason)
    except smtplib.SMTPResponseException as error:
        return error.smtp_code, _decoded(error.smtp_error)
    except (OSError, smtplib.SMTPException) as error:
        return 0, f"{type(error).__name__}: {error}"
    return ACCEPTED, ""


def _decoded(text: bytes | str) -> str:
    return text.decode(errors="replace") if isinstance(text, bytes) else text

"""Send archived exports of schedules by mail: as an attachment with its manifest, or as a link if the file is
long.

A message that is sent again has the same Message-ID. If an earlier attempt may have reached the recipient,
the message says so, because mail that was sent cannot be replaced.
"""

from __future__ import annotations

from hashlib import sha256

from django.conf import settings
from django.core.mail import EmailMessage
from django.urls import reverse

from casino.checkpoints.destination_urls import Destination
from casino.exports import services
from casino.exports.archive import blobs
from casino.exports.archive.orders import ExportOrder
from casino.exports.manifest import SUFFIX
from casino.runtime import mail_server

NOT_LOGGED_IN = frozenset({530, 534, 535})
"""SMTP codes with which a server refuses the login of Catwalk. They say nothing about the message."""
ATTACHED_TYPE = "application/octet-stream"
"""The content type of attachments. If it were text, a mail program could change the ends of lines."""


class MailRefused(Exception):
    """The mail server refuses this message for good."""


def send(destination: Destination, order: ExportOrder, *, is_repeat: bool) -> None:
    """Send an export to a mail address.

    Args:
        is_repeat: True if an earlier attempt may have sent the message.

    Raises:
        ConnectionError: The server does not answer, or asks to try again later.
        MailRefused: The server refuses the message.
    """
    code, answer = mail_server.send(message_of(destination, order, is_repeat=is_repeat))
    if code == mail_server.ACCEPTED:
        return
    text = f"The mail server answered {code} {answer}" if code else answer
    if code >= 500 and code not in NOT_LOGGED_IN:
        raise MailRefused(text)
    raise ConnectionError(text)


def message_of(destination: Destination, order: ExportOrder, *, is_repeat: bool) -> EmailMessage:
    """Return the mail with which an export is delivered to an address."""
    name, spec = services.file_name(order), order.what
    subject = f"Catwalk {spec.property}: {services.title(order)}, {order.period}"
    message = EmailMessage(
        f"Repeated: {subject}" if is_repeat else subject,
        "\n".join(_lines(order, name, is_repeat)) + "\n",
        settings.DEFAULT_FROM_EMAIL,
        [destination.url.partition(":")[2]],
    )
    place = sha256(destination.name().encode()).hexdigest()[:16]
    message.extra_headers["Message-ID"] = f"<export-{order.id}-{order.sha256[:16]}-{place}@catwalk>"
    message.extra_headers["Auto-Submitted"] = "auto-generated"
    if is_attached(order):
        message.attach(name, b"".join(blobs.read(order.id)), ATTACHED_TYPE)
        message.attach(f"{name}{SUFFIX}", order.manifest.encode(), ATTACHED_TYPE)
    return message


def is_attached(order: ExportOrder) -> bool:
    """Return True if an export is short enough to be attached to a mail."""
    return order.length <= settings.MAIL_ATTACHMENT_BYTES


def _lines(order: ExportOrder, name: str, is_repeat: bool) -> list[str]:
    """Return the lines of a mail about an export."""
    period = f"{services.title(order)} of {order.what.property} for {order.period}"
    lines = [f"{period}, from the schedule “{order.schedule}”.", ""]
    if is_repeat:
        lines += ["An earlier attempt may have sent you this mail already. The file is the same.", ""]
    lines += [f"File: {name}", f"Length: {order.length} bytes", f"SHA-256: {order.sha256}", ""]
    page = f"{settings.PAGES_URL}{reverse('export', args=[order.id])}" if settings.PAGES_URL else ""
    if is_attached(order):
        lines.append("The file and its manifest are attached. verify_export.py checks them.")
    else:
        lines.append(
            f"The file is longer than {settings.MAIL_ATTACHMENT_BYTES} bytes and is not attached. Sign in to"
            " download it:"
        )
        lines.append(page or f"Catwalk, Exports, number {order.id}")
    return [*lines, "", "You get this mail because a report schedule delivers to this address."]

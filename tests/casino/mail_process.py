"""A mail server that a test kills. `python -m tests.casino.mail_process PORT FOLDER FILE` stores each
attachment in the folder under its name, and adds a line to the file for each message.
"""

from __future__ import annotations

import sys
import time
from email import message_from_bytes
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller


class Box:
    """Stores what the server accepts, before the server answers."""

    def __init__(self, folder: Path, messages: Path) -> None:
        self.folder, self.messages = folder, messages
        folder.mkdir(parents=True, exist_ok=True)

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        message = message_from_bytes(envelope.content)
        for part in message.walk():
            if name := part.get_filename():
                path = self.folder / f".part-{name}"
                path.write_bytes(part.get_payload(decode=True))  # type: ignore[arg-type]
                path.rename(self.folder / name)
        state = "repeated" if str(message["Subject"]).startswith("Repeated: ") else "first"
        with self.messages.open("a") as file:
            file.write(f"{message['Message-ID']} {state}\n")
        return "250 accepted"


if __name__ == "__main__":
    port, folder, messages = sys.argv[1:]
    Controller(Box(Path(folder), Path(messages)), hostname="127.0.0.1", port=int(port)).start()
    while True:
        time.sleep(60)

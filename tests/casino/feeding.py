"""Helpers for the tests of feeds and reports: run management commands in this process and read the ledger
afterwards.
"""

from __future__ import annotations

import io
import json
from contextlib import redirect_stderr
from pathlib import Path
from typing import Any, NamedTuple

from django.core.management import CommandError, call_command

from audit.findings import read
from audit.ledger import store

FEEDS = Path(__file__).resolve().parents[1] / "feeds"
CAPTURE = FEEDS / "andar_bahar_live_2023-03-27.json"
MESSAGES = FEEDS / "live_andarbahar_messages.jsonl"
LIVE = (
    "--profile",
    "live_andar_bahar",
    "--table",
    "aurora/228000",
    "--zone",
    "UTC",
    "--edition",
    "ezugi-bahar-first",
)


class Ran(NamedTuple):
    """Exit code and output of a command."""

    code: int
    out: str
    err: str

    @property
    def last(self) -> str:
        """Return the last line on stdout."""
        return self.out.splitlines()[-1]


def run(name: str, *args: Any) -> Ran:
    """Run a management command in this process."""
    out, err = io.StringIO(), io.StringIO()
    code = 0
    with redirect_stderr(err):
        try:
            call_command(name, *map(str, args), stdout=out)
        except CommandError as error:
            code = error.returncode
            err.write(str(error))
        except SystemExit as end:
            code = int(end.code or 0)
    return Ran(code, out.getvalue(), err.getvalue())


def counted(ran: Ran) -> tuple[int, int, int]:
    """Return the numbers of facts that were recorded, already recorded and refused. They are read from the
    last line of the output.
    """
    words = ran.last.replace(",", "").split()
    assert (
        ran.last
        == f"recorded {words[1]}, already recorded {words[4]}, refused {words[6]}, {words[7]} facts/s"
    )
    return int(words[1]), int(words[4]), int(words[6])


def facts_of(stream: str) -> list[dict[str, Any]]:
    """Return all facts of a stream in the ledger, in order."""
    return [json.loads(row.body) for row in store.read_stream(stream.split("/")[0], stream)]


def codes(stream: str | None = None) -> list[str]:
    """Return the codes of the findings of one stream, or of all streams."""
    return [finding.code for finding, _ in read.findings(stream=stream)]


def write_lines(path: Path, *lines: Any) -> Path:
    """Write a file of lines: strings unchanged, other values as JSON."""
    path.write_text("".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines))
    return path


def message(kind: str, round: int = 7, at: str = "2030-01-05 22:00:00:000", **fields: Any) -> dict[str, Any]:
    """Return a message as the vendor sends it whose messages are in `live_andarbahar_messages.jsonl`."""
    return {
        "MessageType": kind,
        "roundId": round,
        "timeStamp": at,
        "TableId": "228000",
        "gameType": "AndarBahar",
        **fields,
    }


def card(hand: str, name: Any, **other: Any) -> dict[str, Any]:
    """Return a message of the same vendor about a dealt card."""
    return message("Card", CardHand=hand, CardName=name, **other)

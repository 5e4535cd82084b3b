"""Ask a witness for its signature under a checkpoint, with the call `add-checkpoint` of
https://c2sp.org/tlog-witness. A witness remembers the latest checkpoint of a log. It signs a new checkpoint
only if the new one continues the latest one.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import NamedTuple
from urllib.parse import SplitResult

from audit.facts.input_parsing import whole
from audit.tree import notes
from audit.tree.notes import InvalidNote

SECONDS = 20
LONGEST = 65_536
"""Maximum number of bytes of an answer that are read."""
SIZE = "text/x.tlog.size"


class WitnessRefused(Exception):
    """A witness refuses to sign a checkpoint. The text of the error gives the reason."""


class Answer(NamedTuple):
    """An answer of a witness."""

    status: int
    type: str
    body: str


def cosign(url: SplitResult, note: str, size: int, old: int, prove: Callable[[int], list[bytes]]) -> str:
    """Return the lines of a witness's valid signatures under a checkpoint.

    Args:
        url: the URL prefix of the witness, with its vkey as the fragment.
        note: the signed checkpoint.
        size: the size of its tree.
        old: the size of the checkpoint that the witness signed last, or 0 if it is not known.
        prove: a function. Called with a smaller size, it returns the proof that the checkpoint continues the
            checkpoint of that size.

    Raises:
        WitnessRefused: the witness does not sign.
        ConnectionError: the witness does not answer, or its answer is an error.
        InvalidNote: the key in the URL is not valid.
    """
    key = notes.parse_vkey(url.fragment)
    answer = _add_checkpoint(url, note, old, prove)
    known = whole(answer.body.strip()) if answer.type == SIZE else None
    if answer.status == 409 and known is not None:
        if known > size:
            raise WitnessRefused(
                f"The witness has signed a checkpoint of {known} facts, this one has {size}: facts were"
                " removed, or an old backup was restored. Run manage.py verify with the newest checkpoint."
            )
        if known != old:
            answer = _add_checkpoint(url, note, known, prove)
    if answer.status == 409:
        raise WitnessRefused(
            "The witness has signed a different root for this size: the ledger was rewritten."
        )
    if answer.status == 422:
        raise WitnessRefused(
            "The witness's last checkpoint is not the beginning of this one: the ledger was rewritten."
        )
    if answer.status in (403, 404):
        raise WitnessRefused(
            f"The witness does not know this log or its key (status {answer.status}): give it the vkey that"
            " manage.py checkpoint_key list prints."
        )
    if answer.status != 200:
        raise ConnectionError(f"The witness answered with status {answer.status}.")
    return _valid_lines(note, answer.body, key)


def _valid_lines(note: str, body: str, key: notes.VerifierKey) -> str:
    """Return those lines of an answer that are valid signatures of the witness's key. Raise WitnessRefused if
    there are no valid signatures.
    """
    lines = []
    for line in body.splitlines():
        try:
            notes.signers(notes.parse(f"{note.rpartition(chr(10) * 2)[0]}\n\n{line}\n"), [key])
        except InvalidNote:
            continue
        lines.append(f"{line}\n")
    if not lines:
        raise WitnessRefused(f"The witness's answer has no valid signature of {key.name} ({key.id.hex()}).")
    return "".join(lines)


def _add_checkpoint(url: SplitResult, note: str, old: int, prove: Callable[[int], list[bytes]]) -> Answer:
    """Post a checkpoint to a witness, with the proof that it continues the checkpoint of size `old`. Return
    the answer. Raise ConnectionError if the witness does not answer.
    """
    proof = "".join(f"{b64encode(piece).decode()}\n" for piece in prove(old))
    body = f"old {old}\n{proof}\n{note}".encode()
    connect = HTTPSConnection if url.scheme == "https" else HTTPConnection
    connection = connect(url.hostname or "", url.port, timeout=SECONDS)
    try:
        connection.request("POST", f"{url.path.rstrip('/')}/add-checkpoint", body)
        response = connection.getresponse()
        text = response.read(LONGEST).decode(errors="replace")
        return Answer(response.status, response.headers.get_content_type(), text)
    except (OSError, HTTPException) as error:
        raise ConnectionError(f"The witness does not answer: {type(error).__name__}") from error
    finally:
        connection.close()

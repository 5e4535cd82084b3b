"""Errors of the embedded database and broker, explained for the person who has to fix them."""

from pathlib import Path

SAYS = (  # pattern in the output of Postgres, and the explanation to show; the first match is used
    (
        "No space left on device",
        (
            "The disk that holds {data} is full: make room, then run the command again; nothing recorded is"
            " lost."
        ),
    ),
    (
        "Disk quota exceeded",
        (
            "The disk quota for {data} is used up: make room, then run the command again; nothing recorded is"
            " lost."
        ),
    ),
    (
        "pre-existing shared memory block",
        (
            "Processes of a killed server still work in {data}: wait a moment, or end them, then run the"
            " command again."
        ),
    ),
    (
        "Read-only file system",
        "The folder {data} is on a read-only file system: set CATWALK_DATA to a folder that can be written.",
    ),
    (
        "Permission denied",
        "Postgres may not read or write {data} ({line}): give the folder back to the user who made it.",
    ),
    (
        "could not create any Unix-domain sockets",
        "Postgres could not make its socket for {data}: see {log} for the reason.",
    ),
    (
        "could not map anonymous shared memory",
        "There is too little memory for Postgres, which asks for 250 MB: free some memory, then run again.",
    ),
    (
        "Cannot allocate memory",
        "There is too little memory for Postgres, which asks for 250 MB: free some memory, then run again.",
    ),
)


class Trouble(Exception):
    """The embedded database or broker cannot be used. Its text is one sentence: what is wrong and
    what to do.
    """


def explained(output: str, data: Path, log: Path | None) -> Trouble:
    """Return a Trouble that explains the output of initdb or postgres."""
    telling = [
        line for line in output.splitlines() if "FATAL" in line or "PANIC" in line or "error" in line.lower()
    ]
    line = (telling or output.splitlines() or ["it printed nothing"])[-1].strip()
    for sign, says in SAYS:
        if sign in output:
            return Trouble(says.format(data=data, line=line, log=log))
    hint = f"; the complete output is in {log}" if log else ""
    return Trouble(f"Postgres did not start in {data}: {line}{hint}.")


def of_folder(error: OSError, data: Path) -> Trouble:
    """Return a Trouble that explains an error of the operating system about the folder `data`."""
    says = next((says for sign, says in SAYS if sign in str(error) and "{line}" not in says), None)
    if says:
        return Trouble(says.format(data=data, line=error, log=None))
    return Trouble(
        f"The folder {data} cannot be used ({error.strerror}): set CATWALK_DATA to a folder that you may"
        " write."
    )


def of_database(error: Exception, data: Path) -> str:
    """Return one sentence that explains why the database failed during a command."""
    message = " ".join(f"{error} {error.__cause__ or ''}".split())
    full = next((says for sign, says in SAYS[:2] if sign in message), None)
    return full.format(data=data) if full else f"The database failed: {' '.join(str(error).split())}"

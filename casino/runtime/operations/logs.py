"""Log configuration: one JSON object per line, without personal data.

    {"at": "2026-11-28T12:00:00.123Z", "level": "info", "from": "casino.request", "event": "answered",
     "request_id": "5b0c…", …}

More people can read a log than a ledger, and names in a log cannot be erased. So no line contains a name,
password, token, address, query or body, even if a library logs one. Only the fixed words and the numbers of a
library's message are logged. For an exception, the type and the code location are logged. Its text is not
logged, because the database quotes rows in it. The facts and the viewing log record who did what.
"""

from __future__ import annotations

import logging
import logging.config
import re
import sys
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Any

import msgspec

JSON, TEXT = "json", "text"
OURS = ("casino", "audit", "games")
HIDDEN = "…"
FRAMES = 12
"""Number of an error's innermost stack frames that are logged."""
_HOUSE = Path(__file__).resolve().parents[3]
_WORDS = re.compile(r"[^:=?@/\"'`{}\[\]()<>0-9]*")
"""Pattern of the fixed beginning of a message without arguments. It ends before the first character that may
introduce a variable part.
"""
_about: ContextVar[Mapping[str, str]] = ContextVar("about", default=MappingProxyType({}))


def settings_of(format: str, level: str) -> dict[str, Any]:
    """Return Django's setting LOGGING. The format `text` is Django's default format, for commands at a
    terminal.
    """
    if format == TEXT:
        return {}
    handler = {"class": "logging.StreamHandler", "formatter": "line"}
    through = {"handlers": [], "propagate": True}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": {"()": "casino.runtime.operations.logs.Line"}},
        "filters": {"failed": {"()": "casino.runtime.operations.logs.Failed"}},
        "handlers": {"stderr": handler},
        "root": {"handlers": ["stderr"], "level": level.upper()},
        "loggers": {
            **dict.fromkeys(("django", "django.server", "axes", "gunicorn.error"), through),
            # requests are logged by RequestLogMiddleware, the ends of tasks by casino/celery.py
            "django.request": through | {"filters": ["failed"]},
            **dict.fromkeys(
                ("celery.worker.strategy", "celery.app.trace", "celery.beat"), through | {"level": "WARNING"}
            ),
        },
    }


def start(lines: dict[str, Any]) -> None:
    """Apply this logging configuration to the process, and log Python's warnings too."""
    logging.config.dictConfig(lines)
    logging.captureWarnings(True)


@contextmanager
def about(**fields: str) -> Iterator[None]:
    """Add these fields to every line that is logged inside the `with` block."""
    before = _about.set({**_about.get(), **fields})
    try:
        yield
    finally:
        _about.reset(before)


def request_id() -> str:
    """Return the ID of the current request, or an empty text outside of requests."""
    return _about.get().get("request_id", "")


class Failed(logging.Filter):
    """A filter that passes only records with an exception."""

    def filter(self, record: logging.LogRecord) -> bool:
        return bool(record.exc_info)


class Line(logging.Formatter):
    """A formatter that writes a record as one line of JSON.

    `extra={"fields": {...}}` adds members. They must not contain personal data.
    """

    def format(self, record: logging.LogRecord) -> str:
        at = (
            datetime.fromtimestamp(record.created, UTC)
            .isoformat(timespec="milliseconds")
            .replace("+00:00", "Z")
        )
        line: dict[str, Any] = {
            "at": at,
            "level": record.levelname.lower(),
            "from": record.name,
            "event": event(record),
        }
        line |= {**_about.get(), **getattr(record, "fields", {})}
        if record.exc_info and record.exc_info[1] is not None:
            line |= {"error": kinds(record.exc_info[1]), "where": where(record.exc_info[2])}
        return msgspec.json.encode(line).decode()


def event(record: logging.LogRecord) -> str:
    """Return the message of a record. If the record does not come from Catwalk's own code, the variable texts
    in its message are hidden.
    """
    is_own = record.name.partition(".")[0] in OURS
    if record.name == "py.warnings":
        return "".join(re.findall(r": (\w+Warning): ", record.getMessage())[:1]) or "a warning"
    if not record.args:
        return str(record.msg) if is_own else "".join(_WORDS.findall(str(record.msg))[:1]).strip()
    try:
        message: str = str(record.msg) % _shown(record.args, is_own)
        return message
    except (TypeError, ValueError):  # the format needs a number, but the argument is hidden
        return str(record.msg)


def _shown(args: Any, is_own: bool) -> Any:
    if isinstance(args, Mapping):
        return {name: _one(value, is_own) for name, value in args.items()}
    return tuple(_one(value, is_own) for value in args) if isinstance(args, tuple) else _one(args, is_own)


def _one(value: Any, is_own: bool) -> Any:
    if isinstance(value, int | float):
        return value
    if isinstance(value, BaseException):
        return kinds(value)
    return value if is_own and isinstance(value, str) else HIDDEN


def kinds(error: BaseException | None) -> str:
    """Return the types of an error and its causes, such as `Http404 from DoesNotExist`."""
    names: list[str] = []
    while error is not None and len(names) < FRAMES:
        names.append(type(error).__name__)
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return " from ".join(names)


def where(trace: TracebackType | None) -> list[str]:
    """Return the file, line and function of the innermost stack frames. The innermost is last."""
    return [
        f"{_short(frame.filename)}:{frame.lineno} {frame.name}"
        for frame in traceback.extract_tb(trace)[-FRAMES:]
    ]


def _short(name: str) -> str:
    """Return the path of a file relative to the project or to the installed package."""
    for folder in (str(_HOUSE), *sorted(sys.path, key=len, reverse=True)):
        if folder and name.startswith(f"{folder}/") and "site-packages" not in name.removeprefix(folder):
            return name.removeprefix(f"{folder}/")
    return Path(name).name

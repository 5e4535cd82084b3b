"""Logs of the processes: one JSON object per line, without anything about a person.

    {"at": "2026-11-28T12:00:00.123Z", "level": "info", "from": "casino.request", "event": "answered",
    "request_id": "5b0c…", …}

More people read a log than a ledger, and names in it cannot be erased. So no line has a name, a password, a
token, an address, a query or a body in it, even if a library logs it: of a library's message only its fixed
words and numbers are kept; of an error its type and place, and not its text, in which the database quotes
rows. The facts and the viewing log record who did what.
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
from django.core.exceptions import ImproperlyConfigured

JSON, TEXT = "json", "text"
LEVELS = ("debug", "info", "warning", "error")
OURS = ("casino", "audit", "games")
HIDDEN = "…"
FRAMES = 12
"""The innermost of an error's frames that are shown."""
_HOUSE = Path(__file__).resolve().parents[3]
_WORDS = re.compile(r"[^:=?@/\"'`{}\[\]()<>0-9]*")
"""The beginning of a ready sentence up to where it may become particular."""
_about: ContextVar[Mapping[str, str]] = ContextVar("about", default=MappingProxyType({}))


def settings_of(how: str, level: str) -> dict[str, Any]:
    """Return LOGGING for the settings. `text` is Django's format at a terminal, for commands."""
    if how not in (JSON, TEXT):
        raise ImproperlyConfigured(f"CATWALK_LOG is {JSON} or {TEXT}, not {how}.")
    if level not in LEVELS:
        raise ImproperlyConfigured(f"CATWALK_LOG_LEVEL is one of {', '.join(LEVELS)}, not {level}.")
    if how == TEXT:
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
            # how a request was answered says RequestLogMiddleware, and how a task ended casino/celery.py
            "django.request": through | {"filters": ["failed"]},
            **dict.fromkeys(
                ("celery.worker.strategy", "celery.app.trace", "celery.beat"), through | {"level": "WARNING"}
            ),
        },
    }


def start(lines: dict[str, Any]) -> None:
    """Use this logging configuration in this process, also for Python's warnings."""
    logging.config.dictConfig(lines)
    logging.captureWarnings(True)


@contextmanager
def about(**fields: str) -> Iterator[None]:
    """Add these fields to every line that is logged within the context."""
    before = _about.set({**_about.get(), **fields})
    try:
        yield
    finally:
        _about.reset(before)


def request_id() -> str:
    """Return the id of the current request; empty outside of one."""
    return _about.get().get("request_id", "")


class Failed(logging.Filter):
    """A filter that passes only records of raised errors."""

    def filter(self, record: logging.LogRecord) -> bool:
        return bool(record.exc_info)


class Line(logging.Formatter):
    """A record as a line of JSON. `extra={"fields": {...}}` adds members; the caller must keep personal data
    out of them.
    """

    def format(self, record: logging.LogRecord) -> str:
        at = (
            datetime.fromtimestamp(record.created, UTC)
            .isoformat(timespec="milliseconds")
            .replace("+00:00", "Z")
        )
        said: dict[str, Any] = {
            "at": at,
            "level": record.levelname.lower(),
            "from": record.name,
            "event": event(record),
        }
        said |= {**_about.get(), **getattr(record, "fields", {})}
        if record.exc_info and record.exc_info[1] is not None:
            said |= {"error": kinds(record.exc_info[1]), "where": where(record.exc_info[2])}
        return msgspec.json.encode(said).decode()


def event(record: logging.LogRecord) -> str:
    """Return the message of a record without its variable parts; our own loggers may show texts."""
    ours = record.name.partition(".")[0] in OURS
    if record.name == "py.warnings":
        return "".join(re.findall(r": (\w+Warning): ", record.getMessage())[:1]) or "a warning"
    if not record.args:
        return str(record.msg) if ours else "".join(_WORDS.findall(str(record.msg))[:1]).strip()
    try:
        said: str = str(record.msg) % _shown(record.args, ours)
        return said
    except (TypeError, ValueError):  # a number was asked for where something is hidden
        return str(record.msg)


def _shown(args: Any, ours: bool) -> Any:
    if isinstance(args, Mapping):
        return {name: _one(value, ours) for name, value in args.items()}
    return tuple(_one(value, ours) for value in args) if isinstance(args, tuple) else _one(args, ours)


def _one(value: Any, ours: bool) -> Any:
    if isinstance(value, int | float):
        return value
    if isinstance(value, BaseException):
        return kinds(value)
    return value if ours and isinstance(value, str) else HIDDEN


def kinds(error: BaseException | None) -> str:
    """Return the type of an error and of its causes: `Http404 from DoesNotExist`."""
    names: list[str] = []
    while error is not None and len(names) < FRAMES:
        names.append(type(error).__name__)
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return " from ".join(names)


def where(trace: TracebackType | None) -> list[str]:
    """Return file, line and function of the innermost frames, the innermost last."""
    return [
        f"{_short(frame.filename)}:{frame.lineno} {frame.name}"
        for frame in traceback.extract_tb(trace)[-FRAMES:]
    ]


def _short(name: str) -> str:
    """Return a file's path relative to the project or its package."""
    for folder in (str(_HOUSE), *sorted(sys.path, key=len, reverse=True)):
        if folder and name.startswith(f"{folder}/") and "site-packages" not in name.removeprefix(folder):
            return name.removeprefix(f"{folder}/")
    return Path(name).name

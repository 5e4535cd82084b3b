"""Read the environment variables of `casino/runtime/variables.py` when a process starts.

A value with the wrong type or out of bounds is refused. A variable is also refused if its name begins with
CATWALK_ but Catwalk has no variable of this name.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any, Literal, NoReturn, get_args, get_origin, get_type_hints

from django.core.exceptions import ImproperlyConfigured
from msgspec import Meta, ValidationError, convert
from msgspec.structs import fields

from audit.facts.input_parsing import whole
from casino.runtime import env
from casino.runtime.variables import Environment
from casino.runtime.weak_secrets import check_url, is_weak

PREFIX = "CATWALK_"
OF_TESTS = frozenset({"CATWALK_COUNTS", "CATWALK_EXAMPLES"})
"""Variables of the test suite, in addition to those that begin with CATWALK_TEST_. Catwalk itself does not
read them.
"""

_HINTS = get_type_hints(Environment, include_extras=True)
_SWITCH = {"1": True, "0": False}


def read(environ: Mapping[str, str] = os.environ) -> Environment:
    """Parse the environment variables.

    Raise ImproperlyConfigured, which names the first invalid variable and the values that are allowed.
    """
    _refuse_unknown(environ)
    values = {}
    for field in fields(Environment):
        name = field.encode_name
        text, hint = environ.get(name, "").strip(), _HINTS[field.name]
        if text or (name in environ and _extra(hint)["may_be_empty"]):
            values[name] = _parse(name, text, hint)
    environment = convert(values, Environment)
    _refuse_every_host(environment)
    if bool(environment.database_url) != bool(environment.database_owner_url):
        raise ImproperlyConfigured(
            "Set DATABASE_URL and DATABASE_OWNER_URL together, or neither for the embedded database."
        )
    if environment.replica_url and not environment.database_url:
        raise ImproperlyConfigured(
            "DATABASE_REPLICA_URL needs DATABASE_URL: the embedded database has no replica."
        )
    if environment.database_url:
        databases(environment)
    _refuse_partial_openid(environment)
    return environment


def or_exit(*, serves: bool = False) -> Environment:
    """Parse the environment variables. If one is invalid, print the error on stderr and end the process.

    Args:
        serves: True in the web server, which also refuses former keys that are easy to guess.
    """
    try:
        environment = read()
        if serves:
            _refuse_weak_old_keys(environment)
    except ImproperlyConfigured as error:
        leave(error)
    return environment


def leave(error: ImproperlyConfigured) -> NoReturn:
    """End this process because of an invalid variable. Print the error on stderr without a traceback, and
    exit with code 1.
    """
    sys.exit(" ".join(str(error).split()))


def _refuse_unknown(environ: Mapping[str, str]) -> None:
    known = {field.encode_name for field in fields(Environment)}
    for name in sorted(environ):
        if name.startswith(PREFIX) and name not in known | OF_TESTS and not name.startswith("CATWALK_TEST_"):
            nearest = get_close_matches(name, known, 1, cutoff=0.0)[0]
            raise ImproperlyConfigured(
                f"{name} is not a variable of Catwalk. Remove it, or correct its name, for example to"
                f" {nearest}."
            )


def _refuse_every_host(environment: Environment) -> None:
    if "*" in environment.hosts and not environment.debug:
        raise ImproperlyConfigured(
            "CATWALK_HOSTS must not contain *, which means every host name: list the host names of the pages,"
            " separated by commas."
        )


def _refuse_partial_openid(environment: Environment) -> None:
    if bool(environment.openid_issuer) != bool(environment.openid_client):
        raise ImproperlyConfigured(
            "Set CATWALK_OPENID_ISSUER and CATWALK_OPENID_CLIENT together, or neither for sign-in with"
            " passwords only."
        )
    if environment.openid_create and not environment.openid_claim:
        raise ImproperlyConfigured(
            "CATWALK_OPENID_CREATE needs CATWALK_OPENID_CLAIM, the claim that has the staff ID."
        )


def _refuse_weak_old_keys(environment: Environment) -> None:
    if any(map(is_weak, environment.old_keys)):
        raise ImproperlyConfigured(
            "CATWALK_OLD_KEYS contains a key that is short or well known. The web server does not start with"
            " such a key. Run manage.py anchor --new-key, then remove the key from CATWALK_OLD_KEYS."
        )


def _parse(name: str, text: str, hint: Any) -> Any:
    """Return the value of one variable, converted to its type. Raise ImproperlyConfigured if it is
    invalid.
    """
    kind, extra = _kind(hint), _extra(hint)
    value: Any = text
    if kind is bool:
        value = _SWITCH.get(text)
    elif kind is int:
        value = whole(text)
    elif get_origin(kind) is list:
        value = [part for part in (part.strip() for part in text.split(",")) if part]
    try:
        if value is None:
            raise ValidationError
        for part in (value if isinstance(value, list) else [value]) if extra["check"] else ():
            extra["check"](part)
        return convert(value, hint)
    except (ValidationError, ValueError):
        shown = "" if extra["secret"] else f", not {text[:100]}"
        raise ImproperlyConfigured(f"{name} must be {_expected(hint)}{shown}.") from None


def _kind(hint: Any) -> Any:
    """Return the type of a variable, without annotations and without None."""
    kind = get_args(hint)[0]
    return (
        next((part for part in get_args(kind) if part is not type(None)), kind) if _optional(kind) else kind
    )


def _optional(kind: Any) -> bool:
    return type(None) in get_args(kind)


def _extra(hint: Any) -> dict[str, Any]:
    return next(meta.extra for meta in hint.__metadata__ if meta.extra is not None)


def _bounds(hint: Any) -> Meta:
    """Return the smallest and the largest value that a variable may have, if it is a whole number."""
    bounds: Meta = next(meta for meta in hint.__metadata__ if meta.ge is not None)
    return bounds


def _expected(hint: Any) -> str:
    """Return a description of the values that a variable may have, for an error message."""
    kind = _kind(hint)
    if kind is bool:
        return "1 or 0"
    if kind is int:
        bounds = _bounds(hint)
        unit = _extra(hint)["unit"]
        return f"a whole number{f' of {unit}' if unit else ''} from {bounds.ge} to {bounds.le}"
    if get_origin(kind) is Literal:
        *first, last = get_args(kind)
        return f"{', '.join(first)} or {last}"
    return str(_extra(hint)["expected"] or "a text")


def databases(environment: Environment) -> dict[str, Any]:
    """Return DATABASES for an external Postgres. Raise ImproperlyConfigured."""
    databases = {
        "default": env.from_url(environment.database_url, "DATABASE_URL"),
        "owner": env.from_url(environment.database_owner_url, "DATABASE_OWNER_URL"),
    }
    urls = {"DATABASE_URL": environment.database_url, "DATABASE_OWNER_URL": environment.database_owner_url}
    if environment.replica_url:
        urls["DATABASE_REPLICA_URL"] = environment.replica_url
        databases["replica"] = env.replica(environment.replica_url)
    for variable, url in urls.items():
        if is_weak(url, check_url):
            raise ImproperlyConfigured(
                f"The password in {variable} is well known. Give the role another password (ALTER ROLE …"
                f" PASSWORD …), and change it in {variable} too."
            )
    return databases


def names() -> list[str]:
    """Return the names of all variables in the order of the table."""
    return [field.encode_name for field in fields(Environment)]


def table() -> Iterator[str]:
    """Yield the lines of the table in docs/operations.md."""
    yield "| variable | default | allowed | what it is |"
    yield "|---|---|---|---|"
    for field in fields(Environment):
        hint = _HINTS[field.name]
        meaning = next(meta.description for meta in hint.__metadata__ if meta.description)
        yield f"| `{field.encode_name}` | {_default(field, hint)} | {_allowed(hint)} | {meaning} |"


def _default(field: Any, hint: Any) -> str:
    if shown := _extra(hint)["unset"]:
        return str(shown)
    value = field.default_factory() if callable(field.default_factory) else field.default
    if value in (None, ""):
        return "(unset)"
    if isinstance(value, bool):
        return f"`{int(value)}`"
    return f"`{','.join(value) if isinstance(value, list) else value}`"


def _allowed(hint: Any) -> str:
    """Return the bounds or choices of a variable, for the table in docs/operations.md. Return an empty text
    if the value of the variable is a text or a list.
    """
    kind = _kind(hint)
    if kind is bool:
        return "`1`, `0`"
    if kind is int:
        bounds = _bounds(hint)
        return f"{bounds.ge} to {bounds.le}"
    return ", ".join(f"`{choice}`" for choice in get_args(kind)) if get_origin(kind) is Literal else ""

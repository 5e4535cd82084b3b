"""Print every name that others rely on, one a line: `python -m tests.contracts > tests/golden/contracts.txt`.

A name in the list never changes, not even in one byte. To add a new name, print the list again.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import django
from django.core.management import get_commands, load_command_class
from django.urls import URLPattern, URLResolver, get_resolver

ROOT = Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests" / "golden" / "contracts.txt"
OURS = ("audit", "casino")


def facts() -> Iterator[str]:
    """Yield each kind of fact with its fields, each finding code with its grade, and each refusal's
    reason.
    """
    from audit.facts import KINDS
    from audit.facts.refusal_codes import REFUSALS
    from games import GAMES
    from games.kit.codes import GRADE

    for kind, shape in KINDS.items():
        yield f"fact {kind}"
        yield from (f"fact {kind} {field}" for field in shape.__struct_encode_fields__)
    yield from (f"finding {code} {grade}" for code, grade in GRADE.items())
    yield from (f"refusal {code}" for code in REFUSALS)
    yield from (f"game {game}" for game in GAMES)


def commands() -> Iterator[str]:
    """Yield each command with its options."""
    for name, app in get_commands().items():
        if app in OURS:
            parser = load_command_class(app, name).create_parser("manage.py", name)
            yield f"command {name}"
            for action in parser._actions:
                yield from (f"command {name} {option}" for option in action.option_strings or [action.dest])


def urls() -> Iterator[str]:
    """Yield each URL of a page or of the REST API with its name. URLs of the admin are listed by model."""

    def walk(resolver: URLResolver, prefix: str) -> Iterator[str]:
        for pattern in resolver.url_patterns:
            # The digits of a uid may be in either case: a converter of our own does not change the address.
            path = prefix + str(pattern.pattern).replace("<uid:", "<uuid:")
            if isinstance(pattern, URLPattern):
                yield f"url /{path} {pattern.name or ''}".rstrip()
            else:
                yield from walk(pattern, path)

    yield from walk(get_resolver(), "")


def keys(schema: Any) -> Iterator[str]:
    """Yield each key of the objects in a JSON Schema."""
    if isinstance(schema, dict):
        for name, value in schema.items():
            if name == "properties" and isinstance(value, dict):
                yield from value
            if name not in ("example", "examples"):
                yield from keys(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from keys(value)


def api() -> Iterator[str]:
    """Yield each operation of the REST API with its parameters and the keys of its requests and responses."""
    from drf_spectacular.generators import SchemaGenerator

    document = SchemaGenerator().get_schema(request=None, public=True)
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            name = f"api {method.upper()} {path}"
            yield name
            yield from (
                f"{name} ?{parameter['name']}"
                for parameter in operation.get("parameters", ())
                if parameter["in"] == "query"
            )
            yield from (f"{name} {key}" for key in set(keys(operation)))


def reports() -> Iterator[str]:
    """Yield each report, each dataset with its columns, and each format."""
    from casino.exports import datasets
    from casino.exports.formats.registry import ARCHIVED, FORMATS
    from casino.reports import catalog

    yield from (f"report {name} by {by}" for name in catalog.names() for by in ("", *catalog.report(name).BY))
    yield from (f"dataset {name}" for name in datasets.names())
    yield from (f"format {name}" for name in {*FORMATS, *ARCHIVED})


def rights() -> Iterator[str]:
    """Yield each role with its rights, and each scope of a token."""
    from casino.accounts.permissions import RIGHTS
    from casino.accounts.scopes import SCOPES

    yield from (f"role {role} {act}" for role, acts in RIGHTS.items() for act in ("", *acts))
    yield from (f"scope {scope}" for scope in SCOPES)


def tables() -> Iterator[str]:
    """Yield each database table of a model with its columns. Also yield each environment variable, and each
    setting that Catwalk defines.
    """
    from django.apps import apps
    from django.conf import settings

    from casino.runtime import environment

    for label in OURS:
        for model in apps.get_app_config(label).get_models():
            yield from (
                f"table {model._meta.db_table}.{field.column}" for field in model._meta.concrete_fields
            )
    own = (name for name in dir(settings) if name.startswith("CATWALK_"))
    yield from (f"variable {name}" for name in (*environment.names(), *own))


def contracts() -> list[str]:
    """Return all names in alphabetical order, each of them once."""
    every = (facts, commands, urls, api, reports, rights, tables)
    return sorted({line.rstrip() for part in every for line in part()})


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
    django.setup()
    print("\n".join(contracts()))

"""The fingerprint of the code that makes an export: of our modules, Python, and the libraries that write."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib.metadata import version
from platform import python_version
from typing import Any

from audit.findings import as_of
from audit.source_closure import closure, fingerprint
from casino.exports import datasets, manifest
from casino.exports.formats import registry
from casino.reference import projection
from casino.reports import catalog

LIBRARIES = ("msgspec", "psycopg", "pyarrow", "tzdata", "xlsxwriter")
"""Libraries that write the bytes: another version may write the same rows otherwise."""
MAKES_IT = "casino.exports.archive.build"
"""The module that puts an export together. What else it imports, such as rights and jobs, writes no byte."""
SHARED = tuple(module.__name__ for module in (as_of, catalog, datasets, manifest, projection, registry))
"""Modules that make every export, in addition to its own report or dataset."""


@cache
def code_of(name: str) -> str:
    """Return the fingerprint of the code that makes exports of this report or dataset.

    Raises LookupError if there is neither.
    """
    digest = sha256(f"Python {python_version()}\0".encode())
    for library in LIBRARIES:
        digest.update(f"{library} {version(library)}\0".encode())
    digest.update(fingerprint(modules_of(name)).encode())
    return digest.hexdigest()


def modules_of(name: str) -> list[str]:
    """Return the names of our modules that make exports of this report or dataset."""
    defined: Any = datasets.get(name) if name in datasets.names() else catalog.report(name)
    return sorted({*closure([defined.__name__, *SHARED]), MAKES_IT})

"""The fingerprint of the code that builds an export: Catwalk's modules, Python, and the libraries that write
the file.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib.metadata import version
from platform import python_version
from typing import Any

from audit.findings import as_of
from audit.source_closure import closure, fingerprint
from casino.cases import evidence_zip, packs
from casino.exports import datasets, manifest
from casino.exports.archive import days
from casino.exports.formats import registry
from casino.reference import projection
from casino.reports import catalog

LIBRARIES = ("fpdf2", "msgspec", "psycopg", "pyarrow", "tzdata", "xlsxwriter")
"""Libraries that write the bytes of files. Another version of a library may write other bytes for the same
rows.
"""
MAKES_IT = "casino.exports.archive.build"
"""The module that builds an export. Only some of its imports affect the bytes; others, such as permissions
and jobs, do not.
"""
SHARED = tuple(module.__name__ for module in (as_of, catalog, datasets, days, manifest, projection, registry))
"""Modules on which every export depends, in addition to its own report or dataset."""


@cache
def code_of(name: str) -> str:
    """Return the fingerprint of the code that builds exports of this report or dataset. Raise LookupError if
    there is no report or dataset with this name.
    """
    digest = sha256(f"Python {python_version()}\0".encode())
    for library in LIBRARIES:
        digest.update(f"{library} {version(library)}\0".encode())
    digest.update(fingerprint(modules_of(name)).encode())
    return digest.hexdigest()


def modules_of(name: str) -> list[str]:
    """Return the names of Catwalk's modules that build exports of this report or dataset."""
    if name in packs.ACTS:
        return sorted({*closure([evidence_zip.__name__, *SHARED]), MAKES_IT})
    defined: Any = datasets.get(name) if name in datasets.names() else catalog.report(name)
    return sorted({*closure([defined.__name__, *SHARED]), MAKES_IT})

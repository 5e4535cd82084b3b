"""Import profiles. Every module in this package is a profile, so there is no list to edit.

A profile is a module with three attributes:

- `STRICT`: if True, one line that cannot be recorded refuses the whole file. If False, the other lines are
  recorded.
- `TAKES`: the names of the options of import_facts that the profile supports. Any other option is a usage
  error.
- `read(file, options)`: a function that yields the items of a seekable file: facts as JSON, refusals and
  notes.

A profile states what its source reports (`sees`), independent of the contents of a file. It records
contradictions within a message in the field `contradicts` of the fact, and text that it cannot interpret in
`raw_text`. It derives the uid of a fact from the provider's own identity of the message.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules
from typing import IO, Protocol, cast

from casino.importing import ImportOptions, Item


class Profile(Protocol):
    """The attributes that the module of an import profile defines."""

    STRICT: bool
    TAKES: frozenset[str]

    def read(self, file: IO[bytes], options: ImportOptions) -> Iterator[Item]:
        """Yield the items of a file, in the order of the file."""


def names() -> list[str]:
    """Return the names of all profiles."""
    return sorted(module.name for module in iter_modules(__path__))


def profile(name: str) -> Profile:
    """Return the profile with this name. Raise LookupError if there is no such profile."""
    if name not in names():
        raise LookupError(name)
    return cast(Profile, import_module(f"{__name__}.{name}"))

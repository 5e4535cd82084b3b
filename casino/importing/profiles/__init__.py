"""Import profiles, one file each, found by name: there is no list to edit.

A profile is a module with
`STRICT`  True: one line that cannot be recorded refuses the whole file; False: the rest goes in;
`TAKES`   the options of import_facts that it understands, by name; another is misuse;
`read(file, told)`  the items of a file that can be sought in: facts as JSON, refusals and notes.

A profile says what its source reports (`sees`), whatever a file holds; it keeps what a message says twice and
differently in the field
`contradicts` of the fact, what it cannot name in `raw_text`, and makes the uid of the provider's own identity
of the message.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules
from typing import IO, Protocol, cast

from casino.importing import Item, Told


class Profile(Protocol):
    """What a profile's module has."""

    STRICT: bool
    TAKES: frozenset[str]

    def read(self, file: IO[bytes], told: Told) -> Iterator[Item]:
        """The items of a file, in its order."""


def names() -> list[str]:
    """Every profile there is."""
    return sorted(module.name for module in iter_modules(__path__))


def profile(name: str) -> Profile:
    """The profile of that name. Raises LookupError when there is none."""
    if name not in names():
        raise LookupError(name)
    return cast(Profile, import_module(f"{__name__}.{name}"))

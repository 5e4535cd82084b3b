"""Read a checkpoint that was kept outside the database, and the tiles that were copied with it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from urllib.parse import unquote

from audit.facts.input_parsing import whole
from audit.tree import checkpoints, notes
from audit.tree.checkpoints import Key
from audit.tree.evidence import Outside
from audit.tree.hashes import TILE_WIDTH
from audit.tree.layout import Tile
from audit.tree.notes import InvalidNote, VerifierKey

NAME = "checkpoint"
"""The name of the file with the latest checkpoint in the folder of a copy."""


class NotFromOutside(Exception):
    """A file is not a checkpoint of any ledger in this database. The text of the exception is shown
    to users.
    """


def read(path: Path, vkeys: Sequence[VerifierKey], ledgers: Sequence[str]) -> Outside:
    """Return the checkpoint in a file, or the latest checkpoint in the folder of a copy. Raise NotFromOutside
    if there is no valid checkpoint of a ledger in this database.

    Args:
        path: the file or folder.
        vkeys: the keys that may have signed it. If there are no keys, the keys in the database are used.
        ledgers: the properties that have a ledger.
    """
    file = path / NAME if path.is_dir() else path
    try:
        content = file.read_bytes().decode()
    except (OSError, UnicodeDecodeError) as error:
        raise NotFromOutside(f"{file} cannot be read: {error}") from None
    known = checkpoints.all_keys()
    try:
        note = notes.parse(content)
        notes.signers(note, vkeys or [key.verifier() for key in known])
        stated = notes.read_checkpoint(note)
    except InvalidNote as error:
        raise NotFromOutside(f"{file}: {error}") from None
    property = property_of(stated.origin, known)
    if property not in ledgers:
        raise NotFromOutside(f"{file} describes the ledger {stated.origin}, which is not in this database.")
    folder = next(
        (candidate for candidate in (file.parent, file.parent.parent) if (candidate / "tile").is_dir()), None
    )
    fetch = None if folder is None else _Folder(folder).fetch
    return Outside(property, stated.size, stated.root, f"{file.name} of {stated.origin}", fetch)


def property_of(origin: str, known: Sequence[Key]) -> str:
    """Return the property whose ledger a checkpoint with this origin describes.

    Args:
        known: the keys in the database.
    """
    named = next((key.property for key in known if key.name == origin), None)
    return unquote(origin.rpartition("/")[2]) if named is None else named


class _Folder:
    """The tiles in the folder of a copy."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def fetch(self, level: int, index: int) -> bytes:
        """Return the hashes of a tile. If the folder has no full tile, return the hashes of its longest
        partial tile.
        """
        full = self._root / Tile(level, index, TILE_WIDTH).path
        partial = full.with_name(f"{full.name}.p")
        widths = {width: tile for tile in partial.glob("*") if (width := whole(tile.name)) is not None}
        for file in (full, *(widths[width] for width in sorted(widths, reverse=True))):
            if file.is_file():
                return file.read_bytes()
        return b""

"""What can leave the house besides reports, one file each, found by name: there is no list to edit.

A source is a list in a total order. Its module has `TITLE`, `COLUMNS`, `KEY` (the names of the columns that
order it: what a cursor holds), `FILTERS` (what it can be asked by), `ACT` (what its reader must be allowed)
and `query(asked)`, whose columns are written as they leave the house; or, where SQL cannot say it,
`rows(asked)`. Either serves a page by REST, the command and every format of a file. A list whose amounts are
exact minor units by contract also has `FILE_COLUMNS` and `file_query(asked)`: in a file amounts are decimals
of a currency.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Literal, Protocol, cast

from audit.queries.list_filters import Asked, Query
from casino.reports.columns import Column, Row, Sheet, Type

__all__ = ["Asked", "Query", "Source", "columns", "names", "rows", "sheet", "source", "written"]


class Source(Protocol):
    """What a source's module has, besides `query(asked) -> Query` or `rows(asked) -> Iterable[Row]`;
    `RECORDED` as in a Sheet, if any.
    """

    TITLE: str
    COLUMNS: tuple[Column, ...]
    KEY: tuple[str, ...]
    FILTERS: tuple[str, ...]
    """Of `from to property table game kind code grade slip`."""
    ACT: str
    MADE_OF: Literal["ledger", "verdicts", "fold"]
    """`ledger`: facts alone, so that it is the same for ever at a position. `verdicts`: what follows these.
    `fold`: what replay yields.
    """
    EXAMPLE: dict[str, Any]
    """A row, by the keys of its columns."""


def names() -> list[str]:
    """Every source there is, as it is called on the command line."""
    return sorted(module.name.replace("_", "-") for module in iter_modules(__path__))


def source(name: str) -> Source:
    """The source of that name. Raises LookupError when there is none."""
    if name not in names():
        raise LookupError(name)
    return cast(Source, import_module(f"{__name__}.{name.replace('-', '_')}"))


def rows(of: Source, asked: Asked) -> Iterable[Row]:
    """Its rows, read as they are taken; a limited number of them in one answer."""
    if (told := getattr(of, "rows", None)) is not None:
        return cast(Iterable[Row], told(asked))
    query: Query = of.query(asked)  # type: ignore[attr-defined]
    return query.rows() if asked.limit is None else query.at_once()


def sheet(name: str, asked: Asked) -> Sheet:
    """A sheet of a source for every format; with its query where its rows are just those of it, so that a
    format may copy them.

    Raises LookupError where there is no such source.
    """
    of = source(name)
    if (file_query := getattr(of, "file_query", None)) is not None:
        asked_of: Query = file_query(asked)
        return Sheet(of.TITLE, of.FILE_COLUMNS, asked_of.rows(), query=asked_of)  # type: ignore[attr-defined]
    copied = None if hasattr(of, "rows") else of.query(asked)  # type: ignore[attr-defined]
    return Sheet(of.TITLE, of.COLUMNS, rows(of, asked), query=copied, recorded=getattr(of, "RECORDED", ""))


def columns(names: Sequence[str], **types: Sequence[str]) -> tuple[Column, ...]:
    """Columns of these names, headed by them; `types`: type to the names of those that are no text."""
    of = {name: type for type, named in types.items() for name in named}
    return tuple(Column(name, name.replace("_", " "), cast(Type, of.get(name, "text"))) for name in names)


def written(at: datetime) -> str:
    """An instant as it leaves the house: RFC 3339, UTC, microseconds."""
    return f"{at.astimezone(UTC).replace(tzinfo=None).isoformat(timespec='microseconds')}Z"

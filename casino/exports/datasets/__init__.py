"""Datasets: lists that can be exported. Every module in this package is a dataset, so there is no list to
edit.

A dataset is a list with a fixed total order. Its module has `TITLE`, `COLUMNS`, `KEY` (the columns by which
it is ordered and which a cursor contains), `FILTERS` and `ACT` (the permission that its reader needs). It
also has `query(selection)`, whose columns are already formatted for export; or `rows(selection)`, if SQL
cannot produce the rows. The REST API, the command and every file format read the dataset with that one
function. If the amounts of a dataset are exact minor units in the REST API, its module also has
`FILE_COLUMNS` and `file_query(selection)`, because amounts in a file are decimals of a currency.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Literal, Protocol, cast

from audit.queries.list_filters import Query, Selection
from casino.reports.columns import Column, Row, Sheet, Type

__all__ = ["Dataset", "Query", "Selection", "columns", "get", "names", "rows", "sheet", "timestamp"]


class Dataset(Protocol):
    """What the module of a dataset defines. It also has `query(selection) -> Query` or `rows(selection) ->
    Iterable[Row]`. It may define `RECORDED`, the name of a column that contains facts as they were recorded.
    NDJSON uses such a fact unchanged as the line of the row.
    """

    TITLE: str
    COLUMNS: tuple[Column, ...]
    KEY: tuple[str, ...]
    FILTERS: tuple[str, ...]
    """The filters that the dataset accepts, out of `from to property table game kind code grade slip`."""
    ACT: str
    MADE_OF: Literal["ledger", "verdicts", "fold"]
    """The source of the dataset. `ledger`: only facts, so the dataset never changes at a given position.
    `verdicts`: recorded verdicts and data that depends on them. `fold`: results of replay.
    """
    EXAMPLE: dict[str, Any]
    """An example of a row, by the keys of its columns."""


def names() -> list[str]:
    """Return the names of all datasets, as on the command line."""
    return sorted(module.name.replace("_", "-") for module in iter_modules(__path__))


def get(name: str) -> Dataset:
    """Return the module of the dataset with this name. Raise LookupError if there is no such dataset."""
    if name not in names():
        raise LookupError(name)
    return cast(Dataset, import_module(f"{__name__}.{name.replace('-', '_')}"))


def rows(of: Dataset, selection: Selection) -> Iterable[Row]:
    """Return the rows of a dataset. If they come from a query and `selection` has a limit, all of them are
    read at once. Otherwise, they are read one by one as the caller needs them.
    """
    if (read_rows := getattr(of, "rows", None)) is not None:
        return cast(Iterable[Row], read_rows(selection))
    query: Query = of.query(selection)  # type: ignore[attr-defined]
    return query.rows() if selection.limit is None else query.at_once()


def sheet(name: str, selection: Selection) -> Sheet:
    """Return a sheet of a dataset for any format. If the rows come from a query, the sheet includes the
    query, so that a format may copy its result. Raise LookupError if there is no such dataset.
    """
    of = get(name)
    if (file_query := getattr(of, "file_query", None)) is not None:
        asked_of: Query = file_query(selection)
        return Sheet(of.TITLE, of.FILE_COLUMNS, asked_of.rows(), query=asked_of)  # type: ignore[attr-defined]
    copied = None if hasattr(of, "rows") else of.query(selection)  # type: ignore[attr-defined]
    return Sheet(
        of.TITLE, of.COLUMNS, rows(of, selection), query=copied, recorded=getattr(of, "RECORDED", "")
    )


def columns(names: Iterable[str], **types: Sequence[str]) -> tuple[Column, ...]:
    """Return columns with these names. The name of a column is also its heading. `types`: {type: the names of
    the columns of this type}. All other columns are text.
    """
    of = {name: type for type, named in types.items() for name in named}
    return tuple(Column(name, name.replace("_", " "), cast(Type, of.get(name, "text"))) for name in names)


def timestamp(at: datetime) -> str:
    """Return a timestamp as it is exported: RFC 3339, in UTC, with microseconds."""
    return f"{at.astimezone(UTC).replace(tzinfo=None).isoformat(timespec='microseconds')}Z"

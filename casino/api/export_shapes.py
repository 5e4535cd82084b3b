"""Shapes and examples of exports in the REST API: an order, an archived export, and its manifest."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType

from audit.queries.span import BOOKS
from casino.api import shapes as s
from casino.api.openapi import path_parameter
from casino.api.reports import HEADERS, LOCALE
from casino.exports import datasets
from casino.exports.formats import locales, registry
from casino.exports.formats.locales import LOCALES
from casino.reports import catalog
from games import GAMES

NAMES = (*datasets.names(), *catalog.names())
BY_NUMBER = path_parameter("id", s.integer(1, 2**53), "The number of the export.", example=12)
What = Annotated[str, s.shaped(s.described(s.one_of(*NAMES), "A dataset or a report."))]
Property = Annotated[str, s.shaped(s.PROPERTY)]
FirstDay = Annotated[str, s.shaped(s.described(s.DAY, "The first gaming day."))]
End = Annotated[str, s.shaped(s.described(s.DAY, "End of the range, exclusive."))]
Format = Annotated[str, s.shaped(s.one_of(*registry.ARCHIVED))]
Locale = Annotated[str, s.shaped(s.described(s.one_of(*LOCALES), LOCALE))]
Groupings = Annotated[
    list[str], Meta(description="Reports only: the groupings; default: those of the report.")
]
Books = Annotated[
    str, s.shaped(s.described(s.one_of("", *BOOKS), "The books of reports that have them; empty: all facts."))
]
Table = Annotated[
    str, Meta(description="Datasets only: a table, with or without its property; empty: all tables.")
]
GameCode = Annotated[
    str,
    s.shaped(
        s.described(s.one_of("", *GAMES), "Datasets only: tables opened with this game; empty: all games.")
    ),
]


class OrderBody(Struct, forbid_unknown_fields=True, rename={"begins": "from", "ends": "to"}):
    """The JSON body of an order."""

    what: What
    property: Property
    begins: FirstDay
    ends: End
    format: Format = "csv"
    locale: Locale = locales.DEFAULT
    by: Groupings | UnsetType = UNSET
    books: Books = ""
    table: Table = ""
    game: GameCode = ""


ORDER_BODY = s.of_struct(OrderBody)
ORDER_FIELDS = {
    name: {word: value for word, value in shape.items() if word != "default"}
    for name, shape in ORDER_BODY["properties"].items()
}
SHIFT_DESCRIPTION = (
    "The only shift in the report, if a schedule has ordered it for one shift; empty for all shifts."
)
ORDER = s.named("Order", ORDER_BODY)
AN_ORDER: dict[str, Any] = {
    "what": "tally",
    "property": "aurora",
    "from": "2026-11-01",
    "to": "2026-12-01",
    "format": "csv",
}
EXPORT = s.named(
    "Export",
    s.object_(
        id=s.COUNT,
        **ORDER_FIELDS
        | {"what": s.TEXT, "format": s.TEXT, "locale": s.TEXT, "books": s.TEXT, "game": s.TEXT},
        title=s.TEXT,
        shift=s.described(s.TEXT, SHIFT_DESCRIPTION),
        state=s.described(s.TEXT, "`due`, `taken` (in progress), `done`, or `set-aside` (failed)."),
        done=s.described(
            s.COUNT,
            "Number of facts replayed, out of `total`. Later, number of rows written; then `total` is 0.",
        ),
        total=s.COUNT,
        asked_by=s.TEXT,
        asked_at=s.INSTANT,
        schedule=s.TEXT,
        period=s.TEXT,
        finished_at=s.nullable(s.INSTANT),
        rows=s.nullable(s.COUNT),
        bytes=s.nullable(s.COUNT),
        sha256=s.nullable(s.HASH),
        position=s.nullable(s.COUNT),
        chain=s.nullable(s.HASH),
        superseded=s.described(s.FLAG, "True if a restated export of the same report and days exists."),
        file=s.described(s.TEXT, "The file name."),
        content=s.described(s.TEXT, "The address of the file."),
        manifest=s.TEXT,
    ),
)
EXPORT_EXAMPLE = {
    "id": 12,
    **AN_ORDER,
    "title": "Tally",
    "by": [],
    "books": "",
    "locale": "en",
    "table": "",
    "game": "",
    "shift": "",
    "state": "done",
    "done": 4120,
    "total": 0,
    "asked_by": "a-101",
    "asked_at": "2026-12-01T09:00:00Z",
    "schedule": "",
    "period": "",
    "finished_at": "2026-12-01T09:00:02Z",
    "rows": 4120,
    "bytes": 420480,
    "sha256": "5e" * 32,
    "position": 90211,
    "chain": "c0" * 32,
    "superseded": False,
    "file": "tally_aurora_2026-11-01_2026-11-30_kept-12.csv",
    "content": "https://house.example/api/v1/exports/12/content",
    "manifest": "https://house.example/api/v1/exports/12/manifest",
}
COLUMN = s.body(key=(s.TEXT, "staked"), heading=(s.TEXT, "staked"), type=(s.TEXT, "money"))
SUMS = {"type": "object", "additionalProperties": s.AMOUNT}
TOTAL = s.body(currency=(s.TEXT, "USD"), rows=(s.COUNT, 4120), sums=(SUMS, {"staked": "1823400.00"}))
HEAD = s.body(
    property=(s.TEXT, "aurora"), position=(s.COUNT, 90211), chain=(s.HASH, "c0" * 32), waiting=(s.COUNT, 0)
)
DAYS = s.body(first=(s.nullable(s.DAY), "2026-11-01"), last=(s.nullable(s.DAY), "2026-11-30"))
A_FILTER = {"property": "aurora", "from": "2026-11-01", "to": "2026-12-01", "by": [], "books": ""}
OF_LOCALE = ("locale", "separator", "decimal")
MANIFEST = s.body(
    manifest=(s.COUNT, 1),
    what=(s.TEXT, "tally"),
    title=(s.TEXT, "Tally"),
    format=(s.TEXT, "csv"),
    locale=(s.TEXT, "de", "Only for CSV with a locale other than `en`, as are `separator` and `decimal`."),
    separator=(s.TEXT, ";", "The character between two cells."),
    decimal=(s.TEXT, ",", "The decimal sign."),
    writing=(s.COUNT, 1),
    schema=(s.TEXT, "tally/0c7d1b2f93aa"),
    filter=({"type": "object"}, A_FILTER),
    gaming_days=(DAYS.shape, DAYS.example),
    restated=(s.FLAG, False),
    columns=s.items(COLUMN),
    rows=(s.COUNT, 4120),
    totals=s.items(TOTAL),
    bytes=(s.COUNT, 420480),
    sha256=(s.HASH, "5e" * 32),
    ledger=s.items(HEAD),
)
A_MANIFEST = {name: value for name, value in MANIFEST.example.items() if name not in OF_LOCALE}
MANIFEST_SHAPE = s.named("Manifest", s.optional(MANIFEST.shape, "writing", *OF_LOCALE))
NAMED = {
    "Content-Disposition": (
        "The name of the file, as on the page of the export. verify_export.py finds the manifest by this"
        " name."
    )
}
PART = HEADERS | NAMED | {"Content-Range": "The range of bytes, and the length of the file."}
MADE = {"Location": "The address of the order."}

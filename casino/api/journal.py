"""GET /api/v1/journal: the journal of closed days, as JSON with the reasons why entries are held, or as files
for an accounting system.

The answer names the position of the ledger at which it was built. If the next request sends it as `after`, it
returns what was added since, without duplicates. The token needs the scope `export`, its bearer the
permission to see the hold. Downloads are recorded in the viewing log.
"""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from msgspec import json
from rest_framework.views import APIView

from audit.facts.input_parsing import whole
from audit.queries.heads import Head, read_up_to
from casino.accounts import view_log
from casino.accounts.scopes import needs
from casino.api import etags
from casino.api import shapes as s
from casino.api.etags import HEADERS, IF_NONE_MATCH, NOT_MODIFIED, etag, matches, not_modified
from casino.api.lists import AS_OF, PROPERTY, requested_days, requested_position, requested_property
from casino.api.openapi import Answer, described, query_parameter
from casino.api.problems import Problem
from casino.journals.books import DAY, KINDS, PERIODS, Document, Held, Journal, beyond, journal, since
from casino.journals.formats import FORMATS, ZIP, files, packed
from casino.journals.formats.fitting import Unwritable, account_of
from casino.journals.views import ABOUT
from casino.presentation.formatting import safe_file_name
from casino.reference.chart import TYPES
from games.kit.amounts import decimal

ACT = "see-hold"
LINE = s.object_(
    posted=s.described(s.TEXT, "The key in the chart of accounts."),
    account=s.object_(number=s.TEXT, name=s.TEXT, type=s.one_of(*TYPES)),
    debit=s.nullable(s.AMOUNT),
    credit=s.nullable(s.AMOUNT),
    text=s.TEXT,
)
DOCUMENT = s.named(
    "JournalDocument",
    s.object_(
        number=s.described(s.TEXT, "Never changes, so that a second import can be refused."),
        kind=s.one_of(*KINDS),
        booked=s.DAY,
        day=s.described(s.TEXT, "The gaming day, or the month."),
        table=s.described(s.TEXT, "The table's code; empty for a month."),
        game=s.TEXT,
        shift=s.TEXT,
        currency=s.TEXT,
        version=s.COUNT,
        text=s.TEXT,
        reverses=s.described(s.nullable(s.TEXT), "The number of the reversed document."),
        adjustments=s.described(s.array(s.UID), "The adjustments that caused it."),
        lines=s.array(LINE),
    ),
)
HELD = s.object_(
    about=s.one_of(*ABOUT),
    day=s.TEXT,
    table=s.TEXT,
    says=s.described(s.TEXT, "Why it is not posted."),
    posted=s.described(s.array(s.TEXT), "Keys without an account."),
)
JOURNAL = s.object_(
    property=s.TEXT,
    by=s.one_of(*PERIODS),
    position=s.described(s.COUNT, "The position of the ledger: use it as `after` in the next request."),
    chain=s.HASH,
    documents=s.array(DOCUMENT),
    held=s.array(HELD),
)
_CASH = {"number": "1010", "name": "Cash:Count room", "type": "asset"}
_WIN = {"number": "4030", "name": "Table win:High Side", "type": "income"}
EXAMPLE = {
    "property": "aurora",
    "by": "day",
    "position": 90211,
    "chain": "c0" * 32,
    "documents": [
        {
            "number": "aurora/HS-01/2026-11-26/1",
            "kind": "entry",
            "booked": "2026-11-26",
            "day": "2026-11-26",
            "table": "HS-01",
            "game": "high_side",
            "shift": "",
            "currency": "USD",
            "version": 1,
            "text": "HS-01, gaming day 2026-11-26",
            "reverses": None,
            "adjustments": [],
            "lines": [
                {
                    "posted": "drop",
                    "account": _CASH,
                    "debit": "125.00",
                    "credit": None,
                    "text": "Drop, count 1",
                },
                {"posted": "win", "account": _WIN, "debit": None, "credit": "125.00", "text": "Table win"},
            ],
        }
    ],
    "held": [
        {
            "about": "open",
            "day": "2026-11-26",
            "table": "AB-01",
            "says": "its day is not closed",
            "posted": [],
        }
    ],
}
CONTENT = {"application/json": Answer(JOURNAL, "The journal.", EXAMPLE)} | {
    name: Answer(s.FILE, "A file to import; several files, numbered, in a zip.", None, name)
    for name in sorted({ZIP, *(writer.content_type.partition(";")[0] for writer in FORMATS.values())})
}
AT = HEADERS | {
    "Catwalk-Position": "The position of the ledger that the journal is as of.",
    "Catwalk-Chain": "The hash of the chain at that position.",
}


class TheJournal(APIView):
    permission_classes = [needs("export")]

    @described(
        "The journal of closed days",
        PROPERTY,
        query_parameter(
            "from", s.DAY, "The first posting day; default: the beginning.", example="2026-11-01"
        ),
        query_parameter("to", s.DAY, "End of the range, exclusive; default: the end.", example="2026-12-01"),
        query_parameter(
            "by",
            s.one_of(*PERIODS),
            "An entry for each table's day, for each of its shifts, or for each month and game.",
            default=DAY,
        ),
        query_parameter(
            "after",
            s.integer(0, 2**53),
            "Only documents created after this position of the ledger.",
            example=88000,
        ),
        AS_OF,
        query_parameter("format", s.one_of("json", *FORMATS), "The format.", default="json"),
        IF_NONE_MATCH,
        responses={
            200: tuple(response._replace(headers=AT) for response in CONTENT.values()),
            304: NOT_MODIFIED,
        },
        problems=(409,),
    )
    def get(self, request: Any) -> HttpResponse:
        """Return whole documents, balanced by currency. A restated entry is reversed and posted again.
        Entries that cannot be posted are in `held`, with the reason.
        """
        params = request.query_params
        property, by, format = (
            requested_property(request, ACT),
            params.get("by", DAY),
            params.get("format", "json"),
        )
        head = requested_position(params.dict(), property) if "as_of" in params else read_up_to(property)
        after = whole(params.get("after", ""))
        if after is not None and (wrong := beyond(property, after)):
            raise Problem(400, "after", wrong, field="after")
        span = requested_days(params.dict(), property)._replace(until=head.position)
        result = journal(span, by) if after is None else since(span, after, by)
        content, content_type, name = _written(result, head, by, format)
        tag = etag(content, content_type)
        if matches(request, tag):
            return not_modified(tag)
        view_log.record_report(
            request.user,
            property,
            f"Journal, as {format} by REST",
            f"{reverse('journal')}?property={property}",
        )
        headers = {
            "Catwalk-Position": str(head.position),
            "Catwalk-Chain": head.chain,
            "Content-Disposition": f'attachment; filename="{safe_file_name(name)}"',
        }
        return HttpResponse(content, content_type=content_type, headers=headers | etags.headers(tag))


def _written(result: Journal, head: Head, by: str, format: str) -> tuple[bytes, str, str]:
    """Return the bytes of a journal, their content type, and a file name. Raise Problem if the format cannot
    hold the documents.
    """
    stem = f"journal_{head.property}_{head.position}"
    if format == "json":
        content = {"property": head.property, "by": by, "position": head.position, "chain": head.chain}
        documents, held = (
            [_document(item) for item in result.documents],
            [_held(item) for item in result.held],
        )
        return (
            json.encode(content | {"documents": documents, "held": held}),
            "application/json",
            f"{stem}.json",
        )
    try:
        packed_file = packed(files(result.documents, format, stem, result.before), stem)
    except Unwritable as error:
        raise Problem(409, "unwritable", str(error)) from None
    return packed_file.content, packed_file.content_type, packed_file.name


def _document(of: Document) -> dict[str, Any]:
    lines = []
    for posting in of.postings:
        amount = decimal(abs(posting.amount), of.currency)
        debit, credit = (amount, None) if posting.amount > 0 else (None, amount)
        account = account_of(posting)._asdict()
        lines.append(
            {
                "posted": posting.posted,
                "account": account,
                "debit": debit,
                "credit": credit,
                "text": posting.text,
            }
        )
    return {
        "number": of.number,
        "kind": of.kind,
        "booked": of.booked.isoformat(),
        "day": of.day,
        "table": of.table,
        "game": of.game,
        "shift": of.shift,
        "currency": of.currency,
        "version": of.version,
        "text": of.text,
        "reverses": of.reverses or None,
        "adjustments": list(of.adjustments),
        "lines": lines,
    }


def _held(item: Held) -> dict[str, Any]:
    return {
        "about": item.about,
        "day": item.day,
        "table": item.table,
        "says": item.says,
        "posted": list(item.posted),
    }

"""GET /api/v1/journal: the journal of closed days, as JSON with the reasons why entries are held, or as files
for an accounting system.

The answer names the position of the ledger at which it was built. If the next request sends this position as
`after`, it gets only the documents that were added since then. The token needs the scope `export`. Its bearer
needs the permission to see the hold. Downloads are recorded in the viewing log.
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
from casino.api import shapes as s
from casino.api.etags import HEADERS, IF_NONE_MATCH, NOT_MODIFIED, conditional_response, etag
from casino.api.lists import AS_OF, PROPERTY, TO, requested_days, requested_position, requested_property
from casino.api.openapi import Answer, described, query_parameter
from casino.api.problems import Problem
from casino.journals.books import DAY, KINDS, PERIODS, Document, Journal, journal, position_error, since
from casino.journals.control import ControlTotal, control_totals
from casino.journals.formats import FORMATS, ZIP, files, packed
from casino.journals.formats.fitting import Unwritable, account_of
from casino.journals.views import ABOUT
from casino.presentation.formatting import safe_file_name
from casino.reference.chart import TYPES
from games.kit.amounts import decimal

ACT = "see-hold"
ACCOUNT = s.object_(number=s.TEXT, name=s.TEXT, type=s.one_of(*TYPES))
CASH = {"number": "1010", "name": "Cash:Count room", "type": "asset"}
WIN = {"number": "4030", "name": "Table win:High Side", "type": "income"}
LINE = s.body(
    posted=(s.TEXT, "drop", "The key in the chart of accounts."),
    account=(ACCOUNT, CASH),
    debit=(s.nullable(s.AMOUNT), "125.00"),
    credit=(s.nullable(s.AMOUNT), None),
    text=(s.TEXT, "Drop, count 1"),
    class_=(s.nullable(s.TEXT), None, "The class of the line."),
    department=(s.nullable(s.TEXT), None, "The department of the line."),
    location=(s.nullable(s.TEXT), None, "The location of the line."),
    tracking=(s.array(s.TEXT), [], "Xero's tracking categories, each with its option."),
)
SECOND_LINE = LINE.example | {
    "posted": "win",
    "account": WIN,
    "debit": None,
    "credit": "125.00",
    "text": "Table win",
    "class": "Table games:High Side",
}
DOCUMENT = s.body(
    "JournalDocument",
    number=(
        s.TEXT,
        "aurora/HS-01/2026-11-26/1",
        "A number that never changes, so a second import can be refused.",
    ),
    kind=(s.one_of(*KINDS), "entry"),
    booked=(s.DAY, "2026-11-26"),
    day=(s.TEXT, "2026-11-26", "The gaming day, or the month."),
    table=(s.TEXT, "HS-01", "The table's code; empty for a month."),
    game=(s.TEXT, "high_side"),
    shift=(s.TEXT, ""),
    currency=(s.TEXT, "USD"),
    version=(s.COUNT, 1),
    text=(s.TEXT, "HS-01, gaming day 2026-11-26"),
    reverses=(s.nullable(s.TEXT), None, "The number of the reversed document."),
    adjustments=(s.array(s.UID), [], "The uids of the adjustments that caused the document."),
    lines=(s.array(LINE.shape), [LINE.example, SECOND_LINE]),
)
HELD = s.body(
    about=(s.one_of(*ABOUT), "open"),
    day=(s.TEXT, "2026-11-26"),
    table=(s.TEXT, "AB-01"),
    says=(s.TEXT, "its day is not closed", "Why the entry is not posted."),
    posted=(s.array(s.TEXT), [], "The keys that have no account yet."),
)
TOTAL = s.body(
    currency=(s.TEXT, "USD"),
    documents=(s.COUNT, 1),
    debits=(s.AMOUNT, "125.00", "The sum of debits, which is the sum of credits."),
    win=(s.AMOUNT, "125.00", "The win of days as they were closed, as in the report of hold."),
    restated=(s.AMOUNT, "0.00", "By how much restated documents change the win."),
    counted=(
        s.AMOUNT,
        "0.00",
        "The drop that was counted, without markers, and without vouchers that have an account.",
    ),
    received=(s.AMOUNT, "0.00", "What the cage received from the count room."),
    sent=(s.AMOUNT, "0.00", "Deposits that the cage sent to the bank."),
    confirmed=(s.AMOUNT, "0.00", "What the bank confirmed."),
    difference=(s.AMOUNT, "0.00", "Confirmed minus sent, of the confirmed deposits."),
)
JOURNAL = s.body(
    property=(s.TEXT, "aurora"),
    by=(s.one_of(*PERIODS), "day"),
    position=(s.COUNT, 90211, "The position of the ledger: use it as `after` in the next request."),
    chain=(s.HASH, "c0" * 32),
    totals=s.items(TOTAL),
    documents=s.items(DOCUMENT),
    held=s.items(HELD),
)
CONTENT = {"application/json": Answer.of(JOURNAL, "The journal.")} | {
    name: Answer(s.FILE, "A file to import. Several files are numbered, and sent as a ZIP.", None, name)
    for name in sorted({ZIP, *(writer.content_type.partition(";")[0] for writer in FORMATS.values())})
}
AT = HEADERS | {
    "Catwalk-Position": "The position of the ledger at which the journal was built.",
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
        TO,
        query_parameter(
            "by",
            s.one_of(*PERIODS),
            "What an entry is for: a table's day, a shift of a table's day, or a game's month.",
            default=DAY,
        ),
        query_parameter(
            "after",
            s.integer(0, 2**53),
            "Only documents created after this position of the ledger.",
            example=88000,
        ),
        AS_OF,
        query_parameter("format", s.one_of("json", *FORMATS), "The format of the answer.", default="json"),
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
        if after is not None and (wrong := position_error(property, after)):
            raise Problem(400, "after", wrong, field="after")
        span = requested_days(params.dict(), property)._replace(until=head.position)
        result = journal(span, by) if after is None else since(span, after, by)
        content, content_type, name = _written(result, head, by, format)
        page = f"{reverse('journal')}?property={property}"
        return conditional_response(
            request,
            content,
            lambda: view_log.record_report(request.user, property, f"Journal, as {format} by REST", page),
            tag=etag(content, content_type),
            content_type=content_type,
            extra_headers={
                "Catwalk-Position": str(head.position),
                "Catwalk-Chain": head.chain,
                "Content-Disposition": f'attachment; filename="{safe_file_name(name)}"',
            },
        )


def _written(result: Journal, head: Head, by: str, format: str) -> tuple[bytes, str, str]:
    """Return the bytes of a journal, their content type, and a file name. Raise Problem if the format cannot
    hold the documents.
    """
    stem = f"journal_{head.property}_{head.position}"
    if format == "json":
        content = JOURNAL.of(
            head,
            by=by,
            totals=[_total(total) for total in control_totals(result.documents)],
            documents=[_document(item) for item in result.documents],
            held=[HELD.of(item) for item in result.held],
        )
        return json.encode(content), "application/json", f"{stem}.json"
    try:
        packed_file = packed(files(result.documents, format, stem, result.before), stem)
    except Unwritable as error:
        raise Problem(409, "unwritable", str(error)) from None
    return packed_file.content, packed_file.content_type, packed_file.name


def _total(total: ControlTotal) -> dict[str, Any]:
    amounts = {"debits": total.debits, "win": total.win, "restated": total.restated} | total.cash._asdict()
    return TOTAL.of(total, **{name: decimal(amount, total.currency) for name, amount in amounts.items()})


def _document(of: Document) -> dict[str, Any]:
    lines = []
    for posting in of.postings:
        amount = decimal(abs(posting.amount), of.currency)
        debit, credit = (amount, None) if posting.amount > 0 else (None, amount)
        account = account_of(posting)
        others = {
            "account": {name: getattr(account, name) for name in CASH},
            "class": account.class_ or None,
            "department": account.department or None,
            "location": account.location or None,
            "tracking": account.tracking,
        }
        lines.append(LINE.of(posting, debit=debit, credit=credit, **others))
    return DOCUMENT.of(of, reverses=of.reverses or None, lines=lines)

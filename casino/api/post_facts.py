"""POST /api/v1/facts: NDJSON or a JSON array of facts. Either all of these facts are recorded, or none. The
answer 201 returns the position of each fact. The GET method lists facts (lists.py).
"""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from msgspec import json
from rest_framework.views import APIView

from audit.facts import Prepared, Refused, check
from audit.ledger import intake
from audit.ledger.intake import Sender
from audit.queries import cage_facts
from casino.accounts.scopes import needs_by_method
from casino.api import lines, lists, senders
from casino.api import shapes as s
from casino.api.openapi import Answer, RequestBody, described
from casino.reference import projection

RECORDED = s.body(
    uid=(s.UID, "5b3d7c52-0000-4000-8000-000000000001"),
    number=(s.COUNT, 413, "The fact's number in its stream."),
    position=(s.COUNT, 90211, "The fact's position in the property's ledger."),
    hash=(s.HASH, "c0" * 32, "The hash of the chain at this fact."),
    fresh=(s.FLAG, True, "False if the same fact was recorded before."),
)
NOTES = s.described(
    s.array(s.TEXT),
    "One sentence for each value that is recorded in a different form than it was sent. For example, a leap"
    " second is recorded as the last microsecond before it.",
)
PLACE = RECORDED.shape | {"properties": RECORDED.shape["properties"] | {"notes": NOTES}}
POSTED = {
    "uid": RECORDED.example["uid"],
    "table": "aurora/EOU-01",
    "day": "2026-11-27",
    "kind": "paused",
    "source": "desk",
    "at": "2026-11-27T12:00:00Z",
    "reason": "a card on the floor",
    "by": "t-101",
}


class Facts(APIView):
    permission_classes = [needs_by_method(GET="read:facts", POST="post:facts")]
    get = lists.getter("facts")

    @described(
        "Record facts, all or none",
        request_body=(
            RequestBody(
                s.described(s.array(s.fact()), f"From one fact to {lines.FACTS}.") | {"minItems": 1}, [POSTED]
            ),
            RequestBody(s.TEXT, json.encode(POSTED).decode(), "application/x-ndjson"),
        ),
        responses={
            201: Answer(
                s.array(PLACE), "The position of each fact, in the order of the post.", [RECORDED.example]
            )
        },
        problems=(409, 422),
    )
    def post(self, request: Any) -> HttpResponse:
        """Record the facts. The answer has one item for each fact, in the same order: {uid, number, position,
        hash, fresh}. `fresh` is false for a fact that was recorded before. `notes` says which values are
        recorded in a different form than they were sent.
        """
        facts = prepared(lines.split_facts(request._request))
        sender = request.user
        senders.check(sender, facts)
        try:
            results = intake.post_prepared(facts, Sender(str(sender), senders.properties_of(sender)))
        except Refused as refused:
            refused.why += _first(refused, facts)
            raise
        for property in {fact.property for fact in facts if fact.kind == "register-set"}:
            projection.sync_registers(property)
        recorded = [
            RECORDED.of(result, hash=result.chain.hex()) | ({"notes": fact.notes} if fact.notes else {})
            for result, fact in zip(results, facts, strict=True)
        ]
        return HttpResponse(json.encode(recorded), status=201, content_type="application/json")


def _first(refused: Refused, facts: list[Prepared]) -> str:
    """Return where the fact is recorded whose uid was sent again. Return an empty text for other reasons."""
    if refused.code != "uid-reused" or refused.index is None:
        return ""
    fact = facts[refused.index]
    first = cage_facts.fact(fact.property, fact.uid)
    return (
        f". It is fact {first.number} of its stream, position {first.position}" if first is not None else ""
    )


def prepared(sent: list[bytes]) -> list[Prepared]:
    """Validate every fact of the post. If a fact is invalid, raise Refused with its index."""
    facts = []
    for index, line in enumerate(sent):
        try:
            facts.append(check(line))
        except Refused as refused:
            refused.index = index
            raise
    return facts

"""Single items: a fact by its uid with its hashes, a round with its facts, wagers and findings, and a finding
with its verdicts. Every answer is recorded in the viewing log; a round is recorded as a hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import Http404, HttpResponse
from django.urls import reverse
from rest_framework.views import APIView

from audit.facts.input_parsing import day_of
from audit.queries import facts as recorded
from audit.queries import findings as judged
from audit.queries.list_filters import Selection
from audit.queries.span import Span
from audit.review import hands
from audit.review.hands import Played, Recorded, Wager
from casino.accounts import view_log
from casino.accounts.permissions import can, properties, require
from casino.accounts.scopes import needs
from casino.api import rows as answered
from casino.api import shapes as s
from casino.api.etags import HEADERS, IF_NONE_MATCH, NOT_MODIFIED, conditional_response
from casino.api.openapi import Answer, described, path_parameter
from casino.api.rows import Item
from casino.exports import datasets
from casino.exports.datasets import findings, timestamp
from casino.reports.columns import Row
from games.kit.events import kind_of

FACTS, FINDINGS, VERDICTS, ROUNDS = (
    datasets.get(name) for name in ("facts", "findings", "verdicts", "rounds")
)
A_FACT, A_FINDING, A_VERDICT, A_ROUND = (
    answered.example(name, of)
    for name, of in (("facts", FACTS), ("findings", FINDINGS), ("verdicts", VERDICTS), ("rounds", ROUNDS))
)
FACT, FINDING = answered.shape("facts", FACTS), answered.shape("findings", FINDINGS)
EXACT = s.described(
    s.nullable(s.TEXT),
    "Exact minor units, positive in the player's favor, or a fraction such as 25/2. Null if the wager is open"
    " or not judged. `owed_amount` is the same as a decimal, as all other amounts of the wager are.",
)
WAGER = s.body(
    "Wager",
    spot=(s.TEXT, "1"),
    wager=(s.TEXT, "over"),
    stake=(s.AMOUNT, "25.00"),
    pulled=(s.AMOUNT, "0.00"),
    owed=(EXACT, "2500"),
    owed_amount=(s.nullable(s.AMOUNT), "25.00"),
    moved=(s.AMOUNT, "50.00"),
    corrected=(s.AMOUNT, "0.00"),
    why=(s.TEXT, "The card is higher than the roll."),
    cite=(s.TEXT, "EOU Game Rules 6"),
)
ONE_FACT = s.body(
    fact=(FACT, A_FACT),
    leaf=(s.HASH, "1e" * 32, "The hash of the body."),
    chain=(s.HASH, "c0" * 32, "The hash of the chain at this fact."),
)
ONE_FINDING = s.body(
    finding=(FINDING, A_FINDING),
    verdicts=(s.array(answered.shape("verdicts", VERDICTS)), [A_VERDICT]),
)
ONE_ROUND = s.body(
    round=(
        s.nullable(answered.shape("rounds", ROUNDS)),
        A_ROUND,
        "The round as in the list of rounds; null while it is open.",
    ),
    wagers=(
        s.array(WAGER.shape),
        [WAGER.example],
        "The amount owed on each wager by the rules, and the amount moved.",
    ),
    facts=(s.array(FACT), [A_FACT]),
    corrections=(s.array(FACT), [], "Later corrections of the round."),
    findings=(
        s.nullable(s.array(FINDING)),
        [A_FINDING],
        "The findings of the round; null if the bearer or the token may not see findings.",
    ),
)
ID = s.TEXT | {"minLength": 1, "maxLength": 1000}


class OneFact(APIView):
    permission_classes = [needs("read:facts")]

    @described(
        "A fact by its uid",
        path_parameter("uid", s.UID, "The fact's uid.", example=A_FACT["uid"]),
        IF_NONE_MATCH,
        responses={
            200: Answer.of(ONE_FACT, "The fact, as it was recorded.", HEADERS),
            304: NOT_MODIFIED,
        },
    )
    def get(self, request: Any, uid: Any) -> HttpResponse:
        """Return the fact if the bearer may see facts. The answer has the hash of its body (`leaf`) and the
        hash of the chain at its position. Both are SHA-256, as `manage.py verify` computes them.
        """
        for property in properties(request.user, "see-facts"):
            rows = list(recorded.fact(property, str(uid)).at_once())
            hashes = recorded.hashes(property, str(uid))
            if rows and hashes is not None:
                (item,) = answered.items("facts", FACTS, rows, property)
                return _given(
                    request,
                    {"fact": item, "leaf": hashes[0], "chain": hashes[1]},
                    property,
                    f"Fact {uid} by REST",
                )
        raise Http404


class OneFinding(APIView):
    permission_classes = [needs("read:findings")]

    @described(
        "A finding by its id",
        path_parameter("id", ID, "The finding's id: uid, code, spot and wager.", example=A_FINDING["id"]),
        IF_NONE_MATCH,
        responses={
            200: Answer.of(ONE_FINDING, "The finding with its verdicts.", HEADERS),
            304: NOT_MODIFIED,
        },
    )
    def get(self, request: Any, id: str) -> HttpResponse:
        """Return a current finding with all its verdicts, in the order in which they were given. The last
        verdict counts.
        """
        for property in properties(request.user, "see-findings"):
            known = recorded.recorded_finding_id(property, id)
            rows = list(findings.exact(judged.finding(property, known).at_once()))
            if rows:
                (item,) = answered.items("findings", FINDINGS, rows, property)
                verdicts = answered.items(
                    "verdicts", VERDICTS, list(judged.verdicts_on(property, known).at_once()), property
                )
                return _given(
                    request,
                    {"finding": item, "verdicts": verdicts},
                    property,
                    f"Finding {known[:200]} by REST",
                )
        raise Http404


class OneRound(APIView):
    permission_classes = [needs("read:facts")]

    @described(
        "A round with its facts",
        path_parameter("property", s.PROPERTY, "The property.", example="aurora"),
        path_parameter("table", s.TEXT | {"minLength": 1, "maxLength": 100}, "The table.", example="EOU-01"),
        path_parameter("day", s.DAY, "The gaming day in which it was opened.", example="2026-11-27"),
        path_parameter("round", ID, "The round's name on that day.", example="r-0038"),
        IF_NONE_MATCH,
        responses={
            200: Answer.of(ONE_ROUND, "The round with its facts, wagers and findings.", HEADERS),
            304: NOT_MODIFIED,
        },
    )
    def get(self, request: Any, property: str, table: str, day: str, round: str) -> HttpResponse:
        """Return the round as replay computes it: its facts in the order of play, each wager with the amount
        owed, and its findings.
        """
        require(request.user, "see-facts", property)
        stream = f"{property}/{table}/{day}"
        played = None if day_of(day) is None else hands.played(property, stream, round)
        if played is None:
            raise Http404
        content: Item = {
            "round": _over(played),
            "wagers": [_wager(wager, played.currency()) for wager in played.wagers],
        }
        content |= {
            name: _facts(played, facts)
            for name, facts in (("facts", played.facts), ("corrections", played.corrections))
        }
        is_permitted = can(request.user, "see-findings", property) and "read:findings" in request.auth.scopes
        rows = (
            list(findings.exact(judged.findings_of(property, stream, round).at_once()))
            if is_permitted
            else []
        )
        content["findings"] = answered.items("findings", FINDINGS, rows, property) if is_permitted else None
        return conditional_response(
            request, answered.encoded(content), lambda: view_log.record(request.user, property, stream, round)
        )


def _over(played: Played) -> Item | None:
    """Return the round as an item of the list of rounds, or None if the round has not ended."""
    first = played.facts[0]
    table, _, day = played.stream.rpartition("/")
    begins = day_of(day)
    span = Span(begins, None, played.property)
    rows: Sequence[Row] = list(
        datasets.rows(
            ROUNDS, Selection(span, table, after=(played.property, played.stream, first.number - 1), limit=1)
        )
    )
    items = answered.items("rounds", ROUNDS, rows, played.property)
    return next((row for row in items if (row["stream"], row["round"]) == (played.stream, played.name)), None)


def _wager(wager: Wager, currency: str) -> Item:
    money = {
        name: answered.amount(getattr(wager, name), currency)
        for name in ("stake", "pulled", "moved", "corrected")
    }
    owed = None if wager.owed is None else str(wager.owed)
    return WAGER.of(wager, owed=owed, owed_amount=answered.amount(wager.owed, currency), **money)


def _facts(played: Played, facts: Sequence[Recorded]) -> list[Item]:
    rows = [
        (
            played.property,
            fact.position,
            played.stream,
            fact.number,
            kind_of(fact.fact),
            fact.fact.uid,
            fact.fact.round,
            timestamp(fact.recorded_at),
            fact.body.decode(),
        )
        for fact in facts
    ]
    return answered.items("facts", FACTS, rows, played.property)


def _given(request: Any, content: Item, property: str, description: str) -> HttpResponse:
    return conditional_response(
        request,
        answered.encoded(content),
        lambda: view_log.record_report(request.user, property, description, reverse("api-docs")),
    )

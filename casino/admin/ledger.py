"""Lists of facts and findings. Facts are searched by exact keys, because the ledger is too large
to browse.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC
from typing import Any
from uuid import UUID

from django.contrib import admin
from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.http import HttpRequest
from django.utils.html import format_html
from msgspec import json

from audit import models as ledger
from audit.facts import KINDS
from audit.facts.codec import decode
from audit.facts.input_parsing import whole
from audit.facts.vocabulary import WITHDRAWN
from audit.queries.facts import recorded_finding_id
from audit.review import verdicts
from audit.tree import checkpoints
from casino import models as house
from casino.accounts.permissions import properties
from casino.admin.read_only_list import FixedFilter, PropertyFilter, ReadOnly
from casino.admin.site import KeyPaginator
from casino.admin.stream_links import links_of, stream_parts
from casino.presentation.fact_descriptions import sentence
from casino.presentation.formatting import date_time, finding_sentence, money
from games.kit.codes import GRADE

OPENINGS = ("table-opened", "dealer-seated", "round-opened", "corrected")
"""The kinds of fact in a partial index. The index finds the last opening of a table before a fact."""


class KindInStream(admin.SimpleListFilter):
    """A filter by kind of fact. It is offered only when a stream is searched, because facts of the whole
    ledger are not indexed by kind.
    """

    title = parameter_name = "kind"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(kind, kind) for kind in sorted(KINDS)] if _stream(request) else []

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(kind=self.value()) if self.value() else queryset


class Grade(FixedFilter):
    title = parameter_name = "grade"
    words = tuple(dict.fromkeys(GRADE.values()))


class Code(FixedFilter):
    title = parameter_name = "code"
    words = tuple(sorted(GRADE))


class AfterCheckpoint(admin.SimpleListFilter):
    """A filter for the facts after the last checkpoint of a property. The checkpoint does not prove them."""

    title, parameter_name = "checkpoint", "after_checkpoint"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("1", "after the last one")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if self.value() != "1":
            return queryset
        places = properties(request.user, "see-facts")
        latest = {place: checkpoints.latest(place) for place in places}
        later = Q(property__in=[place for place, checkpoint in latest.items() if checkpoint is None])
        for place, checkpoint in latest.items():
            if checkpoint is not None:
                later |= Q(property=place, position__gt=checkpoint.size)
        return queryset.filter(later)


def _with_opening(rows: QuerySet[Any]) -> QuerySet[Any]:
    """Add to each of these facts or findings the body of the fact that opened its table: the last opening in
    the same stream that does not come after it.
    """
    opened = ledger.Fact.objects.filter(
        property=OuterRef("property"),
        stream=OuterRef("stream"),
        number__lte=OuterRef("number"),
        kind="table-opened",
    )
    opened = opened.filter(kind__in=OPENINGS).order_by("-number")
    annotated: QuerySet[Any] = rows.annotate(opening=Subquery(opened.values("body")[:1]))
    return annotated


def _currency(row: Any) -> str:
    """Return the currency in which the table of a fact or finding was open. It is empty for a fact that
    belongs to no table.
    """
    return str(json.decode(bytes(row.opening)).get("currency", "")) if row.opening is not None else ""


def _amount(amount: Any, currency: str) -> str:
    """Return minor units as an amount with its currency, or as minor units if the currency is unknown."""
    if amount is None:
        return ""
    return f"{money(amount, currency)} {currency}" if currency else f"{amount} minor units"


def _stream(request: HttpRequest) -> str | None:
    """Return the stream from a search term such as property/table/day or property/table/day#number. Return
    None for any other term.
    """
    term = request.GET.get("q", "").strip().partition("#")[0]
    return term if term.count("/") == 2 else None


class InStream(ReadOnly):
    """A list whose rows belong to a stream, with links from the page of a row to its hand and its table."""

    def get_object(self, request: HttpRequest, object_id: str, from_field: Any = None) -> Any:
        """Return the row with the user who looks at it, because some links are not for every user."""
        row: Any = super().get_object(request, object_id, from_field)
        if row is not None:
            row.viewer = request.user
        return row

    @admin.display(description="stream")
    def of_stream(self, row: Any) -> str:
        return stream_parts(row.stream)

    @admin.display(description="see also")
    def pages(self, row: Any) -> str:
        return links_of(row.viewer, row.property, row.stream, row.number, row.round)


@admin.register(ledger.Fact)
class FactAdmin(InStream):
    act = "see-facts"
    list_display = ("position", "of_stream", "number", "kind", "round", "recorded")
    list_filter = (PropertyFilter, KindInStream, AfterCheckpoint)
    search_fields = ("stream",)
    search_help_text = (
        "A position, a whole uid, a stream (aurora/EOU-01/2026-11-27), or one fact of it"
        " (aurora/EOU-01/2026-11-27#12)"
    )
    fields = readonly_fields = (
        "property",
        "position",
        "stream",
        "number",
        "kind",
        "round",
        "uid",
        "recorded",
        "described",
        "pages",
        "leaf_hash",
        "chain_hash",
        "as_recorded",
    )

    def get_ordering(self, request: HttpRequest) -> tuple[str, ...]:
        """Return the order of the list. If a stream is searched, its facts are ordered by number, because
        this order has an index. In all other lists, the newest fact comes first.
        """
        return ("number",) if _stream(request) else ("-position",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows = super().get_queryset(request)
        listed = request.resolver_match is not None and str(request.resolver_match.url_name).endswith(
            "_changelist"
        )
        return rows.defer("body", "leaf", "chain") if listed else _with_opening(rows)

    def found(self, queryset: QuerySet[Any], term: str) -> QuerySet[Any]:
        stream, _, number = term.partition("#")
        if stream.count("/") == 2:
            return (
                queryset.filter(stream=stream, number=number)
                if _is_a_number(number)
                else queryset.filter(stream=stream)
            )
        if _is_a_number(term):
            return queryset.filter(position=int(term))
        try:
            return queryset.filter(uid=UUID(term))
        except ValueError:
            return queryset.none()

    @admin.display(description="recorded at (UTC)")
    def recorded(self, fact: ledger.Fact) -> str:
        return date_time(fact.recorded_at, UTC)

    @admin.display(description="leaf (SHA-256)")
    def leaf_hash(self, fact: ledger.Fact) -> str:
        return bytes(fact.leaf).hex()

    @admin.display(description="chain (SHA-256)")
    def chain_hash(self, fact: ledger.Fact) -> str:
        return bytes(fact.chain).hex()

    @admin.display(description="in words")
    def described(self, fact: Any) -> str:
        """Return the fact as a sentence, with amounts in the currency of its table."""
        return sentence(decode(bytes(fact.body)), _currency(fact))

    @admin.display(description="body as recorded (amounts in minor units)")
    def as_recorded(self, fact: ledger.Fact) -> str:
        return format_html('<pre class="body">{}</pre>', json.format(bytes(fact.body), indent=2).decode())


def _is_a_number(text: str) -> bool:
    return whole(text) is not None


WHAT_IS_WRONG = ("code", "sentence", "owed_amount", "moved_amount", "grade", "spot", "wager")
"""The columns of a finding in the list, which its page shows too."""


@admin.register(house.Finding)
class FindingAdmin(InStream):
    act = "see-findings"
    paginator = KeyPaginator
    list_display: tuple[str, ...] = ("of_stream", "number", "code", "listed", *WHAT_IS_WRONG[2:], "verdict")
    fields = readonly_fields = (
        "property",
        "id",
        "stream",
        "number",
        "uid",
        "reader",
        "round",
        *WHAT_IS_WRONG,
        "verdict",
        "pages",
        "cite",
        "slip",
    )
    list_filter = (PropertyFilter, Grade, Code)
    ordering = ("stream", "number")
    search_fields = ("stream",)
    search_help_text = "A whole stream, such as aurora/EOU-01/2026-11-27, or the whole id of a finding"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return _with_opening(super().get_queryset(request))

    @admin.display(description="owed")
    def owed_amount(self, finding: Any) -> str:
        return _amount(finding.owed, _currency(finding))

    @admin.display(description="moved")
    def moved_amount(self, finding: Any) -> str:
        return _amount(finding.moved, _currency(finding))

    @admin.display(description="verdict")
    def verdict(self, finding: Any) -> str:
        """Return the verdict that counts. Return `open` if no verdict counts yet."""
        verdict = finding.verdict if hasattr(finding, "verdict") else _verdicts([finding]).get(finding.id)
        return verdict or "open"

    @admin.display(description="finding")
    def sentence(self, finding: house.Finding) -> str:
        return finding_sentence(finding.says)

    @admin.display(description="finding")
    def listed(self, finding: Any) -> str:
        """Return the sentence. On a phone, amounts and verdict have no column and are shown under it."""
        owed, moved = self.owed_amount(finding), self.moved_amount(finding)
        words = "; ".join(
            filter(None, (owed and f"owed {owed}", moved and f"moved {moved}", self.verdict(finding)))
        )
        return format_html('{}<small class="phone">{}</small>', self.sentence(finding), words)

    def get_object(self, request: HttpRequest, object_id: str, from_field: Any = None) -> Any:
        """Return the finding with this id. The uid in the id may be in upper or lower case."""
        finding: Any = self._by_id(self.get_queryset(request), request, object_id).first()
        if finding is not None:
            finding.viewer = request.user
        return finding

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        """Return the list with the verdicts of all findings of its page, which are read in one query."""
        page: Any = super().get_changelist_instance(request)
        page.result_list = list(page.result_list)
        decided = _verdicts(page.result_list)
        for finding in page.result_list:
            finding.verdict = decided.get(finding.id)
        return page

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Return the findings that match a search term. A term with a colon is the id of a finding. Any other
        term is a stream.
        """
        if ":" in search_term:
            return self._by_id(queryset, request, search_term.strip()), False
        return super().get_search_results(request, queryset, search_term)

    def _by_id(self, queryset: QuerySet[Any], request: HttpRequest, id: str) -> QuerySet[Any]:
        places = properties(request.user, self.act)
        return queryset.filter(id__in={recorded_finding_id(property, id) for property in places})


def _verdicts(findings: Sequence[Any]) -> dict[str, str]:
    """Return {id of a finding: the verdict that counts} for findings of one property."""
    if not findings:
        return {}
    ids = [finding.id for finding in findings]
    latest = verdicts.latest(findings[0].property, ids)
    return {id: verdict for id, verdict in latest.items() if verdict != WITHDRAWN}

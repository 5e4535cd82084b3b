"""Lists of facts, findings, tally and jobs. Facts are searched by exact keys, because the ledger is too large
to browse.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils.html import format_html
from django.views.decorators.http import require_POST
from msgspec import json

from audit import models as ledger
from audit.facts import KINDS
from audit.facts.clock import offset_of
from audit.facts.codec import decode
from audit.facts.input_parsing import whole
from audit.jobs import leases
from audit.queries import heads, job_alarms
from audit.queries.facts import recorded_finding_id
from audit.tree import checkpoints
from casino import models as house
from casino.accounts.permissions import can, properties, require
from casino.admin.read_only_list import FixedFilter, ListOnly, PropertyFilter, ReadOnly
from casino.admin.site import KeyPaginator
from casino.presentation.fact_descriptions import sentence
from casino.presentation.formatting import date_time, day_label, finding_sentence, money
from games.kit.codes import GRADE

OPENINGS = ("table-opened", "dealer-seated", "round-opened", "corrected")
"""The kinds of fact in a partial index. The index finds the last opening of a table before a fact."""

HOUR = len("2026-11-27T20")
"""The part of an hour of the tally before the offset of the device's clock."""


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


class State(FixedFilter):
    title = parameter_name = "state"
    words = ("due", "taken", "done", "set-aside")


class Attention(admin.SimpleListFilter):
    """A filter by the reason why a job needs attention. A home page counts the same jobs."""

    title = parameter_name = "attention"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        fields = [(field, field) for field in job_alarms.OF_FIELD]
        return [("all", "all that need it"), *fields, ("waiting", "facts not examined yet")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        value = self.value()
        if value not in dict(self.lookup_choices):
            return queryset
        places = properties(request.user, "see-jobs")
        if value == "waiting":
            return queryset.filter(pk__in=heads.waiting_jobs(places))
        return queryset.filter(pk__in=job_alarms.ids(places, "" if value == "all" else value))


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


@admin.register(ledger.Fact)
class FactAdmin(ReadOnly):
    act = "see-facts"
    list_display = ("position", "stream", "number", "kind", "round", "recorded")
    list_filter = (PropertyFilter, KindInStream, AfterCheckpoint)
    search_fields = ("stream",)
    search_help_text = "A position, a uid, a stream (aurora/EOU-01/2026-11-27), or one fact of it (…#12)"
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
class FindingAdmin(ReadOnly):
    act = "see-findings"
    paginator = KeyPaginator
    list_display: tuple[str, ...] = ("stream", "number", *WHAT_IS_WRONG)
    fields = readonly_fields = (
        "property",
        "id",
        "stream",
        "number",
        "uid",
        "reader",
        "round",
        *WHAT_IS_WRONG,
        "cite",
        "slip",
    )
    list_filter = (PropertyFilter, Grade, Code)
    ordering = ("stream", "number")
    search_fields = ("stream",)
    search_help_text = "A stream, such as aurora/EOU-01/2026-11-27, or a finding's id"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return _with_opening(super().get_queryset(request))

    @admin.display(description="owed")
    def owed_amount(self, finding: Any) -> str:
        return _amount(finding.owed, _currency(finding))

    @admin.display(description="moved")
    def moved_amount(self, finding: Any) -> str:
        return _amount(finding.moved, _currency(finding))

    @admin.display(description="finding")
    def sentence(self, finding: house.Finding) -> str:
        return finding_sentence(finding.says)

    def get_object(self, request: HttpRequest, object_id: str, from_field: Any = None) -> Any:
        """Return the finding with this id. The uid in the id may be in upper or lower case."""
        return self._by_id(self.get_queryset(request), request, object_id).first()

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


@admin.register(house.Tally)
class TallyAdmin(ListOnly):
    act = "see-hold"
    list_display = (
        "stream",
        "currency",
        "shift",
        "begins",
        "dealer",
        "wager",
        "rounds",
        "bets",
        "staked_amount",
        "paid_amount",
        "taken_amount",
        "returned_amount",
        "pay_table",
        "price_class",
    )
    ordering = ("stream", "currency", "shift", "hour", "dealer", "wager", "pay_table", "price_class")
    search_fields = ("stream",)
    search_help_text = "A stream, such as aurora/EOU-01/2026-11-27"

    @admin.display(description="hour from")
    def begins(self, row: house.Tally) -> str:
        """Return the beginning of the hour by the device's clock, such as `28 Oct 2026, 06:00 UTC-07:00`."""
        if not row.hour:
            return ""
        at = datetime.fromisoformat(f"{row.hour[:HOUR]}:00{row.hour[HOUR:]}")
        return f"{day_label(at.date())}, {at:%H:%M} UTC{offset_of(at)}"

    @admin.display(description="staked")
    def staked_amount(self, row: house.Tally) -> str:
        return money(int(row.staked), row.currency)

    @admin.display(description="paid")
    def paid_amount(self, row: house.Tally) -> str:
        return money(int(row.paid), row.currency)

    @admin.display(description="taken")
    def taken_amount(self, row: house.Tally) -> str:
        return money(int(row.taken), row.currency)

    @admin.display(description="returned")
    def returned_amount(self, row: house.Tally) -> str:
        return money(int(row.returned), row.currency)


@admin.register(ledger.Job)
class JobAdmin(ReadOnly):
    act, revive_act = "see-jobs", "revive-job"
    list_display = (
        "id",
        "state",
        "key",
        "error",
        "due_at",
        "attempts",
        "interruptions",
        "done",
        "total",
        "lease_until",
    )
    list_filter = (PropertyFilter, State, Attention)
    ordering = ("-id",)
    search_fields = ("key",)
    search_help_text = "The whole key of a job"

    def get_urls(self) -> Any:
        """Return the URLs of the list and its rows, and the URL at which a job is made due again."""
        revive = self.admin_site.admin_view(require_POST(self.revive))
        return [path("<int:id>/revive/", revive, name="audit_job_revive"), *super().get_urls()]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> Any:
        """Show one job, and who made it due again. Users who may make jobs due again also get a button for
        it.
        """
        job: Any = self.get_object(request, object_id)
        shown = {
            "may_revive": job is not None
            and (job.state == "set-aside" or (job.state == "due" and job.interruptions > 0))
            and can(request.user, self.revive_act, job.property),
            "revivals": ledger.JobRevival.objects.filter(job=job.id).order_by("-id")[:20] if job else (),
        }
        return super().change_view(request, object_id, form_url, {**shown, **(extra_context or {})})

    def revive(self, request: HttpRequest, id: int) -> HttpResponse:
        """Make a job due again, and record who did it. Only users with the permission may do so."""
        if not properties(request.user, self.revive_act):
            raise PermissionDenied(self.revive_act)
        job: Any = self.get_object(request, str(id))
        if job is None:
            raise Http404(id)
        require(request.user, self.revive_act, job.property)
        if leases.revive([job.id], str(request.user.pk)):
            messages.success(request, "The job is due again.")
        else:
            messages.info(request, "The job is neither set aside nor waiting, so nothing was changed.")
        return redirect("admin:audit_job_change", job.id)

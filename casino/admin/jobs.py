"""The list of jobs in the admin. Users with the permission make a failed job due again on its page."""

from __future__ import annotations

from datetime import UTC
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils.html import format_html
from django.views.decorators.http import require_POST

from audit import models as ledger
from audit.jobs import leases
from audit.queries import heads, job_alarms
from casino.accounts.permissions import can, properties, require
from casino.admin.read_only_list import FixedFilter, PropertyFilter, ReadOnly
from casino.admin.stream_links import stream_parts
from casino.presentation.formatting import date_time


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


LABELS = {
    "id": "Number",
    "due_at": "Due at",
    "error": "Last error",
    "attempts": "Failed in a row (times)",
    "interruptions": "Ended by an outage in a row (times)",
    "asked": "Requested (times)",
    "done": "Steps done",
    "total": "Steps in all",
    "cursor": "Done up to (number in the stream, or position)",
    "rung_at": "Workers last notified at",
    "renewed_at": "Last sign of work at",
    "lease": "Lease",
    "lease_until": "Lease until",
}
"""The labels of a job's fields on its page, in this order after what the job is about."""


@admin.register(ledger.Job)
class JobAdmin(ReadOnly):
    act, revive_act = "see-jobs", "revive-job"
    list_display = ("id", "state", "about", "due", "failed", "steps")
    list_filter = (PropertyFilter, State, Attention)
    ordering = ("-id",)
    search_fields = ("key",)
    search_help_text = "The whole key of a job, such as examine-stream aurora aurora/EOU-01/2026-11-27"
    fields = readonly_fields = ("state", "kind", "key", "property", "stream", *LABELS)

    @admin.display(description="key and last error")
    def about(self, job: ledger.Job) -> str:
        """Return the key, the last error, and on a narrow screen what has no column there."""
        words = (f"due {self.due(job)}", *filter(None, (self.failed(job), self.steps(job))))
        return format_html(
            '{}<small class="error">{}</small><small class="narrow">{}</small>',
            stream_parts(job.key),
            job.error,
            "; ".join(words),
        )

    @admin.display(description="due at (UTC)")
    def due(self, job: ledger.Job) -> str:
        return date_time(job.due_at, UTC)

    @admin.display(description="failed in a row", empty_value="–")
    def failed(self, job: ledger.Job) -> str:
        """Return how often the job failed or was ended by an outage since it last succeeded."""
        numbers = ((job.attempts, "failed"), (job.interruptions, "ended by an outage"))
        return ", ".join(f"{number} {label}" for number, label in numbers if number)

    @admin.display(description="steps done", empty_value="–")
    def steps(self, job: ledger.Job) -> str:
        return f"{job.done:,} of {job.total:,}" if job.total else ""

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        """Return the form of the page, with a label in words for each field."""
        return super().get_form(request, obj, change, **kwargs | {"labels": LABELS})

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

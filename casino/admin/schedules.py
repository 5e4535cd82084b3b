"""Schedules in the admin: which report is archived for every shift, day or month. Users who may schedule
reports can edit the schedules of their properties.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar

from django import forms
from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django_celery_beat import models as beat
from msgspec import json

from casino.accounts.permissions import properties
from casino.admin.read_only_list import Titled
from casino.exports import deliver, schedules
from casino.exports.archive import orders
from casino.exports.formats.registry import ARCHIVE_CHOICES, download_of
from casino.exports.schedules import PERIODS, TASK
from casino.models import Asking, Schedule
from casino.models.schedules import run_times
from casino.presentation.formatting import code_label, dates_in_words
from casino.reports import catalog

if TYPE_CHECKING:
    Form = forms.ModelForm[Any]
else:
    Form = forms.ModelForm

ACT = "schedule-report"


def _titles(names: Iterable[str]) -> str:
    """Return the titles of these reports, by which the page offers them."""
    return "; ".join(catalog.report(name).TITLE for name in names)


def _format_label(name: str) -> str:
    """Return the name of a format as the page of exports offers it. That page does not offer `table`."""
    download = download_of(name)
    return name if download is None else download.label


SHIFT_HELP = (
    "Each period is exported once, after it has ended. These reports can cover one shift:"
    f" {_titles(filter(catalog.knows_shifts, catalog.names()))}. Any other report covers the gaming day"
    " up to the end of the shift."
)
REPORT_FIELDS = ("property", "report", "by", "of", "books", "format")
ALL, CHOSEN, NOWHERE = "", "chosen", "none"
DELIVERY = ("deliver", "deliver_to")
SHOWN = 7
"""Number of periods without tables that the page of a schedule names."""


class GroupingWidget(forms.CheckboxSelectMultiple):
    """Checkboxes for the groupings of all reports. Each box names the reports that have the grouping, so that
    the script of the page can show only those of the chosen report.
    """

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option: dict[str, Any] = super().create_option(name, value, *args, **kwargs)
        having = [report for report in catalog.names() if value in catalog.report(report).BY]
        option["attrs"]["data-reports"] = " ".join(having)
        return option


class GroupingField(forms.MultipleChoiceField):
    """The groupings of a schedule's report. The form checks them, because they depend on the report."""

    def __init__(self, **kwargs: Any) -> None:
        names = dict.fromkeys(by for report in catalog.names() for by in catalog.report(report).BY)
        super().__init__(choices=[(name, code_label(name)) for name in names], **kwargs)

    def valid_value(self, value: str) -> bool:
        return True


class ScheduleForm(Form):
    """A form for a schedule. Celery beat stores the schedule's settings as the arguments of its task."""

    places: ClassVar[list[str]] = []
    property = forms.ChoiceField()
    report = forms.ChoiceField(choices=[(name, catalog.report(name).TITLE) for name in catalog.names()])
    by = GroupingField(
        required=False,
        label="Grouped by",
        widget=GroupingWidget,
        help_text="What the rows are grouped by. If nothing is checked, the report's default is used.",
    )
    of = forms.ChoiceField(
        choices=[(name, name) for name in PERIODS], label="For every", help_text=SHIFT_HELP
    )
    books = forms.ChoiceField(
        required=False,
        choices=[
            ("", "all facts"),
            ("closed", "closed books, when every table is closed"),
            ("restated", "restated books, when every table is closed"),
        ],
        help_text=f"Reports with closed and restated books: {_titles(sorted(orders.FROM_BOOKS))}.",
    )
    format = forms.ChoiceField(
        choices=[(name, _format_label(name)) for name in ("table", *ARCHIVE_CHOICES)], initial="csv"
    )
    deliver = forms.ChoiceField(
        required=False,
        choices=[
            (ALL, "all configured places of the property"),
            (CHOSEN, "only the places checked below"),
            (NOWHERE, "no place: it is only archived"),
        ],
    )
    deliver_to = forms.MultipleChoiceField(
        required=False, label="Places", widget=forms.CheckboxSelectMultiple
    )

    class Meta:
        model = Schedule
        fields = ("name", "crontab", "enabled")
        labels: ClassVar[dict[str, str]] = {"crontab": "Runs", "enabled": "In force"}
        error_messages: ClassVar[dict[str, Any]] = {"name": {"unique": "This name is taken. Choose another."}}
        help_texts: ClassVar[dict[str, str]] = {
            "name": "Each period is exported once under this name.",
            "crontab": (
                "When the schedule runs, in UTC. Running more often orders a report sooner, never twice."
            ),
            "enabled": "",
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["crontab"].required = True
        self.fields["crontab"].label_from_instance = run_times  # type: ignore[attr-defined]
        self.fields["property"].choices = [(name, name) for name in self.places]  # type: ignore[attr-defined]
        chosen: tuple[str, ...] | None = None
        if self.instance.pk:
            schedule = schedules.read(json.decode(self.instance.kwargs))
            for name in REPORT_FIELDS:
                self.initial[name] = list(schedule.by) if name == "by" else getattr(schedule, name)
            chosen = schedule.deliver_to
        self.initial["deliver"] = ALL if chosen is None else CHOSEN if chosen else NOWHERE
        self.initial["deliver_to"] = list(chosen or ())
        known = deliver.names(self.places)
        choices = [(name, deliver.label(name)) for name in known]
        choices += [
            (name, f"{deliver.label(name)} (not configured any more)")
            for name in chosen or ()
            if name not in known
        ]
        self.fields["deliver_to"].choices = choices  # type: ignore[attr-defined]
        if not choices:
            self.fields["deliver_to"].help_text = "No places are configured (CATWALK_EXPORT_COPIES)."

    def validate_unique(self) -> None:
        """Skip the library's check if no time is chosen: its message names fields that the page has not."""
        if "crontab" in self.cleaned_data:
            super().validate_unique()

    def clean_deliver_to(self) -> list[str]:
        """Check the places against the choice above them and against the property of the schedule."""
        chosen: list[str] = self.cleaned_data["deliver_to"]
        choice = self.cleaned_data.get("deliver", ALL)
        if choice != CHOSEN and chosen:
            raise forms.ValidationError("Places are checked, but another delivery is chosen above.")
        if choice == CHOSEN and not chosen:
            raise forms.ValidationError("Check at least one place.")
        property = self.cleaned_data.get("property", "")
        own = deliver.names([property])
        if property and (strange := [name for name in chosen if name not in own]):
            raise forms.ValidationError(f"{', '.join(strange)} gets no exports of {property}.")
        return chosen

    def _deliver_to(self) -> tuple[str, ...] | None:
        """Return the places that the form chooses, or None if it chooses all."""
        is_all = self.cleaned_data.get("deliver", ALL) == ALL
        return None if is_all else tuple(self.cleaned_data.get("deliver_to", ()))

    def clean(self) -> dict[str, Any]:
        """Show each error about the report at the field that causes it."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if (
            "report" not in cleaned
            or "property" not in cleaned
            or not (cleaned.get("name") or self.instance.name)
        ):
            return cleaned
        report = catalog.report(cleaned["report"])
        chosen = [name for name in cleaned.get("by", ()) if name]
        if strange := [name for name in chosen if name not in report.BY]:
            known = (
                f"Choose from {', '.join(report.BY)}."
                if report.BY
                else "This report has no groupings: check none."
            )
            listed = ", ".join(strange)[:100]
            self.add_error("by", f"{report.TITLE} cannot be grouped by {listed}. {known}")
        by = tuple(name for name in report.BY if name in chosen) or report.DEFAULT_BY
        before = self.initial.get("by", [])
        if set(by) == set(before):  # the order of the columns of the exports stays
            by = tuple(before)
        if says := orders.books_error(cleaned["report"], cleaned.get("books", "")):
            self.add_error("books", f"{says} Choose “all facts”.")
        name = cleaned.get("name") or self.instance.name
        schedule = schedules.Schedule(
            name,
            cleaned["property"],
            cleaned["report"],
            by,
            cleaned.get("format", ""),
            cleaned.get("of", ""),
            cleaned.get("books", ""),
            self._deliver_to(),
        )
        self.instance.task, self.instance.kwargs = TASK, schedule.to_json()
        return cleaned


class SchedulingAdmin(Titled):
    """The list of schedules. Users who may schedule reports can edit them; users who may see jobs can only
    read them.
    """

    actions = None
    show_facets = admin.ShowFacets.NEVER

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(self.places(request))

    has_module_permission = has_view_permission

    def has_add_permission(self, request: HttpRequest) -> bool:
        return bool(properties(request.user, ACT))

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.has_add_permission(request)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def places(self, request: HttpRequest) -> list[str]:
        return sorted({*properties(request.user, ACT), *properties(request.user, "see-jobs")})


@admin.register(Schedule)
class ScheduleAdmin(SchedulingAdmin):
    form = ScheduleForm

    class Media:
        js = ("catwalk/schedule_form.js",)

    list_display: tuple[str, ...] = ("name", "in_force", "report", "every", "asked", "delivered", "place")
    fields: ClassVar[Any] = ("name", *REPORT_FIELDS, *DELIVERY, "crontab", "enabled")
    ordering = ("name",)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return True if the user may schedule reports at the schedule's property. Users who have this right
        only at other properties can still read the schedule.
        """
        own = properties(request.user, ACT)
        return bool(own) if obj is None else _settings_of(obj).property in own

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        if obj is not None and not self.has_change_permission(request, obj):
            words = {"help_texts": {"name": "", "enabled": ""}, "labels": {"enabled": "In force"}}
            return super().get_form(
                request, obj, change, **kwargs | words | {"form": forms.ModelForm, "fields": ()}
            )
        form = super().get_form(request, obj, change, **kwargs)
        return type("ScheduleFormHere", (form,), {"places": properties(request.user, ACT)})

    def get_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """Return the fields of the page. Users who can only read get the columns of the list as fields."""
        own: tuple[str, ...] = self.fields
        if obj is None:
            return own
        return (*(own if self.has_change_permission(request, obj) else self.list_display), "no_tables")

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """Return the fields that the user cannot change. The name of an existing schedule is one of them,
        because Catwalk stores under this name which periods the schedule has ordered.
        """
        return (
            ()
            if obj is None
            else ("name", "no_tables")
            if self.has_change_permission(request, obj)
            else (*self.list_display, "no_tables")
        )

    def construct_change_message(
        self, request: HttpRequest, form: Any, formsets: Any, add: bool = False
    ) -> Any:
        """Return the text for the history: the values before and after the change."""
        if add:
            return super().construct_change_message(request, form, formsets, add)
        fields = [_change_of(form, name) for name in form.changed_data]
        return [{"changed": {"fields": fields}}] if fields else []

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows: QuerySet[Any] = super().get_queryset(request).filter(task=TASK)
        own = Q(pk__in=())
        for place in self.places(request):
            own |= Q(kwargs__contains=f'"property":{json.encode(place).decode()}')
        return rows.filter(own)

    @admin.display(description="in force")
    def in_force(self, schedule: Schedule) -> str:
        return "yes" if schedule.enabled else "no"

    @admin.display(description="property")
    def place(self, schedule: Schedule) -> str:
        return _settings_of(schedule).property

    @admin.display
    def report(self, schedule: Schedule) -> str:
        """Return what the schedule exports, such as `Hold by table, closed books, as CSV`."""
        texts = _settings_of(schedule)
        by = f" by {', '.join(map(code_label, texts.by)).lower()}" if texts.by else ""
        books = f", {texts.books} books" if texts.books else ""
        title = catalog.report(texts.report).TITLE if texts.report in catalog.names() else texts.report
        return f"{title}{by}{books}, as {_format_label(texts.format)}"

    @admin.display(description="for every")
    def every(self, schedule: Schedule) -> str:
        return _settings_of(schedule).of

    @admin.display(description="delivered to")
    def delivered(self, schedule: Schedule) -> str:
        settings = _settings_of(schedule)
        if settings.deliver_to is not None:
            return ", ".join(map(deliver.label, settings.deliver_to)) or "no place"
        known = deliver.names([settings.property])
        return f"all places: {', '.join(map(deliver.label, known))}" if known else "no place is configured"

    @admin.display(description="no document")
    def no_tables(self, schedule: Schedule) -> str:
        """Return a text with the latest periods in which no table was open, so that nothing was exported."""
        periods = schedules.without_tables(_settings_of(schedule))
        if not periods:
            return ""
        others = f" and {len(periods) - SHOWN} more" if len(periods) > SHOWN else ""
        return f"No tables: {', '.join(map(dates_in_words, periods[:SHOWN]))}{others}"

    @admin.display(description="runs")
    def asked(self, schedule: Schedule) -> str:
        """Return in words when the schedule runs, such as `Every 10 minutes UTC`."""
        return run_times(schedule.crontab)


def _change_of(form: Any, name: str) -> str:
    """Return a field's value before and after a change, as the form shows it."""
    field, before = form[name], form.initial.get(name)
    if name == "crontab":
        before = Asking.objects.filter(pk=before).first()
    texts = [
        ", ".join(value)
        if isinstance(value, list)
        else run_times(value)
        if isinstance(value, beat.CrontabSchedule)
        else value
        for value in (before, form.cleaned_data[name])
    ]
    old, new = (str(text) if text not in ("", None) else "nothing" for text in texts)
    return f"{field.label} ({old} → {new})"


def _settings_of(schedule: Any) -> schedules.Schedule:
    return schedules.read(json.decode(schedule.kwargs))


for _model in (
    beat.PeriodicTask,
    beat.CrontabSchedule,
    beat.IntervalSchedule,
    beat.SolarSchedule,
    beat.ClockedSchedule,
):
    admin.site.unregister(_model)

"""The times at which schedules run, in the admin. Schedules are listed in `admin/schedules.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from django import forms
from django.contrib import admin
from django.http import HttpRequest

from casino.admin.schedules import SchedulingAdmin
from casino.models import Asking

if TYPE_CHECKING:
    Form = forms.ModelForm[Any]
else:
    Form = forms.ModelForm


class RunTimesForm(Form):
    """The form for new times, with labels and examples in Catwalk's words instead of the library's."""

    class Meta:
        model = Asking
        fields = ("minute", "hour", "day_of_week", "day_of_month", "month_of_year")
        labels: ClassVar[dict[str, str]] = {
            "minute": "Minutes",
            "hour": "Hours (UTC)",
            "day_of_week": "Days of the week",
            "day_of_month": "Days of the month",
            "month_of_year": "Months",
        }
        help_texts: ClassVar[dict[str, str]] = {
            "minute": "0 to 59, such as 0,30; */10 is every 10 minutes, and * is every minute",
            "hour": "0 to 23, such as 6,14,22; * is every hour",
            "day_of_week": "0 to 6, from Sunday to Saturday, such as 1,5; * is every day",
            "day_of_month": "1 to 31, such as 1,15; * is every day",
            "month_of_year": "1 to 12, such as 1,12; * is every month",
        }


@admin.register(Asking)
class RunTimesAdmin(SchedulingAdmin):
    form = RunTimesForm
    list_display = ("__str__",)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse changes of a time, because several schedules may share it. Users add a new time and select
        it instead.
        """
        return False

"""The form of a schedule in the admin has a checkbox for each grouping. The server refuses groupings that the
chosen report does not have.
"""

from __future__ import annotations

import html
import json
import re
from typing import Any

from django_celery_beat.models import PeriodicTask

from casino.exports import schedules
from casino.reports import catalog
from tests.casino.conftest import Cast
from tests.casino.pages import text
from tests.casino.test_schedules import HOLD, schedule_form


def test_the_form_has_a_box_for_each_grouping_and_keeps_the_order_of_a_schedule(cast: Cast) -> None:
    alma, page = cast.browser("Alma"), "/admin/casino/schedule/"
    boxes = dict(
        re.findall(
            r'<input type="checkbox" name="by" value="(\w+)"[^>]*? data-reports="([^"]*)"',
            alma.get(f"{page}add/").content.decode(),
        )
    )
    by_report = {
        report: {name for name, having in boxes.items() if report in having.split()}
        for report in catalog.names()
    }
    assert by_report == {report: set(catalog.report(report).BY) for report in catalog.names()}

    def stored() -> list[str]:
        by: list[str] = json.loads(PeriodicTask.objects.get(name=HOLD.schedule).kwargs)["by"]
        return by

    schedules.create(HOLD._replace(by=("shift", "table")))
    change = f"{page}{PeriodicTask.objects.get(name=HOLD.schedule).pk}/change/"
    form = schedule_form(name=HOLD.schedule, by=["table", "shift"])
    assert alma.post(change, form | {"format": "xlsx"}).status_code == 302
    assert stored() == ["shift", "table"], "the columns of its exports stay in their order"
    assert alma.post(change, form | {"by": ["shift", "day", "table"]}).status_code == 302
    assert stored() == ["table", "day", "shift"], "the order of the report"
    assert alma.post(change, {name: value for name, value in form.items() if name != "by"}).status_code == 302
    assert stored() == ["table"], "the default of the report"


def test_the_form_names_reports_formats_and_times_in_words(cast: Cast) -> None:
    alma, page = cast.browser("Alma"), "/admin/casino/schedule/"
    assert ">Every 10 minutes UTC</option>" in alma.get(f"{page}add/").content.decode()
    form = html.unescape(alma.get(f"{page}add/").content.decode())
    assert '<option value="csv-excel">CSV for Excel</option>' in form
    assert "restated books: Hold; " in form, "reports have the titles of the list above"
    refused = alma.post(f"{page}add/", schedule_form(crontab="")).content.decode()
    assert refused.count("This field is required.") == 1
    assert "clocked" not in refused, "a field that the page does not have"
    assert alma.post(f"{page}add/", schedule_form(name="nightly")).status_code == 302
    assert ">nightly</a>” was added" in html.unescape(alma.get(page).content.decode())
    taken = alma.post(f"{page}add/", schedule_form(name="nightly")).content.decode()
    assert "This name is taken." in taken


def test_a_schedule_names_the_configured_places_and_does_not_claim_any(cast: Cast, settings: Any) -> None:
    schedules.create(HOLD)
    alma, page = cast.browser("Alma"), "/admin/casino/schedule/"
    settings.EXPORT_COPIES = []
    assert "no place is configured" in text(alma.get(page))
    settings.EXPORT_COPIES = ["aurora=mailto:books@casino.example"]
    assert "all places: mailto:books@casino.example" in text(alma.get(page))


def test_the_history_of_a_schedule_that_no_user_made_says_so(cast: Cast) -> None:
    schedules.create(HOLD)
    key = PeriodicTask.objects.get(name=HOLD.schedule).pk
    page = text(cast.browser("Alma").get(f"/admin/casino/schedule/{key}/history/"))
    assert "No user made or changed this report schedule in the admin" in page


def test_run_times_are_written_with_24_hours_and_labeled_in_words(cast: Cast) -> None:
    alma, page = cast.browser("Alma"), "/admin/casino/asking/"
    form = text(alma.get(f"{page}add/"))
    for label in ("Minutes:", "Hours (UTC):", "Days of the week:", "Days of the month:", "Months:"):
        assert label in form
    times = {"minute": "10", "hour": "3,15", "day_of_week": "*", "day_of_month": "*", "month_of_year": "*"}
    assert alma.post(f"{page}add/", times).status_code == 302
    assert "At 03:10 and 15:10 UTC" in text(alma.get(page))
    assert cast.browser("Igor").post(f"{page}add/", times).status_code == 403

"""A job that failed too often is set aside. Pages of managers and accounting show it. Users with the right
can revive it.
"""

from __future__ import annotations

import pytest
from django.db import connection

from audit import tasks
from audit.jobs import leases
from audit.models import Job, JobRevival
from casino.exports.archive import orders
from tests.casino.conftest import Cast
from tests.casino.test_kept import DAY
from tests.casino.test_reports import felt, record
from tests.furnished import furnishing

NOTICE = "failed or cannot finish"
JOBS = "/admin/audit/job/"


def set_aside(kind: str, property: str = "aurora") -> int:
    """Set aside all jobs of a kind at a property, as if they had failed too often. Return the id of the first
    one.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE job SET state = 'set-aside', attempts = %s, error = 'KeyError: x' WHERE kind = %s AND"
            " property = %s",
            [leases.MOST, kind, property],
        )
    return Job.objects.filter(kind=kind, property=property).order_by("id")[0].id


@furnishing
def failed() -> tuple[Cast, int]:
    cast = Cast()
    record(felt(1000, 100))
    id = orders.order(DAY, "a-101")
    assert id is not None
    set_aside(orders.BUILD_JOB)
    return cast, id


def test_an_export_that_failed_is_shown_and_tried_again_on_its_page(failed: tuple[Cast, int]) -> None:
    cast, id = failed
    page = f"/exports/{id}/"
    for name, code, button in (("Alma", 200, True), ("Boris", 200, False), ("Rhea", 200, False)):
        shown = cast.browser(name).get(page)
        assert (shown.status_code, "Try again" in shown.content.decode()) == (code, button), name
        assert "KeyError: x" in shown.content.decode()
    for name in ("Boris", "Igor", "Rhea", "Mia", "Eve", "Finn"):
        assert cast.browser(name).post(f"{page}retry/").status_code == 403, name
    assert JobRevival.objects.count() == 0
    alma = cast.browser("Alma")
    for address in ("/exports/", "/reports/", "/hold/", "/closing/"):
        assert NOTICE in alma.get(address).content.decode(), address
    assert alma.get(f"{page}retry/").status_code == 405
    assert alma.post(f"{page}retry/")["Location"] == page
    assert [(revival.by, revival.error) for revival in JobRevival.objects.all()] == [("a-101", "KeyError: x")]
    assert alma.post(f"{page}retry/").status_code == 302
    assert JobRevival.objects.count() == 1, "the export has not failed any more"
    tasks.examine(Job.objects.get(kind=orders.BUILD_JOB).id)
    assert NOTICE not in alma.get("/exports/").content.decode()
    assert alma.get(f"{page}file/").status_code == 200
    assert cast.browser("Alma").post("/exports/999/retry/").status_code == 404


def test_an_examination_that_failed_is_revived_on_its_page_by_the_administrator(
    failed: tuple[Cast, int],
) -> None:
    cast, _ = failed
    record(felt(500, 100, "aurora/T2"))
    job = set_aside(leases.STREAM)
    page = f"{JOBS}{job}/"
    assert "Figures and" in cast.browser("Alma").get("/hold/").content.decode()
    assert NOTICE in cast.browser("Mia").get("/admin/").content.decode()
    for name in ("Igor", "Rhea"):
        assert "Try again" not in cast.browser(name).get(f"{page}change/").content.decode(), name
        assert cast.browser(name).post(f"{page}revive/").status_code == 403, name
    for name in ("Alma", "Dana", "Eve"):
        assert cast.browser(name).post(f"{page}revive/").status_code == 403, name
        assert cast.browser(name).get(f"{page}change/").status_code == 403, name
    mia = cast.browser("Mia")
    assert "Try again" in mia.get(f"{page}change/").content.decode()
    assert mia.get(f"{page}revive/").status_code == 405
    assert mia.post(f"{JOBS}999999/revive/").status_code == 404
    assert "is due again" in mia.post(f"{page}revive/", follow=True).content.decode()
    assert [(revival.job, revival.by, revival.property) for revival in JobRevival.objects.all()] == [
        (job, "m-101", "aurora")
    ]
    shown = mia.get(f"{page}change/").content.decode()
    assert "by m-101, after: KeyError: x" in shown
    assert "<button" not in shown.partition("object-tools")[2].partition("Tried again")[0]
    assert "nothing was changed" in mia.post(f"{page}revive/", follow=True).content.decode()
    tasks.examine(job)
    assert Job.objects.get(pk=job).state == "done"


def test_jobs_of_another_property_are_not_shown_and_not_revived(cast: Cast) -> None:
    record(felt(1000, 100, "borealis/T1"))
    job = set_aside(leases.STREAM, "borealis")
    assert NOTICE not in cast.browser("Alma").get("/reports/").content.decode()
    assert cast.browser("Mia").post(f"{JOBS}{job}/revive/").status_code == 404
    assert JobRevival.objects.count() == 0


@pytest.mark.parametrize("address", ["/hold/", "/exports/", "/reports/", "/closing/", "/admin/"])
def test_without_alarms_there_is_no_notice(cast: Cast, address: str) -> None:
    assert 'role="alert"' not in cast.browser("Alma").get(address).content.decode()

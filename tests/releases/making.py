"""Record a small installation with the code of a release, and store what the commands of that release print.

    # in a clean checkout of the release
    CATWALK_DATA=<an empty folder> python -m tests.releases.making TOLD.json.gz
    # with the command of that release, or of the next one
    CATWALK_DATA=<the same folder> python manage.py backup tests/releases/<its commit>

The installation has all seven games, hands without and with planted faults, slips, markers, boxes, counts, a
closed and adjusted day, an open day, verdicts, a flag, archived exports, a schedule, users with passwords,
and tokens. `tests/casino/test_upgrade.py` restores it and compares the output of the present code with the
stored output. The passwords and tokens are valid only for this sample.
"""

from __future__ import annotations

import gzip
import io
import json
import sys
from contextlib import redirect_stderr, suppress
from datetime import date
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any
from uuid import uuid4

import django

FAR = 36_500
"""The number of days for which the tokens are valid. Tests use them for many years."""
OPEN = ("L7-01", "HS-01")
"""Tables whose last day is not closed."""
SPAN = ("--from", "2026-11-26", "--to", "2026-11-28")


def record() -> int:
    """Record a closed day of every table, and for each game a second day of one table with planted faults.
    Return the number of facts.
    """
    from casino.management.commands.demo import post, validated
    from casino.sample import FAULTS, sample_month
    from casino.sample.month.days import DAYS
    from casino.sample.month.sample_property import FLOOR, table_of

    facts = next(facts_of_day for _, facts_of_day in sample_month(days=DAYS[-1:], busy=0))
    games = {game: place for place, (_, game, *_) in reversed([*enumerate(FLOOR)])}
    for game, place in games.items():
        code, _, _, _, faults = FLOOR[place]
        day = table_of(place, 1).day
        day.open()
        for _, fault in faults:
            day.honest()
            FAULTS[game][fault].act(day)
        day.honest()
        if code not in OPEN:
            day.close()
        facts += day.facts()
    post(validated(facts))
    return len(facts)


def judge(people: dict[str, Any]) -> None:
    """Give verdicts of Dana on two hands, reviewed by Dora. Flag a third hand, and adjust a closed day."""
    from audit.findings import read
    from audit.review import hands, verdicts
    from casino.day_close import adjustments
    from casino.day_close.adjustments import Change
    from casino.surveillance import services as surveillance
    from casino.surveillance.services import Words

    grave = [finding for finding, _ in read.findings(code="wrong-settlement")]
    lost = Words("confirmed", "dealer_error_uncorrected_house_loss", note="Seen on camera, twice.")
    for finding, words in zip(grave[:2], (lost, Words("dismissed", "no_error")), strict=True):
        stands = verdicts.findings_of("aurora", finding.stream, finding.round or "")
        played = hands.played("aurora", finding.stream, finding.round or "")
        assert played is not None
        surveillance.give_verdict(people["v-101"], played, stands[:1], words, people["v-102"])
    played = hands.played("aurora", grave[2].stream, grave[2].round or "")
    assert played is not None
    surveillance.flag_hand(people["v-101"], played, "The dealer looked away.")
    change = Change("aurora/EOU-01", date(2026, 11, 26), "drop", 10_000, "a note found in the box")
    adjustments.adjust(people["a-101"], people["a-102"], "aurora", change, uid=str(uuid4()))


def archive_reports() -> dict[int, str]:
    """Archive three reports and create a schedule. Return the SHA-256 of each archived report by its id."""
    from django.db import connection
    from django_celery_beat.models import CrontabSchedule, PeriodicTask

    from audit import tasks
    from casino import tasks as _known  # noqa: F401 - registers the jobs of archived reports
    from casino.exports import schedules
    from casino.exports.archive import orders as kept
    from casino.exports.archive.orders import ExportSpec

    begins, ends = date(2026, 11, 26), date(2026, 11, 27)
    for books, format in (("closed", "csv"), ("restated", "csv"), ("", "xlsx")):
        kept.order(ExportSpec("aurora", "hold", begins, ends, ("table",), format, books), "a-101")
    every = schedules.Schedule("drop of the day", "aurora", "table-drop", ("table",), "csv", "day")
    crontab = CrontabSchedule.objects.create(minute="5", hour="15")
    PeriodicTask.objects.create(
        name=every.schedule, task=schedules.TASK, kwargs=every.to_json(), crontab=crontab
    )
    with connection.cursor() as cursor:
        cursor.execute("SELECT id FROM job WHERE kind = %s AND state = 'due' ORDER BY id", [kept.BUILD_JOB])
        due = [row[0] for row in cursor.fetchall()]
    for job in due:
        tasks.examine(job)
    return {order.id: order.sha256 for order in kept.orders(["aurora"])}


def sign_in_users(logins: list[Any]) -> None:
    """Sign Dana in and let her download a report. This creates a session and an entry of the viewing log. Let
    Eve fail to sign in.
    """
    from django.test import Client

    dana = next(login for login in logins if login.name == "Dana")
    browser = Client(headers={"host": "localhost"})
    assert browser.post("/login/", {"username": dana.id, "password": dana.password}).status_code == 302
    assert browser.get("/reports/slips/csv/?from=2026-11-26&to=2026-11-27").status_code == 200
    assert (
        Client(headers={"host": "localhost"})
        .post("/login/", {"username": "e-101", "password": "a guess of a guess"})
        .status_code
        == 200
    )


def output_of(*command: str) -> str:
    """Run a command and return its output."""
    from django.core.management import call_command

    out = io.StringIO()
    with (
        redirect_stderr(io.StringIO()),
        suppress(SystemExit),
    ):  # the command findings exits with 1 if there are findings
        call_command(*command, stdout=out)
    return out.getvalue()


def exported(dataset: str) -> str:
    """Export a dataset and return the file."""
    with NamedTemporaryFile() as file:
        output_of("export", dataset, *SPAN, "--format", "csv", "--out", file.name)
        return Path(file.name).read_text()


def release_results() -> dict[str, Any]:
    """Return what this release stores and prints: the heads of the ledgers, the findings, the tally, every
    report, and the first line of `verify`.
    """
    from django.db import connection

    from casino.reports import catalog

    with connection.cursor() as cursor:
        cursor.execute("SELECT property, position, encode(chain, 'hex') FROM head ORDER BY property")
        heads = [list(row) for row in cursor.fetchall()]
    return {
        "heads": heads,
        "findings": output_of("findings", "--format", "ndjson"),
        "tally": exported("tally"),
        "reports": {name: output_of("report", name, *SPAN, "--format", "csv") for name in catalog.names()},
        "verified": output_of("verify").splitlines()[0],
    }


def main(out: Path) -> None:
    """Record the installation and write the output of its commands to a file."""
    django.setup()
    from audit.findings import examine as findings
    from casino.accounts import services as accounts
    from casino.models import Person
    from casino.reference.demo_users import create_demo_users
    from casino.sample.month.sample_property import PROPERTY

    assert date.today() > date(2026, 11, 27), "the sample's last day is still to come"  # noqa: DTZ011 - the date of the machine is enough
    facts = record()
    logins = create_demo_users(PROPERTY)
    tokens = {
        "a-101": accounts.issue_token(made_by="m-101", person="a-101", days=FAR),
        "gateway-1": accounts.issue_token(made_by="m-101", property=PROPERTY, device="gateway-1", days=FAR),
    }
    findings.examine()
    judge({person.id: person for person in Person.objects.all()})
    findings.examine()
    sha256 = archive_reports()
    sign_in_users(logins)
    result = release_results() | {
        "recorded": facts,
        "logins": [login[:4] for login in logins],
        "tokens": tokens,
        "kept": sha256,
    }
    out.write_bytes(gzip.compress(json.dumps(result, indent=1).encode(), mtime=0))
    print(f"{facts} sample facts, {result['verified']}; {len(result['findings'].splitlines())} findings")


if __name__ == "__main__":
    main(Path(sys.argv[1]))

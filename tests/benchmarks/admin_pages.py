"""The admin's lists that `pages` requests: every list with many rows, each of its filters, its search, its
last page, and the pages of single rows.
"""

from __future__ import annotations

from random import Random

from tests.benchmarks.served import Officer

SAMPLE = "TABLESAMPLE system (0.01) REPEATABLE (1)"
READER = "i-101"
"""An internal auditor, who may see all of these lists."""
LARGE = {"fact", "finding", "tally", "job"}
"""The models with large lists. `_facts`, `_findings`, `_tally` and `_jobs` return their addresses."""
LAST_PAGE = 200
"""The last page of a list that the admin offers."""


def addresses(rng: Random) -> dict[str, list[str]]:
    """Return the addresses to request, by kind. Each kind begins with `admin`."""
    kinds = {"": ["/admin/"], **_facts(rng), **_findings(), **_tally(), **_jobs(), **_other_lists()}
    return {f"admin {kind}".strip(): addresses for kind, addresses in kinds.items()}


def _facts(rng: Random) -> dict[str, list[str]]:
    rows = _rows(f"SELECT uid, position, stream, number, kind FROM fact {SAMPLE} LIMIT 40")
    last = max(int(position) for _, position, *_ in rows)
    at = "/admin/audit/fact/"
    return {
        "facts": [at, f"{at}?property=aurora"],
        "facts, last page": [f"{at}?p={LAST_PAGE}"],
        "facts, position": [f"{at}?q={rng.randint(1, last)}" for _ in range(20)],
        "facts, uid": [f"{at}?q={uid}" for uid, *_ in rows],
        "facts, stream": [f"{at}?q={stream}" for _, _, stream, *_ in rows],
        "facts, stream, last page": [f"{at}?q={stream}&p=20" for _, _, stream, *_ in rows],
        "facts, stream and kind": [f"{at}?q={stream}&kind={kind}" for _, _, stream, _, kind in rows],
        "facts, rare kind": [f"{at}?q={stream}&kind=table-closed" for _, _, stream, *_ in rows],
        "facts, one of a stream": [f"{at}?q={stream}%23{number}" for *_, stream, number, _ in rows],
        "facts, nothing matches": [f"{at}?q=nothing", f"{at}?q=aurora/T9/2026-01-01", f"{at}?q=99999999999"],
        "fact": [f"{at}{uid}/change/" for uid, *_ in rows],
    }


def _findings() -> dict[str, list[str]]:
    from casino.admin.ledger import Code, Grade

    rows = _rows("SELECT id, stream, code FROM finding TABLESAMPLE system (1) REPEATABLE (1) LIMIT 40")
    at = "/admin/casino/finding/"
    return {
        "findings": [at],
        "findings, last page": [f"{at}?p={LAST_PAGE}"],
        "findings, grade": [f"{at}?grade={grade}" for grade in Grade.words],
        "findings, code": [f"{at}?code={code}" for code in Code.words],
        "findings, both filters": [f"{at}?grade={grade}&code=late-bet" for grade in Grade.words],
        "findings, stream": [f"{at}?q={stream}" for _, stream, _ in rows],
        "findings, stream and code": [f"{at}?q={stream}&code={code}" for _, stream, code in rows],
        "findings, id": [f"{at}?q={id}" for id, *_ in rows],
        "finding": [f"{at}{id}/change/" for id, *_ in rows],
    }


def _tally() -> dict[str, list[str]]:
    rows = _rows("SELECT DISTINCT stream FROM tally TABLESAMPLE system (1) REPEATABLE (1) LIMIT 40")
    at = "/admin/casino/tally/"
    return {
        "tally": [at],
        "tally, last page": [f"{at}?p={LAST_PAGE}"],
        "tally, stream": [f"{at}?q={stream}" for (stream,) in rows],
    }


def _jobs() -> dict[str, list[str]]:
    from casino.admin.jobs import State

    rows = _rows("SELECT id, key FROM job ORDER BY id LIMIT 40")
    at = "/admin/audit/job/"
    return {
        "jobs": [at],
        "jobs, state": [f"{at}?state={state}" for state in State.words],
        "jobs, key": [f"{at}?q={key}" for _, key in rows] or [f"{at}?q=nothing"],
    }


def _other_lists() -> dict[str, list[str]]:
    from django.contrib import admin
    from django.test import RequestFactory
    from django.urls import reverse

    from casino.admin.site import find_lists
    from casino.models import Person

    find_lists()
    request = RequestFactory().get("/admin/")
    request.user = Person.objects.get(pk=READER)
    names = [
        model._meta
        for model, shown in admin.site._registry.items()
        if shown.has_view_permission(request) and model._meta.model_name not in LARGE
    ]
    return {
        f"{name.verbose_name_plural}": [reverse(f"admin:{name.app_label}_{name.model_name}_changelist")]
        for name in names
    }


def _rows(query: str) -> list[tuple[str, ...]]:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(query)
        return [tuple(row) for row in cursor.fetchall()]


def reader() -> Officer:
    """Return the user who reads the admin's lists."""
    from casino.accounts.services import activate_user
    from casino.models import Person
    from casino.reference.entries import Entry
    from casino.reference.recording import set_registers

    if not Person.objects.filter(pk=READER).exists():
        entry = Entry("people", READER, {"role": "internal-audit"})
        set_registers("aurora", [entry], by="m-101", second="m-102")
        activate_user(READER, "Ines")
    return Officer(READER)

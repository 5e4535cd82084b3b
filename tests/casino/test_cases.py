"""Cases: how they are opened, changed and closed, who may see them, and the database tables that are made
from their facts.
"""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import psycopg
from msgspec import json

from audit.findings import examine as findings
from audit.ledger import intake
from audit.ledger.intake import Sender
from audit.review import case_fold, case_tables, hands, queue
from audit.review.case_fold import Part
from casino.cases import queries
from casino.cases.form_views import ACTS
from casino.presentation import formatting
from casino.web import request_params
from tests.casino.casework import (
    CASES,
    HAND,
    OTHERS,
    PNG,
    WATCHERS,
    faults,
    named_file,
    opened,
    post_act,
    state,
    suspicion,
)
from tests.casino.conftest import Cast
from tests.casino.nights import STREAM
from tests.casino.pages import text
from tests.conftest import House

FORM = {
    "hand": [f"{STREAM}|r-0002", f"{STREAM}|r-0004"],
    "property": "aurora",
    "concerns": "dealers-play",
    "title": "Payouts at EOU-07",
    "about": "Two hands.",
    "owner": "v-101",
    "due": "2026-12-04",
    "seen_by": "",
}
REFUSED: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("join", {"what": "hand", "of": "r-0001"}, "is not a hand"),
    ("join", {"what": "hand", "of": "EOU-07 2026-11-27 r-9999"}, "There is no hand"),
    ("join", {"what": "slip", "of": "F-1"}, "There is no slip"),
    ("join", {"what": "count", "of": "x"}, "There is no count"),
    ("join", {"what": "planet", "of": "x"}, "Choose what to add"),
    (
        "join",
        {"what": "hand", "of": "EOU-07 2026-11-27 r-0002"},
        "All of these items are already in the case",
    ),
    ("note", {"note": " "}, "Write 1 to"),
    ("note", {"note": "x" * 10_001}, "Write 1 to"),
    ("close", {"outcome": "whatever"}, "Choose how the case ended"),
    ("subject", {"role": "king"}, "Choose who the person is"),
    ("subject", {"number": "7", "role": "dealer"}, "no such subject"),
    ("file", {}, "Choose a file"),
    ("part", {"part": ["x"]}, "no longer in the case"),
    ("change", {"title": "x", "concerns": "theft", "owner": "d-101", "status": "open"}, "d-101"),
    (
        "change",
        {"title": "x", "concerns": "suspicion", "owner": "v-101", "status": "open"},
        "cannot be changed to or from the kind",
    ),
    ("change", {"title": "", "concerns": "theft", "owner": "v-101", "status": "open"}, "a title"),
    ("change", {"title": "x", "concerns": "theft", "owner": "v-101", "status": "x"}, "Choose a status"),
)
"""Forms that are refused: the action, the fields of the form, and the beginning of the error message."""


def test_a_case_is_opened_from_hands_changed_and_closed_and_each_step_is_a_fact(desk: Cast) -> None:
    dana = desk.browser("Dana")
    asked_page = dana.post("/cases/new/", {"hand": [f"{STREAM}|r-0002", f"{STREAM}|r-0004"]})
    assert asked_page.status_code == 200
    assert "r-0004" in text(asked_page)
    form = FORM | {"uid": str(uuid4())}
    answer = dana.post("/cases/new/", form)
    number = answer["Location"].split("/")[3]
    assert answer.status_code == 302
    assert number.endswith("-0001")
    second = dana.post("/cases/new/", form)
    assert second.status_code == 400
    assert "Already recorded" in text(second)
    assert post_act(dana, "note", number, note="The dealer looked away.").status_code == 302
    assert post_act(dana, "join", number, what="person", of="d-101").status_code == 302
    handed_over = FORM | {"concerns": "collusion", "owner": "v-102", "due": "", "status": "in-work"}
    changed = post_act(dana, "change", number, **handed_over)
    assert changed.status_code == 302
    assert post_act(dana, "part", number, part=[f"hand|{STREAM}|r-0004"]).status_code == 302
    assert post_act(dana, "close", number, outcome="confirmed", note="Seen on video.").status_code == 302
    case = state(number)
    assert [fact.event.__struct_config__.tag for fact in case.facts] == [
        "case-opened",
        "case-joined",
        "case-noted",
        "case-joined",
        "case-changed",
        "case-parted",
        "case-closed",
    ]
    assert list(case.parts) == [HAND, Part("person", "", "d-101")]
    assert (case.status, case.outcome, case.owner, case.due) == ("closed", "confirmed", "v-102", None)
    page = text(dana.get(f"/cases/aurora/{number}/"))
    for shown in ("The dealer looked away.", "Seen on video.", "person d-101", "r-0002", "closed, confirmed"):
        assert shown in page
    assert number in text(dana.get("/cases/?state=closed"))
    assert number not in text(dana.get("/cases/"))
    assert faults(*CASES) == []


def test_a_case_shows_when_each_hand_was_opened_and_not_when_its_finding_was_made(desk: Cast) -> None:
    names = ("r-0001", "r-0002", "r-0004")
    number = opened(desk, parts=tuple(Part("hand", STREAM, name) for name in names))
    shown = {row.hand: row.at for row in queries.hand_rows("aurora", state(number), 10)}
    openings = {name: first_fact(name).fact.at for name in names}
    assert shown == openings
    findings_at = {row.hand: row.at for row in queue.page(queue.Wanted(("aurora",))).rows}
    assert any(findings_at[name] > openings[name] for name in names if name in findings_at)
    page = text(desk.browser("Dana").get(f"/cases/aurora/{number}/"))
    zone = request_params.zone("aurora")
    for at in openings.values():
        assert formatting.clock(at, zone) in page


def test_a_case_shows_the_sums_of_its_hands(desk: Cast) -> None:
    names = ("r-0001", "r-0002", "r-0004")
    number = opened(desk, parts=tuple(Part("hand", STREAM, name) for name in names))
    rows = queries.hand_rows("aurora", state(number), 10)
    (shown,) = queries.hand_sums("aurora", state(number))
    assert shown.to_player == sum(row.to_player or 0 for row in rows)
    assert shown.to_house == sum(row.to_house or 0 for row in rows)
    assert shown.to_player + shown.to_house > 0
    page = text(desk.browser("Dana").get(f"/cases/aurora/{number}/"))
    ways = (("To players", shown.to_player), ("To the casino", shown.to_house))
    for label, amount in ways:
        assert (f"{label}, USD {formatting.money(amount, 'USD')}" in page) == bool(amount)


def first_fact(name: str) -> hands.Recorded:
    """Return the first fact of a hand."""
    played = hands.named("aurora", STREAM, name)
    assert played is not None
    return played.facts[0]


def test_a_form_of_a_case_that_is_only_requested_has_no_error(desk: Cast) -> None:
    dana, number = desk.browser("Dana"), opened(desk)
    for act in ACTS:
        answer = dana.get(f"/cases/aurora/{number}/{act}/")
        assert answer.status_code == 200, act
        assert "no longer valid" not in text(answer), act


def test_case_numbers_have_no_gaps_and_every_page_and_action_needs_a_right(desk: Cast) -> None:
    numbers = [opened(desk) for _ in range(3)]
    year = numbers[0][:5]
    assert numbers == [f"{year}000{count}" for count in (1, 2, 3)]
    for name in OTHERS:
        browser = desk.browser(name)
        for path in ("/cases/", f"/cases/aurora/{numbers[0]}/", f"/cases/aurora/{numbers[0]}/files/x/"):
            assert browser.get(path).status_code == 403, (name, path)
    for name in WATCHERS:
        assert desk.browser(name).get(f"/cases/aurora/{numbers[0]}/").status_code == 200
    for name in ("Igor", "Rhea", *OTHERS):
        browser = desk.browser(name)
        assert browser.get("/cases/new/").status_code == 403
        assert browser.post("/cases/new/", {"property": "aurora"}).status_code == 403
        for act in ("note", "change", "join", "part", "file", "subject", "erase", "close"):
            assert post_act(browser, act, numbers[0], note="x").status_code == 403, (name, act)
    assert len(state(numbers[0]).facts) == 2
    assert desk.browser("Dana").get("/cases/aurora/2001-0001/").status_code == 404
    assert desk.browser("Dana").get(f"/cases/aurora/{numbers[0]}/nonsense/").status_code == 404
    denied = desk.browser("Dana").get(f"/cases/borealis/{numbers[0]}/")
    assert denied.status_code == 403
    assert case_fold.case_of("borealis", numbers[0], confidential=False) is None


def test_a_case_that_names_who_may_see_it_does_not_exist_for_other_officers(desk: Cast) -> None:
    number = opened(desk, owner="v-102", by="Dora")
    hidden = opened(desk, owner="v-102", by="Dora", seen_by=("v-102",), title="Only Dora")
    dana, dora = desk.browser("Dana"), desk.browser("Dora")
    assert dana.get(f"/cases/aurora/{hidden}/").status_code == 404
    assert post_act(dana, "note", hidden, note="x").status_code == 404
    assert hidden not in text(dana.get("/cases/?state=all"))
    assert number in text(dana.get("/cases/?state=all"))
    assert hidden not in text(dana.get(f"/cases/aurora/{number}/")), "not in the link view either"
    assert hidden in text(dora.get(f"/cases/aurora/{number}/")), "both cases join the hand"
    for reader in ("Igor", "Rhea"):
        assert desk.browser(reader).get(f"/cases/aurora/{hidden}/").status_code == 200


def test_hands_chosen_in_a_list_are_added_to_an_open_case(desk: Cast) -> None:
    number, closed, dana = opened(desk), opened(desk, title="Done"), desk.browser("Dana")
    assert post_act(dana, "close", closed, outcome="no-action").status_code == 302
    chosen = {"property": "aurora", "hand": [f"{STREAM}|r-0002", f"{STREAM}|r-0004"]}
    page = text(dana.post("/cases/new/", chosen))
    assert ("Add 2 hands to the case" in page, number in page, closed in page) == (True, True, False)
    form = {**chosen, "into": number, "uid": str(uuid4())}
    assert dana.post("/cases/add/", form)["Location"] == f"/cases/aurora/{number}/"
    assert [part.of for part in state(number).hands()] == ["r-0002", "r-0004"]
    assert dana.post("/cases/add/", {**chosen, "uid": str(uuid4())}).status_code == 400
    hidden = suspicion()
    for into, status in ((hidden, 404), ("2026-9999", 404)):
        assert dana.post("/cases/add/", {**form, "into": into, "uid": str(uuid4())}).status_code == status
    assert dana.post("/cases/add/", {**form, "property": "borealis"}).status_code == 403
    for damaged in ({"uid": ""}, {"uid": "x"}, {"uid": None}):
        fields = {name: value for name, value in {**form, **damaged}.items() if value is not None}
        answer = dana.post("/cases/add/", fields)
        assert (answer.status_code, "Reload the page" in answer.content.decode()) == (400, True), damaged
    for name in (*OTHERS, "Igor", "Rhea"):
        assert desk.browser(name).post("/cases/add/", form).status_code == 403, name


def test_bad_input_is_a_clear_error(desk: Cast) -> None:
    number, dana = opened(desk), desk.browser("Dana")
    for act, fields, says in (
        *REFUSED,
        ("join", {"what": "case", "of": number}, "cannot be added to itself"),
    ):
        answer = post_act(dana, act, number, **fields)
        assert answer.status_code == 400
        assert says in text(answer), (act, fields)
    assert len(state(number).facts) == 2
    no_uid = dana.post(f"/cases/aurora/{number}/note/", {"note": "x"})
    assert no_uid.status_code == 400
    wrong = dana.post(
        "/cases/new/", {"hand": ["borealis/T/2026-11-27|r"], "property": "aurora", "uid": str(uuid4())}
    )
    assert wrong.status_code == 400


def test_facts_that_a_device_posts_make_the_same_tables(desk: Cast) -> None:
    fact = {
        "uid": str(uuid4()),
        "table": "aurora/house",
        "day": "2026-11-27",
        "kind": "case-opened",
        "at": "2026-11-27T12:00:00Z",
        "source": "office-1",
        "case": "2026-0001",
        "concerns": "theft",
        "title_sha256": "0" * 64,
        "about_sha256": None,
        "owner": "v-101",
        "due": None,
        "seen_by": ["v-101", 'a "quoted" id'],
        "by": "v-101",
    }
    intake.post([json.encode(fact)], Sender("office"))
    findings.examine()
    assert state("2026-0001").concerns == "theft"
    assert faults(*CASES) == []
    case_tables.rebuild("aurora")
    assert faults(*CASES) == []


def test_rows_that_somebody_changes_are_found(desk: Cast, house: House) -> None:
    number, hidden = opened(desk), suspicion()
    assert post_act(desk.browser("Dana"), "file", number, file=named_file(PNG, "a.png")).status_code == 302
    assert (
        post_act(
            desk.browser("Dana"),
            "subject",
            number,
            role="patron",
            description="x",
            measure="none",
            id="",
            reason="",
            begins="",
            ends="",
        ).status_code
        == 302
    )
    assert faults(*CASES) == []
    owner: psycopg.Connection[Any] = house.owner
    for statement, table in (
        ("UPDATE case_state SET owner = 'v-102' WHERE NOT confidential", "case_state"),
        ("UPDATE case_state SET owner = 'v-102' WHERE confidential", "case_state"),
        ("DELETE FROM case_part", "case_part"),
        ("UPDATE case_subject SET measure = 'ban'", "case_subject"),
        ("UPDATE case_followed SET position = 1", "case_followed"),
        ("UPDATE case_words SET words = 'x'", "case_words"),
        ("DELETE FROM case_words", "case_words"),
        ("UPDATE case_file_piece SET content = 'x'", "case_file_piece"),
        ("UPDATE case_file SET type = 'x'", "case_file"),
        (
            "ALTER TABLE confidential_fact DISABLE TRIGGER never_changed; DELETE FROM confidential_fact",
            "confidential_fact",
        ),
    ):
        backup = copy(owner, table)
        owner.execute(statement)
        lines = faults(*CASES)
        assert any(line.startswith(table) for line in lines), (statement, lines)
        restore(owner, table, backup)
    assert hidden


def copy(owner: psycopg.Connection[Any], table: str) -> list[Any]:
    return owner.execute(f"SELECT * FROM {table}").fetchall()


def restore(owner: psycopg.Connection[Any], table: str, rows: list[Any]) -> None:
    if table == "case_file":
        owner.execute("UPDATE case_file SET type = 'image/png'")
        return
    owner.execute(f"DELETE FROM {table}")
    for row in rows:
        owner.execute(f"INSERT INTO {table} VALUES ({', '.join(['%s'] * len(row))})", row)

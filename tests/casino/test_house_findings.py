"""Findings in the property stream are in the queue, have a page, and get a verdict like findings in
a hand.
"""

from __future__ import annotations

from audit.findings import examine as findings
from audit.queries.exported_rows import finding_rows
from audit.queries.span import Span
from audit.review import projections, queue
from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from tests.casino.conftest import Cast
from tests.casino.pages import markup
from tests.casino.test_count_room import plain_markup


def test_a_role_that_a_person_entered_for_themselves_is_in_the_queue(cast: Cast) -> None:
    set_registers(
        "aurora",
        [Entry("people", "m-101", {"roles": ["administrator", "accounting"]})],
        by="m-101",
        second="m-102",
    )
    findings.examine()
    (finding,) = [row for row in finding_rows(Span(property="aurora")) if row[5] == "signer-not-entitled"]
    (row,) = [row for row in queue.page(queue.Wanted(("aurora",))).rows if row.stream == finding[1]]
    dana = cast.browser("Dana")
    assert "<b>property</b>" in markup(dana.get("/queue/")), "it concerns no table"
    page = dana.get(f"/fact/{row.stream}/{finding[2]}/")
    assert page.status_code == 200, page.content.decode()[:500]
    says = "m-101 entered an entry about their own rights: two other people must enter and sign it."
    assert says in plain_markup(page)
    mark = f"{finding[0]}|" + plain_markup(page).split(f'value="{finding[0]}|')[1].partition('"')[0]
    sent = {
        "stream": row.stream,
        "hand": row.hand,
        "verdict": "confirmed",
        "disposition": "procedure_only_no_money",
        "finding": mark,
    }
    assert dana.post("/verdict/", sent, headers={"HX-Request": "true"}).status_code == 200
    projections.follow("aurora")
    (row,) = [
        row for row in queue.page(queue.Wanted(("aurora",), state="decided")).rows if row.stream == finding[1]
    ]
    assert row.state == "decided"

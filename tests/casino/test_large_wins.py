"""Large wins and disputes in the daily log: which wins are listed, which log entry verifies a win, and which
people a dispute names.
"""

from __future__ import annotations

from html import unescape
from re import findall
from typing import Any

from audit.findings import examine as findings
from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from tests.casino.conftest import ROLES, Cast
from tests.casino.nights import DAY, STREAM
from tests.casino.pages import source
from tests.casino.test_daily_log import text, watched, write

__all__ = ["watched"]
PAGE = f"/log/large-wins/?from={DAY}&to={DAY}"


def ask_from(amount: int) -> None:
    """Set the amount from which a win must be verified."""
    set_registers(
        "aurora", [Entry("thresholds", "large-win", {"amount": amount})], by="m-101", second="m-102"
    )
    findings.examine()


def rows(answer: Any) -> list[str]:
    """Return the text of each row of the list on a page."""
    body = source(answer).partition("<tbody>")[2].partition("</tbody>")[0]
    return [text(_Answer(row)) for row in body.split("</tr>") if "<td" in row]


class _Answer:
    def __init__(self, html: str) -> None:
        self.content = html.encode()


def test_large_wins_are_listed_by_spot_and_verified_by_a_log_entry(
    watched: Cast,
) -> None:
    dana = watched.browser("Dana")
    assert "No win was looked at" in text(dana.get(PAGE))
    assert "To verify 0" not in text(dana.get(PAGE)), "a win that nobody looked for is not counted"
    ask_from(11_300)
    assert "To verify 3" in text(dana.get(PAGE))
    assert [row[:11] + row.partition("Spot")[2][:9] for row in rows(dana.get(PAGE))] == [
        "EOU-07 r-00 2 113.00",
        "EOU-07 r-00 1 359.00",
        "EOU-07 r-00 4 321.00",
    ]
    ask_from(11_301)
    assert len(rows(dana.get(PAGE))) == 2, "113.00 is below the amount"
    assert write(watched, stream=STREAM, hand="r-0001", type="large-win").status_code == 302
    assert all("to verify" in row for row in rows(dana.get(PAGE))), "the entry names no recording"
    sent = {"stream": STREAM, "hand": "r-0001", "type": "large-win", "with_video": "on"}
    assert write(watched, "Dora", **sent).status_code == 302
    verified = rows(dana.get(PAGE))
    assert all("verified v-102, entry 2" in row for row in verified), verified
    assert rows(dana.get(f"{PAGE}&state=open")) == []
    assert rows(dana.get(f"{PAGE}&state=verified")) == verified
    assert write(watched, **sent, corrects="2").status_code == 302
    assert all("entry 3" in row for row in rows(dana.get(PAGE)))


def test_the_list_links_to_the_entry_form_and_names_invalid_days(watched: Cast) -> None:
    ask_from(30_000)
    dana = watched.browser("Dana")
    form = dana.get(unescape(findall(r'href="(/log/write/[^"]+large-win)"', source(dana.get(PAGE)))[0]))
    assert '<option value="large-win" selected>' in source(form)
    assert "About EOU-07, hand r-0001" in text(form)
    assert "Write the entry" not in text(watched.browser("Igor").get(PAGE))
    assert "is not a valid date" in text(dana.get("/log/large-wins/?from=x"))
    assert rows(dana.get("/log/large-wins/?from=2026-01-01&to=2026-02-01")) == []
    for name in ROLES:
        denied = watched.browser(name).get(PAGE + "&property=borealis")
        assert denied.status_code == 403, name


def test_a_dispute_names_the_hand_the_people_and_the_recording(watched: Cast) -> None:
    dana = watched.browser("Dana")
    sent = {"stream": STREAM, "hand": "r-0002", "type": "dispute", "with_video": "on"}
    assert write(watched, **sent, disposition="The payout was explained; f-1 was there.").status_code == 302
    page = text(dana.get("/log/aurora/1/"))
    assert "Dispute" in page
    assert "EOU-07, hand r-0002" in page
    assert "People at the hand dealer d-101, supervisor s-202" in page
    assert "bets at 2, 3" in page, page[page.find("People") :][:200]
    assert "cam-12" in page
    assert "Dispute" in text(dana.get(f"/hand/{STREAM}/r-0002/"))
    assert "Dispute" in text(dana.get("/log/?type=dispute"))

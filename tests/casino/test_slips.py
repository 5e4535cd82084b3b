"""A printed slip shows its facts, signers and void, and always has the same bytes."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from audit import facts as f
from audit.queries.cage_facts import RecordedFact
from casino.cage.slips.document import SIGNED, TITLES, Paper, paper_of
from casino.cage.slips.pdf import printable, render_pdf
from tests.audit.floor import fact, opened

ZONE = ZoneInfo("America/Los_Angeles")
STREAM = "aurora/EOU-01/2026-11-27"
IDS = {
    "requested_by": "s-201",
    "sent_by": "c-101",
    "carried_by": "g-101",
    "received_by": "d-101",
    "verified_by": "s-202",
}
TWO = {"by": "d-101", "second": "s-201"}
INSTANTS = {role: f"2026-11-27T20:0{place}:11-08:00" for place, role in enumerate(IDS)}
FILL: dict[str, Any] = {
    "kind": "fill-sent",
    "slip": "F-EOU01-2026-000417",
    "chips": {"500": 200, "10000": 40},
    "amount": 500_000,
    **IDS,
}
SHAPES: tuple[dict[str, Any], ...] = (
    FILL | {"signed_at": INSTANTS},
    FILL | {"kind": "credit-sent", "slip": "C-EOU01-2026-000003"},
    {
        "kind": "marker-issued",
        "slip": "M-EOU01-2026-000001",
        "player": "p-90210",
        "amount": 500_000,
        "by": "s-201",
    },
    {
        "kind": "marker-paid",
        "slip": "M-EOU01-2026-000001",
        "player": "p-90210",
        "amount": 200_000,
        "by": "c-101",
    },
    {"kind": "opener-counted", "chips": {"500": 20, "100": 3}, "amount": 10_300, **TWO},
    {"kind": "closer-counted", "chips": {"500": 20}, "amount": 10_000, **TWO},
    {
        "kind": "drop-counted",
        "box": "0007",
        "shift": "day",
        "notes": {"2000": 4},
        "papers": {"marker": 500},
        "amount": 8_500,
        "team": ["n-101", "n-102"],
    },
    {"kind": "count-verified", "box": "0007", "amount": 8_500, "by": "c-102"},
    {
        "kind": "slip-voided",
        "slip": "F-EOU01-2026-000417",
        "reason": "counted again",
        "by": "c-102",
        "second": "g-102",
    },
)


def stored_facts(*shapes: dict[str, Any]) -> list[RecordedFact]:
    """Return a table's opening and these facts, in the form in which the ledger stores facts."""
    sent = [opened(1), *(fact(place, **shape) for place, shape in enumerate(shapes, 2))]
    bodies = [f.canonical(fact) for fact in sent]
    return [
        RecordedFact(STREAM, number, 100 + number, datetime.now(UTC), bytes(range(32)), body, f.decode(body))
        for number, body in enumerate(bodies, 1)
    ]


def papers(*shapes: dict[str, Any]) -> list[Paper]:
    stream = stored_facts(*shapes)
    return [paper_of(fact, stream, ZONE) for fact in stream[1:]]


def test_a_printed_fill_has_its_chips_amount_signers_and_times() -> None:
    (paper,) = papers(FILL | {"signed_at": INSTANTS})
    assert (paper.title, paper.serial, paper.table, paper.void) == ("Fill slip", FILL["slip"], "EOU-01", "")
    assert [tuple(line) for line in paper.lines] == [
        ("100.00", "40", "4,000.00"),
        ("5.00", "200", "1,000.00"),
    ]
    assert paper.total == "5,000.00 USD"
    assert [(signature.id, signature.at) for signature in paper.signatures] == [
        (id, f"Fri 27 Nov, 20:0{place}:11") for place, id in enumerate(IDS.values())
    ]
    assert dict(paper.said) == {
        "Gaming day": "2026-11-27",
        "At": "2026-11-27 12:00:00 -08:00",
        "Game": "Easy Over Under",
    }
    assert dict(paper.proof)["Stream"] == f"{STREAM}, number 2"


def test_a_printed_fill_of_another_system_has_signers_without_times() -> None:
    shape = {name: value for name, value in FILL.items() if name != "verified_by"}
    for signed_at in (
        None,
        [],
        "noon",
        {"sent_by": "noon", "carried_by": 5, "received_by": "2026-11-27T20:00:00"},
    ):
        (paper,) = papers(shape | {"signed_at": signed_at})
        assert [(signature.id, signature.at) for signature in paper.signatures] == [
            (id, "") for id in list(IDS.values())[:4]
        ]


def test_every_print_of_a_voided_slip_names_the_void() -> None:
    void = SHAPES[-1]
    first, _, _ = papers(FILL, FILL | {"slip": "F-EOU01-2026-000418"}, void)
    assert first.void == "Voided 2026-11-27 12:00:00 -08:00 by c-102, witnessed by g-102: counted again"
    other = papers(FILL, FILL | {"slip": "F-EOU01-2026-000418"}, void)[1]
    assert other.void == ""
    assert papers(FILL, void)[1].title == "Voided number"


def test_a_recounted_tray_supersedes_the_count_before() -> None:
    opener, closer = SHAPES[4], SHAPES[5]
    assert [bool(paper.void) for paper in papers(opener, opener, FILL, closer, opener, closer)] == [
        True,
        False,
        False,
        False,
        False,
        False,
    ]
    assert papers(opener, opener)[0].void == "Superseded by the count of 2026-11-27 12:00:00 -08:00"


def test_two_counts_of_a_box_that_differ_are_both_kept() -> None:
    count = SHAPES[6]
    assert [paper.void for paper in papers(count, count | {"amount": 8_400, "papers": {"marker": 400}})] == [
        "",
        "",
    ]


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape["kind"])
def test_every_print_has_all_its_texts(shape: dict[str, Any]) -> None:
    (paper,) = papers(shape)
    page = render_pdf([paper]).decode("latin-1")
    texts = [
        paper.title,
        paper.serial,
        paper.total,
        *(value for _, value in paper.said),
        *(signature.id for signature in paper.signatures),
    ]
    texts += [text for line in paper.lines for text in line]
    assert page.startswith("%PDF-")
    for text in texts:
        assert text in page, text
    assert ("(VOID)" in page) == (shape["kind"] == "slip-voided")


def test_a_void_slip_is_marked_across_the_page() -> None:
    fill, void = papers(FILL, SHAPES[-1])
    assert "(VOID)" in render_pdf([fill]).decode("latin-1")
    assert "witnessed by g-102" in render_pdf([fill]).decode("latin-1")
    assert render_pdf([fill, void]).decode("latin-1").count("(VOID)") == 2


MADE = (
    "import sys; from tests.casino.test_slips import *; sys.stdout.buffer.write(render_pdf(papers(*SHAPES)))"
)


def test_the_same_facts_give_the_same_bytes_in_another_process_and_another_zone_of_the_machine() -> None:
    pdf = render_pdf(papers(*SHAPES))
    assert render_pdf(papers(*SHAPES)) == pdf
    root = Path(__file__).resolve().parents[2]
    env = {"TZ": "Asia/Kolkata", "DJANGO_SETTINGS_MODULE": "casino.settings", "PYTHONHASHSEED": "7"}
    process = subprocess.run([sys.executable, "-c", MADE], cwd=root, env=env, capture_output=True, check=True)
    assert process.stdout == pdf


def test_a_letter_missing_in_the_font_is_printed_by_its_number() -> None:
    assert printable("F-1 é") == "F-1 é"
    assert printable("−100.00 – “short”… 7♥") == '-100.00 - "short"... 7h'
    assert printable("नया\n\x07") == "[U+0928][U+092F][U+093E][U+000A][U+0007]"
    (paper,) = papers(SHAPES[-1] | {"reason": "(नया) \\ é"})
    assert b"U+0928" in render_pdf([paper])


def test_a_long_slip_has_several_pages_each_marked_if_void() -> None:
    long, void = papers(FILL | {"chips": {str(number): 1 for number in range(1, 60)}}, SHAPES[-1])
    pages = render_pdf([long, *papers(FILL)])
    assert (pages.count(b"/Type /Page\n"), pages.count(b"(VOID)")) == (4, 3)
    assert render_pdf([void]).count(b"/Type /Page\n") == 1


def test_every_print_names_its_signers() -> None:
    assert set(TITLES) - {"drop-counted"} == set(SIGNED)
    assert {shape["kind"] for shape in SHAPES} == set(TITLES)

"""The report of markers has every fact with a marker's serial, at any table and time. The tests compare it
with a simple search through all slips.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from itertools import product
from random import Random
from typing import Any

from django.db import connection

from audit.findings import duplicate_serials, unpaid_markers
from audit.ledger import intake
from audit.ledger.intake import Sender
from audit.queries.markers import Balance, Marker, Markers, balances, markers_of, owed
from audit.queries.span import BOOKS, Span
from casino.reports.catalog import report
from tests.audit.floor import line, opened

FIRST = date(2026, 11, 27)
DAYS = 5
TABLES = ("a/T1", "a/T2", "b/T1")
PLAIN = """
    SELECT s.property, s.slip, s.currency, x."table", x.day, s.kind, s.amount, s.stands
    FROM slip_tally s JOIN examination x ON x.property = s.property AND x.stream = s.stream
    WHERE s.kind IN ('marker-issued', 'marker-paid') AND (%s OR x.closed <= %s)"""


def fill(dice: Random) -> None:
    """Fill the tables of tallies with random slips of few serials and few days. Many serials are therefore
    used twice, also in two currencies or at two properties. Some slips are paid before they are issued, and
    some are voided.
    """
    intake.post(
        [line(opened(place, f"{property}/T9")) for place, property in enumerate("ab")], Sender("test")
    )
    with connection.cursor() as cursor:
        for table, place in product(TABLES, range(DAYS)):
            day = FIRST + timedelta(days=place)
            stream = (table.partition("/")[0], f"{table}/{day}")
            cursor.execute(
                'INSERT INTO examination (property, stream, "table", day, closed) VALUES (%s, %s, %s,'
                " %s, %s)",
                [*stream, table, day, dice.choice((None, 3, 8))],
            )
            for kind, slip in product(
                ("marker-issued", "marker-paid", "fill-sent", "slip-voided"),
                ("M-1", "M-2", "M-3", "m", "é-1"),
            ):
                if dice.random() < 0.3:
                    fields = [dice.choice(("USD", "USD", "EUR")), dice.randrange(500), dice.random() < 0.7]
                    cursor.execute(
                        """INSERT INTO slip_tally
                (property, stream, kind, slip, currency, shift, number, amount, "stands")
                           VALUES (%s, %s, %s, %s, %s, 'day', 1, %s, %s)""",
                        [*stream, kind, slip, *fields],
                    )
                    duplicate_serials.note(stream[0], [slip])
    for property in "ab":
        unpaid_markers.refresh(property, None)


def simple_search(span: Span) -> list[Marker]:
    """Return the markers of the report as a simple search through all slips finds them."""
    with connection.cursor() as cursor:
        cursor.execute(PLAIN, [not span.books, span.until])
        rows = [
            row
            for row in cursor.fetchall()
            if span.property in (None, row[0]) and (span.ends is None or row[4] < span.ends)
        ]
    streams_of_span = {row[:3] for row in rows if span.begins is None or row[4] >= span.begins}
    groups: dict[Any, list[Any]] = {}
    for row in rows:
        if row[:3] in streams_of_span:
            groups.setdefault(row[:3], []).append(row)
    return [_marker(key, of) for key, of in sorted(groups.items())]


def _marker(key: tuple[str, str, str], of: Sequence[Any]) -> Marker:
    issued = [row for row in of if row[5] == "marker-issued"]
    paid = [row for row in of if row[5] == "marker-paid"]
    first, last = min((row[4] for row in issued), default=None), max((row[4] for row in paid), default=None)
    amounts = int(sum(row[6] for row in issued if row[7])), int(sum(row[6] for row in paid))
    return Marker(*key, min(row[3] for row in issued or of), first, amounts[0], last, amounts[1])


def test_the_report_of_markers_equals_a_search_through_all_slips(house: Any) -> None:
    fill(Random(11))
    bounds = [None, *(FIRST + timedelta(days=place) for place in range(-1, DAYS + 1))]
    for property, books, until in (
        (None, "", 8),
        ("a", "", 8),
        ("b", "", 8),
        *(("a", book, until) for book in BOOKS for until in (3, 8)),
    ):
        for begins, ends in product(bounds, bounds):
            span = Span(begins, ends, property, books, until)
            expected = simple_search(span)
            markers = Markers(span)
            assert list(markers) == expected
            page_and_more = markers.keys * 201  # more than a page has
            assert list(markers.markers(page_and_more)) == expected * 201
            of_currency = {
                currency: [marker for marker in expected if marker.currency == currency]
                for currency in {marker.currency for marker in expected}
            }
            assert markers.totals == {
                currency: (
                    sum(marker.issued for marker in markers),
                    sum(marker.paid for marker in markers),
                    0,
                    0,
                )
                for currency, markers in of_currency.items()
            }


def test_balances_equal_a_search_through_all_slips(house: Any) -> None:
    fill(Random(13))
    signs = set()
    for place, property in product(range(-1, DAYS + 2), (None, "a", "b")):
        ends = None if place > DAYS else FIRST + timedelta(days=place)
        for books, until in (("", None), *product(BOOKS, (3, 8))):
            span = Span(None, ends, property, books, until)
            expected = [marker for marker in simple_search(span) if owed(marker)]
            assert balances(span) == [
                Balance(marker[:3], owed(marker), 0, 0, marker.issued_on) for marker in expected
            ]
            assert list(markers_of(span, [marker[:3] for marker in expected])) == expected
            signs |= {(owed(marker) < 0, marker.issued_on is None) for marker in expected}
    assert signs == {(False, False), (True, False), (True, True)}


def test_a_page_of_markers_is_a_slice_of_all_markers(house: Any) -> None:
    fill(Random(12))
    rows = report("markers").sheet(Span(FIRST, None, "a"), ()).rows
    every = list(rows)
    assert isinstance(rows, Sequence)
    assert len(rows) == len(every) > 4
    assert [list(rows[begins : begins + 2]) for begins in range(0, len(every), 2)] == [
        every[at : at + 2] for at in range(0, len(every), 2)
    ]

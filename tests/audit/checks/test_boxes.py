"""A box is counted at the table where it was pulled. No more than one table waits for the count of a box."""

from __future__ import annotations

from tests.audit.checks.ledgers import COUNTED, DAY, NEXT, PULLED, Book

VERIFIED = {"amount": 10000, "by": "c-1"}


def pulled(box: str = "000127", *tables: str) -> Book:
    book = Book()
    for table in ("EOU-01", "HS-01"):
        book.open(table)
    for table in tables or ("EOU-01",):
        book.add("box-pulled", table, box=box, **PULLED)
    return book


def test_a_box_that_is_pulled_counted_and_counted_again_under_its_table_is_right() -> None:
    book = pulled()
    book.add("drop-counted", box="000127", **COUNTED)
    book.add("count-verified", box="000127", **VERIFIED)
    book.add("box-pulled", "HS-01", box="000127", **PULLED)
    assert book.codes() == []


def test_a_box_that_is_counted_under_another_table_is_found_at_both() -> None:
    book = pulled()
    count = book.add("drop-counted", "HS-01", box="000127", **COUNTED)
    pull = next(row[3] for row in book.rows if row[3].uid != count.uid and hasattr(row[3], "box"))
    findings = book.findings()
    assert [(finding.code, finding.uid, finding.stream) for finding in findings] == [
        ("box-elsewhere", pull.uid, f"aurora/EOU-01/{DAY}"),
        ("box-elsewhere", count.uid, f"aurora/HS-01/{DAY}"),
    ]
    says = (
        f"Box 000127 was counted under aurora/HS-01 on {DAY}, shift day. It was pulled from aurora/EOU-01 on"
        f" {DAY}, shift day."
    )
    assert {finding.says for finding in findings} == {says}
    assert {finding.cite for finding in findings} == {"Control DR-06, 25 CFR 542.31(b)(5)"}


def test_a_box_that_is_counted_under_the_next_day_is_found() -> None:
    book = pulled()
    book.open("EOU-01", NEXT)
    book.add("drop-counted", "EOU-01", NEXT, box="000127", **COUNTED)
    assert book.codes() == ["box-elsewhere", "box-elsewhere"]


def test_a_box_missing_at_the_close_and_counted_under_another_table_is_found() -> None:
    book = pulled()
    book.add("day-closed", by="a-1")
    book.add("drop-counted", "HS-01", box="000127", **COUNTED)
    assert book.codes() == ["box-elsewhere", "box-elsewhere"]


def test_a_box_of_a_closed_day_that_was_adjusted_is_no_longer_looked_for() -> None:
    book = pulled()
    pull = book.rows[-1][3]
    book.add("day-closed", by="a-1")
    late = {
        "of_table": "aurora/EOU-01",
        "of_day": DAY,
        "what": "drop",
        "amount": 5,
        "of": pull.uid,
        "reason": "late",
    }
    book.add("adjusted", "house", **late, by="a-1", second="a-2")
    book.add("drop-counted", "HS-01", box="000127", **COUNTED)
    assert book.codes() == ["box-unknown"]


def test_a_counted_box_that_was_never_pulled_is_found_with_a_similar_number() -> None:
    book = pulled()
    book.add("drop-counted", box="b-99", **COUNTED)
    book.add("drop-counted", box="127", **COUNTED)
    plain, similar = book.findings()
    assert (plain.code, similar.code) == ("box-unknown", "box-unknown")
    assert (
        plain.says == f"Box b-99 was counted under aurora/EOU-01 on {DAY}, shift day, and was never pulled."
    )
    assert similar.says.endswith(
        f"Box 000127, pulled from aurora/EOU-01 on {DAY}, shift day, waits for its count."
    )


def test_a_box_is_counted_in_the_shift_in_which_it_was_pulled() -> None:
    book = pulled()
    book.add("drop-counted", box="000127", **COUNTED | {"shift": "swing"})
    assert book.only_finding("box-unknown").says.endswith(
        f"It was pulled from aurora/EOU-01 on {DAY}, shift day."
    )


def test_a_second_count_of_one_pull_is_not_an_unknown_box() -> None:
    book = pulled()
    book.add("drop-counted", box="000127", **COUNTED)
    book.add("drop-counted", box="000127", **COUNTED)
    assert book.codes() == []


def test_a_recount_of_a_box_that_the_table_does_not_have_is_found() -> None:
    book = pulled()
    book.add("count-verified", "HS-01", box="000127", **VERIFIED)
    book.add("count-verified", "HS-01", box="b-5", **VERIFIED)
    assert book.codes() == ["box-elsewhere", "box-unknown"]


def test_a_box_that_waits_for_its_count_cannot_be_pulled_at_another_table() -> None:
    book = pulled("b-7", "EOU-01", "HS-01")
    assert (
        book.only_finding("box-pulled-twice").says
        == f"Box b-7 was pulled from aurora/HS-01 on {DAY}, shift day."
        f" It was pulled from aurora/EOU-01 on {DAY}, shift day and has not been counted since."
    )
    assert pulled("b-7", "EOU-01", "EOU-01").codes() == ["box-pulled-twice"]
    shifts = pulled("b-7")
    shifts.add("box-pulled", box="b-7", **PULLED | {"shift": "swing"})
    assert shifts.codes() == [], "a table may name its box the same in every shift"


def test_a_person_who_carried_a_box_may_not_count_it() -> None:
    book = pulled()
    book.add("drop-counted", box="000127", **COUNTED | {"team": ["n-1", "g-1"]})
    assert book.only_finding("signer-not-entitled").says.endswith("and g-1 both carried and counted it.")


def test_a_box_is_recounted_once_for_each_pull() -> None:
    book = pulled()
    book.add("count-verified", box="000127", **VERIFIED)
    book.add("drop-counted", box="000127", **COUNTED)
    assert book.codes() == []
    book.add("count-verified", box="000127", **VERIFIED)
    other = pulled()
    for kind, fields in (("drop-counted", COUNTED), ("count-verified", VERIFIED)) * 2:
        other.add(kind, box="000127", **fields)
    assert other.codes() == [], "the second count is what is wrong, and `counts` finds it"
    assert (
        book.only_finding("box-unknown").says
        == f"Box 000127 of aurora/EOU-01 was recounted 2 times on {DAY}; it was pulled once."
    )

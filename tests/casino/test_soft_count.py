"""The file of the count room's counting machine. Each count of a box becomes a fact. If two counts of a box
differ, both are recorded. Leading zeros of names are preserved.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from games import GAMES
from tests.audit.floor import OPENING
from tests.casino.feeding import FEEDS, codes, counted, facts_of, run, write_lines
from tests.casino.test_reports import BY, at, record

FILE = FEEDS / "soft_count.csv"
HEAD, *LINES = FILE.read_text().splitlines()
ASKED = ("--profile", "soft_count", "--property", "aurora")
AB, BT = ("AB-228000", "BT-227101")


@pytest.fixture
def tables(house):
    """Open the two tables that the file names, and pull their boxes, on the gaming day of the file."""
    for table, box, shift in ((AB, "000123", "GRAVE"), (BT, "000124", "DAY")):
        make = at(table=f"aurora/{table}", day="2030-01-05")
        record([make(**OPENING), make("box-pulled", box=box, shift=shift, **BY)])


def differences() -> list[str]:
    """Return the codes of all findings, except those about teams and pulled boxes, which other tests
    cover.
    """
    return [code for code in codes() if code not in ("team-too-small", "box-pulled-twice", "box-unknown")]


def imported(path: Path, *lines: str):
    return run("import_facts", *ASKED, write_lines(path / "count.csv", HEAD, *lines))


def test_both_counts_of_a_box_are_recorded_and_their_difference_is_found(tables):
    ran = run("import_facts", *ASKED, FILE)
    assert (ran.code, counted(ran)) == (1, (3, 0, 0))
    first, second = facts_of(f"aurora/{AB}/2030-01-05")[2:]
    assert (first["kind"], first["box"], first["shift"], first["team"]) == (
        "drop-counted",
        "000123",
        "GRAVE",
        ["C-01"],
    )
    assert (first["notes"], first["amount"]) == ({"10000": 97, "2000": 37, "500": 2}, 1045000)
    assert (second["kind"], second["box"], second["by"], second["amount"]) == (
        "count-verified",
        "000123",
        "C-02",
        1043000,
    )
    assert facts_of(f"aurora/{BT}/2030-01-05")[2]["amount"] == 0, (
        "an empty box is a count of nothing, not no count"
    )
    assert differences() == ["count-differs"]


def test_the_same_file_twice_records_nothing_new(tables):
    run("import_facts", *ASKED, FILE)
    assert counted(run("import_facts", *ASKED, FILE)) == (0, 3, 0)


def test_the_same_count_with_another_amount_is_refused_and_never_overwrites(tables, tmp_path):
    run("import_facts", *ASKED, FILE)
    changed = [line.replace(",97,9700.00,", ",98,9800.00,") for line in LINES]
    ran = imported(tmp_path, *changed)
    assert counted(ran) == (0, 1, 2)
    assert "already recorded with another body" in ran.err
    assert len(facts_of(f"aurora/{AB}/2030-01-05")) == 4


def test_pieces_that_do_not_add_up_to_the_amount_are_recorded_and_found(tables, tmp_path):
    assert counted(imported(tmp_path, LINES[0].replace("9700.00", "9600.00"))) == (1, 0, 0)
    assert differences() == ["count-differs"]


def test_a_box_of_one_number_in_two_shifts_is_recounted_in_each(tables, tmp_path):
    """Import a file in which a box number occurs in two shifts. All first counts are listed before all
    recounts. Each recount belongs to the count of its own shift.
    """
    record([at(table=f"aurora/{AB}", day="2030-01-05")("box-pulled", box="000123", shift="DAY", **BY)])
    of_day = [line.replace(",GRAVE,", ",DAY,") for line in (LINES[0], LINES[3])]
    ran = imported(tmp_path, LINES[0], of_day[0].replace(",97,9700.00,", ",96,9600.00,"), LINES[3], of_day[1])
    assert counted(ran) == (4, 0, 0)
    (finding,) = [
        row
        for row in facts_of(f"aurora/{AB}/2030-01-05")
        if row["kind"] == "count-verified" and row["shift"] == "DAY"
    ]
    assert (finding["amount"], differences()) == (970000, ["count-differs"])


BAD = {
    LINES[1].replace(",37,", ",3.5,"): "pieces '3.5' is not a whole number",
    LINES[1].replace(",37,", ",-1,"): "pieces '-1' is not a whole number",
    LINES[1].replace(",20.00,", ",20.005,"): "not a whole number of its smallest unit",
    LINES[1].replace(",20.00,", ",twenty,"): "denomination 'twenty' is not an amount",
    **{
        LINES[1].replace(",740.00,", f",{amount},"): f"amount '{amount}' is not an amount such as 100.00"
        for amount in ("7E2", "7_40", "٧٤٠", "+740")
    },
    LINES[1].replace(",740.00,", ",0.740,"): "amount '0.740' is ambiguous",
    LINES[1].replace(",USD,", ",EUR,"): "a box holds one currency",
    LINES[1].replace(",1,USD,", ",3,USD,"): "count_no is '3'",
    LINES[1].replace("000123", ""): "box_id is empty",
    LINES[1].replace("T08:14:05-05:00", "T08:14:05"): "has no time zone",
    LINES[1].replace("2030-01-05,", "5.1.2030,"): "is not a date such as",
    LINES[0]: "is in this count twice",
    LINES[1] + ",more": "does not have the 11 columns",
    '"2030': "does not have the 11 columns",
}


def test_an_invalid_line_is_refused_and_other_counts_are_recorded(tables, tmp_path):
    for line, message in BAD.items():
        ran = imported(tmp_path, LINES[0], line, *LINES[3:])
        assert ran.code == 1
        assert any(
            output_line.startswith("refused: ") and " line 3: " in output_line and message in output_line
            for output_line in ran.out.splitlines()
        ), (line, ran.out)
    counts = [fact["amount"] for fact in facts_of(f"aurora/{AB}/2030-01-05")[2:]]
    assert counts.count(1043000) == 1, "the recount goes in, once"


def test_a_count_with_one_bad_line_is_not_recorded_in_part(tables, tmp_path):
    ran = imported(tmp_path, LINES[0], LINES[1].replace(",37,", ",x,"), LINES[2])
    assert (counted(ran), len(facts_of(f"aurora/{AB}/2030-01-05"))) == ((0, 0, 2), 2)
    assert "count 1 of box 000123 is not recorded" in ran.err


def test_a_count_in_another_currency_than_its_table_is_refused(tables, tmp_path):
    ran = imported(tmp_path, *(line.replace(",USD,", ",EUR,") for line in LINES[:3]))
    assert counted(ran) == (0, 0, 1)
    assert "counted in EUR, and aurora/AB-228000 dealt in USD" in ran.err


def test_a_box_that_the_machine_counted_twice_is_found(tables, tmp_path):
    """Test a box that the machine counted twice. An earlier release reported no finding, and the drop was
    9,700.00 higher than the content of the box.
    """
    later = [line.replace("T08:", "T09:") for line in (LINES[0], LINES[3])]
    assert counted(imported(tmp_path, LINES[0], LINES[3], *later)) == (4, 0, 0)
    assert differences() == ["count-differs"]
    assert "it is count 2 of this shift, and the box was pulled once" in run("findings").out


def test_a_count_of_an_unknown_shift_is_refused(tables, tmp_path):
    """Test a count with a wrongly written shift. In an earlier release the drop was recorded for a shift that
    did not exist, and the pulled box stayed without a count.
    """
    ran = imported(tmp_path, LINES[0].replace("GRAVE", "grave"), *LINES[3:])
    assert counted(ran) == (2, 0, 1)
    assert "aurora/AB-228000 has the shifts GRAVE on 2030-01-05, and no shift grave" in ran.err


def test_a_count_of_a_live_dealer_table_is_another_tables(tables, tmp_path):
    make = at(table="aurora/LIVE-1", day="2030-01-05")
    pays = dict.fromkeys(GAMES["andar_bahar"].pay_tables, "ezugi")
    record(
        [make(**OPENING | {"game": "andar_bahar", "edition": "ezugi", "pay_tables": pays, "readings": {}})]
    )
    ran = imported(tmp_path, LINES[0].replace(AB, "LIVE-1"))
    assert counted(ran) == (0, 0, 1)
    assert "aurora/LIVE-1 is a live-dealer table: it has no drop box" in ran.err


def test_a_count_of_a_table_that_was_not_open_or_is_closed_is_refused(tables, tmp_path):
    record([at(table=f"aurora/{BT}", day="2030-01-05")("day-closed", by="a-1")])
    ran = imported(tmp_path, *LINES[3:], LINES[0].replace(AB, "AB-9"))
    assert counted(ran) == (1, 0, 2)


def test_a_file_without_its_columns_or_property_is_refused(house, tmp_path):
    ran = run(
        "import_facts", *ASKED, write_lines(tmp_path / "count.csv", "gaming_day,table_id", "2030-01-05,AB")
    )
    assert (ran.code, counted(ran)) == (1, (0, 0, 1))
    assert "shift, box_id" in ran.err
    assert run("import_facts", "--profile", "soft_count", FILE).code == 2


def test_two_spellings_of_a_day_or_name_are_one_count(tables, tmp_path):
    """Import a count whose lines write the same day or name in two ways. The lines are one count. If one of
    them is invalid, none is recorded.
    """
    other = (
        LINES[1]
        .replace("2030-01-05,", "20300105,")
        .replace(",GRAVE,", ",GRAVE ,")
        .replace(",C-01,", ", C-01,")
    )
    assert counted(imported(tmp_path, LINES[0], other, LINES[2])) == (1, 0, 0)
    assert facts_of(f"aurora/{AB}/2030-01-05")[2]["notes"] == {"10000": 97, "2000": 37, "500": 2}
    ran = imported(tmp_path, LINES[3], LINES[4].replace("2030-01-05,", "20300105,").replace(",36,", ",x,"))
    assert counted(ran) == (0, 0, 2)
    assert "count 2 of box 000123 is not recorded" in ran.err


def test_lines_with_opposite_contradictions_are_found(tables, tmp_path):
    first, second = LINES[0].replace("9700.00", "9600.00"), LINES[1].replace("740.00", "840.00")
    assert counted(imported(tmp_path, first, second)) == (1, 0, 0)
    assert differences() == ["feed-contradicts"]
    output = run("findings", "--format", "ndjson").out
    assert "the pieces of 100.00: 97 pieces, 9700.00, and amount 9600.00" in output
    assert "the pieces of 20.00: 37 pieces, 740.00, and amount 840.00" in output


def test_a_repeated_count_with_other_values_names_both(tables, tmp_path):
    imported(tmp_path, *LINES[:3])
    ran = imported(tmp_path, LINES[0].replace(",97,9700.00,", ",98,9800.00,"), *LINES[1:3])
    assert "said amount 1045000, now 1055000" in ran.err
    assert '"10000":97' in ran.err
    assert '"10000":98' in ran.err


def test_a_repeated_count_in_another_spelling_is_the_same(tables, tmp_path):
    imported(tmp_path, *LINES[:3])
    second = [
        line.replace("2030-01-06T08:14:05-05:00", "2030-01-06T13:14:05.000Z").replace(
            ",97,9700.00,", ",097,9700,"
        )
        for line in LINES[:3]
    ]
    assert counted(imported(tmp_path, *second)) == (0, 1, 0)

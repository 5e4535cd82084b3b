"""`manage.py journal` writes the same files as the page, reports what is not booked, and writes nothing if an
option is invalid.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from audit.findings import examine as findings
from audit.findings import save
from audit.ledger import intake
from audit.ledger.intake import Sender
from casino.journals.formats import FORMATS, files
from tests.audit.floor import line
from tests.casino.books import close, counted, map_accounts, sample_journal
from tests.casino.feeding import run
from tests.casino.test_reports import felt, record
from tests.casino.test_restated import NEXT, adjust


def journal(path: Path, *options: str) -> tuple[int, str]:
    """Run `manage.py journal` and return its exit code and its messages. The lines with the position and the
    control totals are removed from the messages.
    """
    ran = run(
        "journal", "--property", "aurora", "--from", NEXT, "--to", "2026-11-29", "--out", str(path), *options
    )
    stands = (
        f"up to position {save.ledger_position('aurora')} of aurora: the next load is --after"
        f" {save.ledger_position('aurora')}\n"
    )
    assert ran.err.endswith(stands) or "cannot be written" in ran.err
    says = ran.err.removesuffix(stands)
    lines = [line for line in says.splitlines(keepends=True) if not line.startswith("control total ")]
    return ran.code, "".join(lines)


@pytest.mark.parametrize("format", FORMATS)
def test_the_command_writes_the_files_of_the_page_and_names_held_days(
    house, tmp_path: Path, format: str
) -> None:
    record(counted(1000, 100), close(), adjust("drop", 25), felt(500, 50, "aurora/T2"))
    map_accounts()
    path = tmp_path / "journal.txt"
    assert journal(path, "--format", format) == (0, "not booked: 1 open\n")
    (file,) = files(sample_journal("day", NEXT, "2026-11-29").documents, format, "journal")
    assert path.read_bytes() == file.content
    assert list(tmp_path.iterdir()) == [path], "no other file is left"


def test_missing_accounts_are_named_and_the_command_exits_1(house, tmp_path: Path) -> None:
    record(counted(1000, 100), close())
    says = (
        f"not booked: 1 unmapped; aurora/T1/{NEXT}/1 is held: the chart of accounts has no account for chips,"
        " drop, win\n"
    )
    assert journal(tmp_path / "journal.csv") == (1, says)


def test_several_parts_are_numbered_behind_the_name_and_standard_output_takes_one(
    house, tmp_path: Path
) -> None:
    record(felt(1000, 100), close(), *(adjust("drop", 1) for _ in range(55)))
    map_accounts()
    assert journal(tmp_path / "november.csv", "--format", "xero") == (0, "")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["november_USD-1.csv", "november_USD-2.csv"]
    ran = run("journal", "--property", "aurora", "--format", "xero")
    assert (ran.code, "the journal needs 2 files" in ran.err) == (2, True)


def test_after_a_position_only_newer_documents_are_written(house, tmp_path: Path) -> None:
    record(felt(1000, 100), close())
    map_accounts()
    position = save.ledger_position("aurora")
    record(adjust("drop", 25))
    path = tmp_path / "since.csv"
    assert journal(path, "--after", str(position)) == (0, "")
    numbers = {row.split(",")[0] for row in path.read_text().splitlines()[1:]}
    assert numbers == {f"aurora/T1/{NEXT}/1R", f"aurora/T1/{NEXT}/2"}


def test_a_load_ends_where_its_days_were_read_and_the_next_one_misses_nothing(house, tmp_path: Path) -> None:
    record(felt(1000, 100), close())
    map_accounts()
    record(felt(500, 50, "aurora/T2"))
    before = save.ledger_position("aurora")
    intake.post([line(fact) for fact in close(table="aurora/T2")], Sender("test"))
    path = tmp_path / "first.csv"
    ran = run("journal", "--property", "aurora", "--out", str(path))
    assert f"the next load is --after {before}\n" in ran.err, "the close is recorded and not yet read"
    assert "aurora/T2" not in path.read_text()
    findings.examine()
    run("journal", "--property", "aurora", "--after", str(before), "--out", str(path))
    assert {row.split(",")[0] for row in path.read_text().splitlines()[1:]} == {f"aurora/T2/{NEXT}/1"}


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--after", "12"), "add --property"),
        (("--after", "9999", "--property", "aurora"), "--after 9999 is beyond position"),
        (("--without-accounts",), "--without-accounts needs --format beancount"),
        (("--from", "2026-11-28", "--to", "2026-11-27"), "has no days"),
        (("--property", "borealis"), "has no ledger"),
    ],
)
def test_invalid_options_are_named_in_a_line_and_exit_2(house, options: tuple[str, ...], says: str) -> None:
    record(felt(1000, 100), close())
    ran = run("journal", *options)
    assert (ran.code, ran.out) == (2, "")
    assert says in ran.err


def test_a_missing_folder_is_reported(house, tmp_path: Path) -> None:
    record(felt(1000, 100), close())
    map_accounts()
    code, says = journal(tmp_path / "nowhere" / "journal.csv")
    assert (code, "cannot be written: No such file or directory" in says) == (1, True)

"""The small streams of `tests/second_reading`. Each is replayed through both folds, and has exactly the
expected findings.
"""

import pytest

from tests.second_reading.reading import HERE, Case, cases
from tests.simulation.replaying import findings

CASES = cases()


@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in CASES])
def test_a_stream_has_exactly_the_required_findings(case: Case) -> None:
    assert case.differences({finding.code for finding in findings(case.lines)}) == []


def test_every_stream_is_listed_and_complete() -> None:
    assert {f"{case.name}.ndjson.gz" for case in CASES} == {path.name for path in HERE.glob("*.ndjson.gz")}
    assert len(CASES) == 35
    assert [case.name for case in CASES if len(case.lines) != case.facts] == []

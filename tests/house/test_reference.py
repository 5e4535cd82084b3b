"""Every code of a finding has a description in `audit/reference/findings.toml`, which the findings reference
and the OpenAPI schema print.
"""

from audit.reference.findings import examples, meanings
from games.kit.codes import GRADE


def test_every_code_has_a_meaning() -> None:
    missing = set(GRADE) - set(meanings())
    assert not missing, (
        "add these to audit/reference/findings.toml, then run manage.py reference:"
        f" {', '.join(sorted(missing))}"
    )


def test_every_example_names_an_existing_code() -> None:
    assert set(examples()) <= set(GRADE)

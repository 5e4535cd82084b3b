"""If a page refuses data, the same data without the page is refused too, or replay reports a finding.
`refusals.toml` lists every refusal in the source with what happens, or with a reason why nothing happens.

The cases of that list are recorded without pages: they are posted, or imported from a file.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from audit.facts import Refused
from audit.findings import examine as findings
from audit.ledger import intake
from audit.ledger.intake import Sender
from games.kit.codes import GRADE
from tests.audit.floor import line
from tests.casino.feeding import run, write_lines
from tests.casino.refusals import refusals, table
from tests.casino.refused_facts import FOUND, OF_TYPES, REFUSED, placed
from tests.simulation.replaying import findings as replayed

TABLE = table()
CASES = sorted({(refusal.way, refusal.code, refusal.case) for refusal in TABLE.values() if refusal.case})


PARAMS = [pytest.param(code, case, id=f"{case} ({code})") for way, code, case in CASES if way == "found"]


def test_the_list_has_exactly_the_refusals_of_pages() -> None:
    known = {(refusal.module, refusal.key) for refusal in refusals()}
    assert known - TABLE.keys() == set(), (
        "say in refusals.toml what becomes of these when they do not come by a page"
    )
    assert TABLE.keys() - known == set(), "these are refused no more: strike them out in refusals.toml"


def test_every_line_of_the_list_is_complete_and_every_case_is_used() -> None:
    for key, refusal in TABLE.items():
        assert refusal.why or refusal.case, key
        assert refusal.way != "found" or refusal.code in GRADE, key
    for way, cases in (("found", FOUND), ("refused", REFUSED)):
        named = {case for case_way, _, case in CASES if case_way == way}
        assert named <= set(cases), way
        assert set(cases) - named <= EXTRA, "a case that no refusal names"


EXTRA = {"a marker of nobody", *OF_TYPES}
"""Additional cases of refusals that have a case already."""


@pytest.mark.parametrize(("code", "case"), PARAMS)
def test_what_a_page_refuses_is_found_by_replay(code: str, case: str) -> None:
    assert code in {finding.code for finding in replayed(placed(FOUND[case]))}


def test_what_a_page_refuses_cannot_be_recorded(house: Any) -> None:
    """Post the facts of each case that must be refused, each case at a property of its own. Only the last
    fact is refused.
    """
    for place, (way, code, case) in enumerate(CASES):
        if way == "refused":
            *before, last = of_its_own(placed(REFUSED[case], f"p-{place}"), f"p-{place}")
            for fact in before:
                intake.post([line(fact)], Sender("test"))
            with pytest.raises(Refused) as refused:
                intake.post([line(last)], Sender("test"))
            assert (case, refused.value.code, refused.value.uid) == (case, code, last["uid"])


def test_the_same_facts_from_a_file_are_found_in_the_ledger(house: Any, tmp_path: Path) -> None:
    """Import the cases that must cause a finding from one file, each case at a property of its own."""
    cases = dict.fromkeys(case for way, _, case in CASES if way == "found")
    properties = {case: f"p-{place}" for place, case in enumerate(cases)}
    facts = [
        fact for case, name in properties.items() for fact in of_its_own(placed(FOUND[case], name), name)
    ]
    run("import_facts", write_lines(tmp_path / "cases.ndjson", *facts))
    findings.examine()
    codes_by_property: dict[str, set[str]] = {}
    for finding in map(json.loads, run("findings", "--format", "ndjson").out.splitlines()):
        codes_by_property.setdefault(finding["stream"].partition("/")[0], set()).add(finding["code"])
    missing = [
        (case, code)
        for way, code, case in CASES
        if way == "found" and code not in codes_by_property.get(properties[case], ())
    ]
    assert missing == []


def of_its_own(facts: list[dict[str, Any]], name: str) -> Iterator[dict[str, Any]]:
    """Yield the facts of a case with uids that no other case uses. A field that refers to another fact of the
    case gets the new uid too.
    """
    uids = {fact["uid"]: f"{fact['uid'][:24]}{int(name[2:]):04x}{fact['uid'][28:]}" for fact in facts}
    for fact in facts:
        yield fact | {"uid": uids[fact["uid"]]} | ({"of": uids[fact["of"]]} if fact.get("of") in uids else {})

"""The references of events and findings are generated from the code and up to date."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from msgspec import inspect, json

from audit.facts import KINDS, check
from audit.facts.refusal_codes import REFUSALS
from audit.facts.registers import VALUES
from audit.reference import PAGES, events, findings
from audit.reference import markdown as md
from audit.reference.examples import example
from games.kit.codes import GRADE

ROOT = Path(__file__).resolve().parents[2]
REFUSED = re.compile(
    r"""Refused\(\s*"([a-z-]+)"|_refuse\(\s*event,\s*[^,]+,\s*"([a-z-]+)\""""
    r"""|CONSTRAINT = '([a-z-]+)'|CODE = "(not-[a-z-]+)\""""
)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_in_the_repository_is_current(name: str) -> None:
    assert (ROOT / "docs" / name).read_text(encoding="utf-8") == PAGES[name](), (
        "run manage.py reference and commit what it writes"
    )


def test_the_command_writes_the_pages_and_says_which_is_not_current(tmp_path: Path) -> None:
    call_command("reference", to=tmp_path / "docs")
    call_command("reference", to=tmp_path / "docs", check=True)
    (tmp_path / "docs" / "findings.md").write_text("# Findings\n")
    with pytest.raises(CommandError, match=r"findings\.md is not current"):
        call_command("reference", to=tmp_path / "docs", check=True)
    assert (tmp_path / "docs" / "findings.md").read_text() == "# Findings\n", "nothing is written by a check"


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_an_example_that_is_accepted(kind: str) -> None:
    assert check(json.encode(example(kind))).kind == kind


@pytest.mark.parametrize("shape", [*KINDS.values(), *VALUES.values()], ids=lambda shape: shape.__name__)
def test_every_field_says_what_it_means(shape: type) -> None:
    type_info = inspect.type_info(shape)
    assert isinstance(type_info, inspect.StructType)
    assert (shape.__doc__ or "").strip().endswith((".", "`."))
    for field in type_info.fields:
        assert md.meaning(field.type), f"{shape.__name__}.{field.encode_name} has no description"


def test_every_heading_that_a_finding_may_cite_is_there() -> None:
    page = events.page()
    headings = {line.lstrip("# ") for line in page.splitlines() if line.startswith("#")}
    assert {"Fields of every fact", *KINDS} <= headings
    assert all(page.count(f"\n### {kind}\n") == 1 for kind in KINDS)


def test_every_refusal_is_explained_and_no_other_code_is() -> None:
    sources = [
        *(file for room in ("facts", "ledger", "replay") for file in (ROOT / "audit" / room).glob("*.py")),
        ROOT / "audit" / "migrations" / "0001_ledger.py",
    ]
    codes = {
        code
        for source in sources
        for groups in REFUSED.findall(source.read_text())
        for code in groups
        if code
    }
    assert codes | {"mistyped", "out-of-range"} == set(REFUSALS)


def test_every_code_has_a_section_with_its_grade() -> None:
    sections = findings.page().split("\n### ")
    assert {section.partition("\n")[0] for section in sections[1:]} == set(GRADE)
    for code in GRADE:
        assert findings.meanings()[code].points_at.endswith(".")

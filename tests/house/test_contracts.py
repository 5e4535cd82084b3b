"""The names that others rely on are exactly the names in the list of contracts: fact kinds, finding codes,
commands, URLs, API keys, rights and database tables.
"""

from __future__ import annotations

import pytest

from tests.contracts import GOLDEN, contracts


@pytest.fixture(scope="module")
def names() -> set[str]:
    return set(contracts())


def test_no_name_that_others_rely_on_is_gone(names: set[str]) -> None:
    missing = set(GOLDEN.read_text(encoding="utf-8").splitlines()) - names
    assert not missing, f"Others rely on these names; keep them: {sorted(missing)}"


def test_every_new_name_is_in_the_list(names: set[str]) -> None:
    new = names - set(GOLDEN.read_text(encoding="utf-8").splitlines())
    assert not new, f"Print the list again (python -m tests.contracts): {sorted(new)}"


@pytest.mark.parametrize(
    "name",
    [
        "fact round-opened round",
        "finding wrong-settlement money",
        "command import_facts --edition",
        "url /queue/ queue",
        "api GET /api/v1/findings ?cursor",
        "report hold by table",
        "role regulator see-hand",
    ],
)
def test_the_list_holds_names_of_each_kind(name: str) -> None:
    assert name in GOLDEN.read_text(encoding="utf-8").splitlines()

"""The fingerprint of the rules covers every module that affects findings. The tests compare these modules
with those that Python loads. They also change each module, and expect another fingerprint.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from audit import source_closure
from audit.replay import rules_fingerprint
from games import GAMES
from tests.counts import LONG

LOADED = (
    "import sys, {}; print(*sorted(name for name in sys.modules if name.split('.')[0] in ('audit', 'games')))"
)


def loaded_by(module: str) -> set[str]:
    """Import a module in a separate process. Return the modules of the project that Python then has loaded,
    the module itself included.
    """
    ran = subprocess.run(
        [sys.executable, "-c", LOADED.format(module)],
        capture_output=True,
        text=True,
        check=True,
        cwd=source_closure.HOME,
    )
    return set(ran.stdout.split())


@pytest.fixture
def uncached() -> None:
    rules_fingerprint.rules_of.cache_clear()
    rules_fingerprint.rules_of_ledger.cache_clear()


def test_every_module_that_the_table_fold_loads_is_in_the_fingerprint_of_its_game() -> None:
    loaded = loaded_by(rules_fingerprint.TABLE)
    assert "games.easy_over_under.procedure" in loaded
    own = {code: set(rules_fingerprint.modules_of(code)) for code in GAMES}
    assert loaded == set().union(*own.values()), "what no game's fingerprint has"
    for code, game in GAMES.items():
        assert {name for name in loaded if name.startswith(game.module)} <= own[code]


def test_every_module_that_the_ledger_fold_loads_is_in_its_fingerprint() -> None:
    loaded = loaded_by(rules_fingerprint.LEDGER)
    assert {"audit.replay.approvals", "audit.facts.input_parsing", "audit.replay.checks.approved"} <= loaded
    assert loaded - set(rules_fingerprint.modules_of_ledger()) == set()


@pytest.mark.parametrize("game", [*GAMES, ""])
def test_a_change_of_any_module_that_judges_a_stream_changes_its_fingerprint(
    game: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, uncached: None
) -> None:
    names = rules_fingerprint.modules_of(game)
    if game and not LONG:  # the modules of all games are tried with the stream of no game
        names = sorted(set(names) - set(rules_fingerprint.modules_of("")))
        assert names
    assert_each_counts(names, lambda: rules_fingerprint.rules_of.__wrapped__(game), monkeypatch, tmp_path)


def test_a_change_of_any_module_that_judges_the_ledger_changes_its_fingerprint(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, uncached: None
) -> None:
    names = rules_fingerprint.modules_of_ledger()
    assert_each_counts(names, rules_fingerprint.rules_of_ledger.__wrapped__, monkeypatch, tmp_path)


def test_the_list_of_controls_is_part_of_the_rules() -> None:
    assert (source_closure.HOME / "audit" / "controls.csv").is_file()
    assert source_closure.DATA["audit.controls"] == ("controls.csv",)


def assert_each_counts(names, fingerprint, monkeypatch, tmp_path) -> None:
    """Append a comment to each module in turn, and assert that each comment changes the fingerprint."""
    source, before = source_closure.source_file, fingerprint()
    fingerprints = {before}
    for name in names:
        changed = tmp_path / source(name).name
        changed.write_bytes(source(name).read_bytes() + b"# changed\n")
        for data in source_closure.DATA.get(name, ()):
            (tmp_path / data).write_bytes((source(name).parent / data).read_bytes())
        with monkeypatch.context() as patched:
            patched.setattr(
                source_closure,
                "source_file",
                lambda module, name=name, changed=changed: changed if module == name else source(module),
            )
            fingerprints.add(fingerprint())
    assert len(fingerprints) == len(names) + 1, "every module changes the fingerprint, each in its own way"
    assert fingerprint() == before

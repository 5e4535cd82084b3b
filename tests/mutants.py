"""Measure how many changes to the rules the tests detect: `python -m tests.mutants [PATTERN…]`, with mutmut
installed (tests/requirements-mutants.txt).

Every function of `games/` is changed in small ways, one at a time, and the tests of hands and vectors are run
against each change. A change that no test detects survives. mutmut skips decorated functions, and all rules
are decorated. Therefore this module makes a copy in which `@game.rule(…)` above `def judge` is replaced by
the equivalent `judge = game.rule(…)(judge)` below it. A pattern names modules or functions, as in
`games.lucky_7*`. Without a pattern all of `games/` is changed, which takes hours. A change that only rewords
a sentence for officers is counted separately, because it breaks no rule.
"""

from __future__ import annotations

import ast
import json
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

PROJECT = Path(__file__).resolve().parents[1]
COPIED = ("audit", "casino", "games", "templates", "tests", "manage.py", "pyproject.toml")
NOT_PLAYED = (
    "test_fuzz.py",
    "test_eighth_game.py",
    "test_every_rule.py",
    "test_public_faults.py",
    "test_showdown.py",
    "test_certificate_brute.py",
    "test_certificate_vectors.py",
)
"""Test files that are not run against mutants. They take long, and the tests of hands and vectors also test
every single rule that these files test.
"""
SENTENCE = re.compile(r"""f?"[^"]* [^"]*"|\bNone(?=, [A-Z])""")
"""Pattern of sentences for officers, which are removed before two versions of a line are compared. It matches
a text with a space in it. It also matches the None that mutmut puts in place of a sentence, as the first
argument of a Mistake or an Odds.
"""
SURVIVED, UNTRIED = 0, (33, 34, None)
"""Exit codes that mutmut stores. SURVIVED: no test detected the mutant. UNTRIED: the mutant has no test, was
skipped, or was not reached.
"""


def undecorated(text: str) -> str:
    """Return the source of a module in which rules are registered below their functions instead of above
    them.
    """
    lines = text.splitlines()
    for node in reversed(ast.parse(text).body):
        if isinstance(node, ast.FunctionDef) and node.decorator_list:
            assert node.end_lineno is not None
            calls = [ast.unparse(decorator) for decorator in node.decorator_list]
            lines[node.end_lineno : node.end_lineno] = [
                f"{node.name} = {call}({node.name})" for call in reversed(calls)
            ]
            del lines[node.decorator_list[0].lineno - 1 : node.lineno - 1]
    return "\n".join(lines) + "\n"


def copy(into: Path) -> None:
    """Copy the project, with undecorated rules and mutmut's settings."""
    for name in COPIED:
        source = PROJECT / name
        if source.is_dir():
            shutil.copytree(source, into / name, ignore=shutil.ignore_patterns("__pycache__", ".*"))
        else:
            shutil.copy(source, into / name)
    for module in (into / "games").rglob("*.py"):
        module.write_text(undecorated(module.read_text()))
    games = sorted(
        file for file in (into / "tests" / "games").glob("test_*.py") if file.name not in NOT_PLAYED
    )
    played = ["tests/vectors/test_hands.py", *(file.relative_to(into).as_posix() for file in games)]
    others = [name for name in COPIED if name != "games"]
    settings = {"source_paths": ["games/"], "also_copy": others, "pytest_add_cli_args_test_selection": played}
    with (into / "pyproject.toml").open("a") as file:
        file.write(
            "\n".join(
                [
                    "",
                    "[tool.mutmut]",
                    *(f"{name} = {json.dumps(value)}" for name, value in settings.items()),
                    "",
                ]
            )
        )


def ends(folder: Path) -> dict[str, int | None]:
    """Run the tests against every mutant of the copy. Return the exit code for each mutant."""
    exit_codes: dict[str, int | None] = {}
    for meta in (folder / "mutants" / "games").rglob("*.py.meta"):
        exit_codes |= json.loads(meta.read_text())["exit_code_by_key"]
    return exit_codes


def difference(name: str, folder: str) -> list[str]:
    """Return the lines that a mutant removes and adds."""
    shown = subprocess.run(
        [sys.executable, "-m", "mutmut", "show", name],
        cwd=folder,
        check=False,
        capture_output=True,
        text=True,
    ).stdout
    return [line for line in shown.splitlines() if line[:1] in ("+", "-") and line[:3] not in ("+++", "---")]


def rewords(lines: list[str]) -> bool:
    """Return True if the removed and the added lines differ only in sentences."""
    bare = [SENTENCE.sub("''", line[1:]) for line in lines]
    half = len(bare) // 2
    return bool(bare) and bare[:half] == bare[half:]


def main(patterns: list[str]) -> int:
    """Create the mutants and run the tests. Print the mutants that survived, then the counts, and one JSON
    object as the last line.
    """
    with TemporaryDirectory() as folder:
        copy(Path(folder))
        mutmut = [sys.executable, "-m", "mutmut"]
        subprocess.run(
            [*mutmut, "run", "--max-children", "2", *patterns], cwd=folder, check=False, stdout=sys.stderr
        )
        tried = {name: end for name, end in ends(Path(folder)).items() if end not in UNTRIED}
        survivors = sorted(name for name, end in tried.items() if end == SURVIVED)
        reworded = {name for name in survivors if rewords(difference(name, folder))}
        for name in survivors:
            if name not in reworded:
                print("\n".join(difference(name, folder)), f"  # {name}\n")
    modules = Counter(name.rpartition(".")[0] for name in tried)
    words = Counter(name.rpartition(".")[0] for name in reworded)
    alive = Counter(name.rpartition(".")[0] for name in survivors)
    for module, count in sorted(modules.items()):
        print(
            f"{module:40} {count - alive[module]:5} of {count - words[module]:5} killed, {words[module]}"
            " reworded"
        )
    of = len(tried) - len(reworded)
    killed = len(tried) - len(survivors)
    print(
        json.dumps(
            {
                "bench": "mutants",
                "mutants": of,
                "killed": killed,
                "share": round(killed / of, 4) if of else None,
                "reworded": len(reworded),
            }
        )
    )
    return 0 if tried else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

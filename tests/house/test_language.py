"""All texts are plain English, and commit subjects begin with an imperative verb (docs/language.md)."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.house import language
from tests.house.language import PROJECT, VERBS

SINCE = "4fdc0d8a7c93"
"""Commits after this one must follow the rules of language."""
LETTERS = 72
BAD = [
    ('def f():\n    """The same of it."""\n', "docstring begins with “The”"),
    ('def f():\n    """Return the amount"""\n', "does not end with a full stop"),
    ("x = 1  # made anew for whoever asks\n", "“anew”"),
    ('x = "It is by this that we know"\n', "“It is by this that”"),
    ("x = 1  # next month, beside this\n", "“beside”"),
    ("def f(one: int) -> int:\n    return one\n", "variable “one”"),
    ("names = [each.name for each in rows]\n", "variable “each”"),
    ("try:\n    pass\nexcept ValueError as said:\n    pass\n", "variable “said”"),
]


@pytest.mark.parametrize("folder", [*language.FOLDERS, "*.md"])
def test_texts_are_plain_english(folder: str) -> None:
    paths = sorted(PROJECT.glob(folder))
    assert paths
    messages = [
        f"{file.relative_to(PROJECT)}:{flaw.line}: {flaw.says}"
        for file in language.files(paths)
        for flaw in language.flaws(file)
    ]
    assert not messages, "\n" + "\n".join(messages)


@pytest.mark.parametrize(("source", "says"), BAD)
def test_the_check_of_texts_detects_each_violation(source: str, says: str, tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_text(source)
    assert any(says in flaw.says for flaw in language.flaws(file))


def test_commit_subjects_are_imperative_and_short() -> None:
    if not (PROJECT / ".git").exists():
        pytest.skip("this is no checkout with a history")
    log = ["git", "log", "--no-merges", "--format=%s", f"{SINCE}..HEAD"]
    process = subprocess.run(log, cwd=PROJECT, capture_output=True, text=True, check=False)
    if process.returncode:
        pytest.skip("the history here does not reach back so far")
    bad = [
        subject
        for subject in process.stdout.splitlines()
        if len(subject) > LETTERS or subject.split(maxsplit=1)[0] not in VERBS
    ]
    assert not bad, bad

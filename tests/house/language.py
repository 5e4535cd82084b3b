"""Find texts that are not plain English, by the rules of docs/language.md.

`python -m tests.house.language [PATH ...]` prints each finding in these files or folders as `file:line:
text`, and the number of findings.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.house import variable_names

PROJECT = Path(__file__).resolve().parents[2]
FOLDERS = ("games", "audit", "casino", "templates", "tests", "docs")
NOT_OURS = (
    "tests/golden/",
    "casino/static/",
    "tests/house/language.py",
    "tests/house/test_language.py",
    "tests/house/variable_names.py",
    "/migrations/",
)
"""Files that are not checked: stored results, files that quote words that may not be used, and migrations,
which never change.
"""

WORDS = {
    r"anew": "again, or new",
    r"whoever|whatever|wherever|whichever": "if, any, who",
    r"thereof": "of it, named",
    r"(?<![.\w\"])stands|stood": "is recorded, is in force, is shown",
    r"goes by|go by|hangs on|hang on": "is grouped by, depends on",
    r"mend|mends|mended|mending": "fix",
    r"shut": "closed",
    r"so many": "a number",
    r"take away|takes away|taken away|taking away": "download",
    r"lets? in|showed out|shown? out": "activate, end sessions",
    r"the door|the REST door|door bell|doorbell": "the API, validation, notification",
    r"and nothing else|and no other": "only",
    r"it is (?:\w+ ){1,2}that": "(name the subject)",
    r"(?-i:is none|are none)": "there is no, (name it)",
    r"the house": "Catwalk, the property, the casino",
    r"(?-i:beside)": "next to, together with, in addition to",
    r"nobody else": "only",
    r"at the door": "by validation, by the API",
    r"(?:this|another|other|every|each) houses?": "property, casino, installation",
    r"the so manieth|somebody's|nought": "(plain words)",
}
"""Words that may not be used, as patterns, and what to write instead."""
PATTERN = re.compile(r"\b(?:" + "|".join(f"(?:{word})" for word in WORDS) + r")\b", re.IGNORECASE)
NAMES = re.compile(r'''(?:(?:name|id|for|class)=|== )"[\w -]+"''')
"""Names of form fields, names of classes in templates, and values that code compares. All of these are
identifiers.
"""
VERBS = frozenset((Path(__file__).parent / "verbs.txt").read_text(encoding="utf-8").split())
"""Imperative verbs with which docstrings of functions begin."""


class Flaw(NamedTuple):
    """One text that is not plain English, by its line and a message."""

    line: int
    says: str


def texts_of_python(source: str) -> Iterator[tuple[int, str]]:
    """Yield each comment, docstring and other string of a module, with its line number. Strings without a
    space are left out, because they are identifiers.
    """
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT or (token.type == tokenize.STRING and " " in token.string):
            for number, line in enumerate(token.string.splitlines()):
                yield token.start[0] + number, line
        elif token.type == getattr(tokenize, "FSTRING_MIDDLE", -1):
            yield token.start[0], token.string


def texts_of_markdown(source: str) -> Iterator[tuple[int, str]]:
    """Yield each line of a document with its line number, leaving out code, because names in it are
    contracts.
    """
    in_code = False
    for number, line in enumerate(source.splitlines(), 1):
        if line.lstrip().startswith("```"):
            in_code = not in_code
        elif not in_code:
            yield number, re.sub(r"`[^`]*`", "``", line)


def words(texts: Iterator[tuple[int, str]]) -> Iterator[Flaw]:
    """Yield a flaw for each use of a word that docs/language.md forbids."""
    for line, text in texts:
        for match in PATTERN.finditer(text):
            yield Flaw(line, f"“{match.group(0)}”: {text.strip()[:110]}")


def docstrings(tree: ast.AST) -> Iterator[Flaw]:
    """Yield a flaw for each function docstring that does not begin with an imperative verb or does not end
    with a full stop.
    """
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or is_rule(node):
            continue
        text = ast.get_docstring(node)
        if text is None:
            continue
        line = node.body[0].lineno
        first = text.split(maxsplit=1)[0] if text.strip() else ""
        if first not in VERBS:
            yield Flaw(line, f"docstring begins with “{first}”: {text.splitlines()[0][:100]}")
        elif text.strip()[-1] not in ".:)`\"'”":
            yield Flaw(line, f"docstring does not end with a full stop: {text.splitlines()[-1][:100]}")


def names(tree: ast.AST) -> Iterator[Flaw]:
    """Yield a flaw for each variable or parameter whose name does not say what it holds."""
    for line, name in variable_names.variables(tree):
        if name in variable_names.NAMES:
            yield Flaw(line, f"variable “{name}”: name it after what it holds")


def is_rule(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Return True for a rule of a game. The hand page shows the docstring of a rule as a sentence."""
    return node.returns is not None and ast.unparse(node.returns) in ("RuleResult", "Iterator[RuleHit]")


def flaws(path: Path) -> Iterator[Flaw]:
    """Yield every text in one file that is not plain English."""
    source = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        if PATTERN.search(source):  # to find the texts of a source takes much longer
            yield from words(texts_of_python(source))
        tree = ast.parse(source)
        yield from docstrings(tree)
        yield from names(tree)
    elif path.suffix == ".md":
        yield from words(texts_of_markdown(source))
    else:
        yield from words((line, NAMES.sub("", text)) for line, text in enumerate(source.splitlines(), 1))


def files(paths: list[Path]) -> Iterator[Path]:
    """Yield the Python files, templates and documents under these paths."""
    for path in paths:
        matches = [path] if path.is_file() else sorted(path.rglob("*"))
        for file in matches:
            name = str(file.resolve().relative_to(PROJECT))
            if file.suffix in (".py", ".html", ".md") and not any(part in f"{name}" for part in NOT_OURS):
                yield file.resolve()


def main(names: list[str]) -> int:
    """Print the findings in these files or folders, by default in the whole project."""
    paths = [Path(name) for name in names] or [PROJECT / name for name in FOLDERS] + sorted(
        PROJECT.glob("*.md")
    )
    count = 0
    for file in files(paths):
        for flaw in sorted(set(flaws(file))):
            count += 1
            print(f"{file.relative_to(PROJECT)}:{flaw.line}: {flaw.says}")
    print(f"{count} findings")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""The source follows the rules of CONTRIBUTING.md. A violation is reported with what to do about it.

Every check is also tried on a small source that breaks its rule, because a check that cannot fail checks
nothing.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.house import template_layout, tidy
from tests.house.checked import ON_EACH, messages_of_check
from tests.house.tidy import Source

PROJECT = Path(__file__).resolve().parents[2]
LONG_FUNCTION = "def f():\n" + "    pass\n" * 50
BAD = [  # (check, path, bad source, what the message names), at least one for every check
    (tidy.imports_one_way, "games/a.py", "from audit import facts\n", "games"),
    (tidy.imports_one_way, "games/a.py", "from audit.facts import Event\n", "audit"),
    (tidy.imports_one_way, "games/a.py", "def f():\n    import casino.settings\n", "casino"),
    (tidy.imports_one_way, "audit/a.py", "import casino\n", "audit"),
    (tidy.imports_one_way, "audit/a.py", "from tests.vectors import reading\n", "tests"),
    (
        tidy.imports_one_way,
        "audit/a.py",
        "from importlib import import_module\nimport_module('casino.importing.profiles')\n",
        "casino",
    ),
    (tidy.the_second_opinion_is_its_own, "casino/sample/a.py", "from games.lucky_7 import manual\n", "games"),
    (
        tidy.the_second_opinion_is_its_own,
        "casino/sample/a.py",
        "from audit.replay.fold import replay\n",
        "audit",
    ),
    (tidy.the_second_opinion_is_its_own, "casino/sample/a.py", "from .. import reports\n", "casino"),
    (tidy.games_are_pure, "games/a.py", "import django\n", "django"),
    (tidy.games_are_pure, "games/a.py", "from time import monotonic\n", "time"),
    (tidy.games_are_pure, "games/a.py", "import random\n", "random"),
    (tidy.games_are_pure, "games/a.py", "from pathlib import Path\n", "pathlib"),
    (tidy.games_are_pure, "games/a.py", "open('x')\n", "open"),
    (tidy.games_are_pure, "games/a.py", "from datetime import datetime\ndatetime.now()\n", "now"),
    (tidy.games_are_pure, "games/a.py", "import numpy\n", "numpy"),
    (tidy.games_are_pure, "games/a.py", "from math import sqrt\n", "sqrt"),
    (tidy.games_have_no_float, "games/a.py", "x = 0.5\n", "0.5"),
    (tidy.games_have_no_float, "games/a.py", "x = float(3)\n", "float"),
    (tidy.games_have_no_float, "games/a.py", "def f(x: float): ...\n", "float"),
    (tidy.functions_are_short, "audit/a.py", LONG_FUNCTION, "51 lines"),
    (
        tidy.functions_are_short,
        "audit/a.py",
        "class A:\n    async " + LONG_FUNCTION.replace("\n", "\n    "),
        "51 lines",
    ),
    (tidy.modules_are_short, "audit/a.py", "x = 1\n" * 401, "401 lines"),
    (tidy.modules_are_short, "games/a.py", "x = 1\n" * 251, "251 lines"),
    (tidy.modules_are_short, "games/a/b.py", "x = 1\n" * 251, "251 lines"),
    (tidy.modules_are_short, "games/kit/a.py", "x = 1\n" * 401, "401 lines"),
    (tidy.names_say_what_it_is, "audit/utils.py", "", "utils"),
    (tidy.names_say_what_it_is, "casino/helpers/__init__.py", "", "helpers"),
    (tidy.names_say_what_it_is, "casino/manager.py", "", "manager"),
    (tidy.writing_has_its_place, "casino/a.py", "Finding.objects.create(code='x')\n", "objects.create"),
    (tidy.writing_has_its_place, "casino/a.py", "finding.save()\n", "save"),
    (tidy.writing_has_its_place, "audit/a.py", "finding.delete()\n", "delete"),
    (tidy.writing_has_its_place, "audit/a.py", "Finding.objects.filter(x=1).update(y=2)\n", "update"),
    (tidy.nothing_is_left_unfinished, "audit/a.py", "x = 1  # " + "TO" + "DO later\n", "TO" + "DO"),
    (
        tidy.nothing_is_left_unfinished,
        "games/a.py",
        "def f():\n    raise NotImplementedError\n",
        "NotImplementedError",
    ),
    (
        tidy.nothing_is_left_unfinished,
        "audit/a.py",
        "class A:\n    def f(self): raise NotImplementedError\n",
        "abstract method",
    ),
    (tidy.nothing_is_left_unfinished, "tests/a.py", "breakpoint()\n", "breakpoint"),
    (tidy.modules_say_what_they_promise, "audit/a.py", "x = 1\n", "docstring"),
    (tidy.no_machine_is_named, "casino/a.py", "X = '/" + "root/.pyenv'\n", "root"),
    (tidy.no_machine_is_named, "casino/a.py", "X = '/" + "work/main'\n", "work"),
    (tidy.digits_are_read_in_one_way, "casino/a.py", "x = int(t) if t.isdigit() else 0\n", "isdigit"),
    (tidy.code_is_formatted, "casino/a.py", "x = [1,\n     2]  # " + "fmt: skip\n", "ruff format"),
    (tidy.parsing_works, "casino/a.py", "def f(:\n", "line 1"),
]
PURE = """\"\"\"A game.\"\"\"
from fractions import Fraction
import msgspec
from games.kit.cards import Card
EVEN = Fraction(1, 2)
class Rule:
    def owed(self): return EVEN
"""
GOOD = [  # sources that must be allowed
    ("games/a.py", PURE),
    ("audit/ledger/store.py", '"""The ledger."""\nfrom games.kit import events\nFinding.objects.create()\n'),
    ("games/b.py", '"""Pay."""\nTABLE = ((1, 2),\n         (3, 4))  # ' + "fmt: skip\n"),
    ("audit/migrations/0001_a.py", '"""Tables."""\nHead.objects.create()\n'),
    ("audit/a.py", '"""Sets."""\nseen = {}\nseen.update(x=1)\nhashed = sha256()\nhashed.update(b"")\n'),
    ("casino/sample/a.py", '"""A night."""\nfrom random import Random\nfrom .day import Day\n'),
    ("casino/a.py", '"""Pages."""\nfrom audit import intake\nfrom games import GAMES\n'),
]


@pytest.mark.parametrize("name", ON_EACH)
def test_the_source_is_tidy(name: str) -> None:
    assert not (messages := messages_of_check(name)), "\n" + "\n".join(messages)


@pytest.mark.parametrize(("check", "path", "text", "names"), BAD)
def test_a_check_detects_its_violation(
    check: Callable[[Source], Iterator[str]], path: str, text: str, names: str
) -> None:
    messages = list(check(Source(path, text)))
    assert messages
    assert all(path in sentence and sentence.endswith(".") for sentence in messages), messages
    assert any(names in sentence for sentence in messages), messages


@pytest.mark.parametrize(("path", "text"), GOOD)
def test_a_check_accepts_good_source(path: str, text: str) -> None:
    assert [sentence for check in tidy.CHECKS for sentence in check(Source(path, text))] == []


def test_every_check_is_tried_on_bad_source() -> None:
    assert {check for check, *_ in BAD} == set(tidy.CHECKS)


def test_every_command_report_check_profile_and_benchmark_is_named_in_a_readme() -> None:
    assert not (messages := list(tidy.unnamed(PROJECT))), "\n" + "\n".join(messages)


def test_a_command_that_no_readme_names_is_found(tmp_path: Path) -> None:
    commands = tmp_path / "audit" / "management" / "commands"
    commands.mkdir(parents=True)
    (commands / "count_chips.py").touch()
    (tmp_path / "README.md").write_text("`manage.py verify` counts nothing; count_chipsy is another.")
    message = (
        "audit/management/commands/count_chips.py: no README names `count_chips`; add a line on what it does."
    )
    assert list(tidy.unnamed(tmp_path)) == [message]
    (tmp_path / "audit" / "README.md").write_text("`count_chips` counts chips.")
    assert list(tidy.unnamed(tmp_path)) == []


def test_every_requirement_is_pinned_and_no_host_is_named() -> None:
    names = ["requirements.txt", *(f"tests/{path.name}" for path in PROJECT.glob("tests/requirements*.txt"))]
    assert len(names) == 5
    for name in names:
        assert not (messages := list(tidy.loose_requirements(name, (PROJECT / name).read_text()))), (
            "\n" + "\n".join(messages)
        )


@pytest.mark.parametrize(
    "line",
    [
        "django>=5",
        "django",
        "django==5.2.19",
        f"django --hash=sha256:{'0' * 64}",
        "--index-url https" + "://example.org/simple",
        "x @ file:///wheels/x.whl",
    ],
)
def test_a_loose_requirement_is_found(line: str) -> None:
    assert list(tidy.loose_requirements("requirements.txt", line + "\n"))


AT_THE_TOP = {
    "manage.py",
    "casino",
    "audit",
    "games",
    "templates",
    "tests",
    "requirements.txt",
    "README.md",
    "pyproject.toml",
    "Makefile",
    "LICENSE",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "docs",
}


def test_the_top_folder_has_only_the_known_entries() -> None:
    entries = {
        path.name
        for path in PROJECT.iterdir()
        if path.name[0] != "." and path.name not in ("__pycache__", "mutants")
    }
    assert entries - AT_THE_TOP == set(), "give it a place in a package, or in tests/"


TEMPLATE_CHECKS = (template_layout.lines_are_short, template_layout.tags_are_balanced_and_indented)
BAD_TEMPLATES = [  # (check, bad template, what the message names), at least one for every check
    (TEMPLATE_CHECKS[0], "<p>\n  " + "x" * 119 + "\n</p>\n", "121 columns"),
    (TEMPLATE_CHECKS[1], "<div><p>text</div>\n", "<p> of line 1"),
    (TEMPLATE_CHECKS[1], "{% if x %}<a href='y'>{% endif %}z{% if x %}</a>{% endif %}\n", "<a> of line 1"),
    (TEMPLATE_CHECKS[1], "{% if x %}\n  <p>\n  {% else %}\n  </p>\n{% endif %}\n", "else"),
    (TEMPLATE_CHECKS[1], "<ul>\n  <li>text</li>\n", "never closed"),
    (TEMPLATE_CHECKS[1], "<ul>\n<li>text</li>\n</ul>\n", "indent it more"),
    (TEMPLATE_CHECKS[1], "<ul>\n  <li>text</li>\n  </ul>\n", "same indentation"),
    (TEMPLATE_CHECKS[1], "{% for x in y %}\n  {{ x }}\n  {% endfor %}\n", "same indentation"),
]
GOOD_TEMPLATES = [  # templates that must be allowed
    '<p{% if x %} class="a"{% endif %}>\n  text{% if y %}, more\n    text{% endif %}.\n</p>\n',
    '<a\n  href="{% url "x" y="z" %}?a={{ b|default:"c" }}"\n>text</a>\n',
    "<label>\n  Why\n  <textarea>{% if x %}\n<b>{% endif %}</textarea>\n</label>\n",
    '{# a > b #}\n{% url "x" as y %}\n<br>\n<path d="M1\n  2"/>\n',
]


@pytest.mark.parametrize("check", TEMPLATE_CHECKS, ids=lambda check: check.__name__)
def test_templates_are_tidy(check: Callable[[str, str], Iterator[str]]) -> None:
    paths = sorted((PROJECT / "templates").rglob("*.html"))
    sentences = [
        sentence
        for path in paths
        for sentence in check(path.relative_to(PROJECT).as_posix(), path.read_text())
    ]
    assert paths
    assert not sentences, "\n" + "\n".join(sentences)


@pytest.mark.parametrize(("check", "template", "names"), BAD_TEMPLATES)
def test_a_template_that_is_not_tidy_is_found(
    check: Callable[[str, str], Iterator[str]], template: str, names: str
) -> None:
    (sentence,) = check("templates/a.html", template)
    assert sentence.startswith("templates/a.html:")
    assert names in sentence


@pytest.mark.parametrize("template", GOOD_TEMPLATES)
def test_a_tidy_template_is_left_alone(template: str) -> None:
    assert [sentence for check in TEMPLATE_CHECKS for sentence in check("a.html", template)] == []

"""The documents are correct: links have targets, commands are accepted as written, requests of the API guide
are answered, and the worked examples agree with a computed day of the demo.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from datetime import date
from fractions import Fraction
from importlib.util import find_spec
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import pytest
from django.core.management import call_command, get_commands, load_command_class
from django.test import Client
from django.urls import resolve

from casino.account_pages import guides
from casino.accounts import services as accounts
from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from casino.runtime.embedded.binaries import find as find_binaries
from casino.sample.month.days import FIRST, month_table, office_facts, table_day
from casino.sample.month.sample_property import DAY, FLOOR
from tests.casino.conftest import Cast
from tests.conftest import House
from tests.furnished import furnishing

PROJECT = Path(__file__).resolve().parents[2]
TOPS = ("games", "audit", "casino", "tests")
GENERATED = {"docs/events.md", "docs/findings.md"}
DOCUMENTS = sorted(
    path.relative_to(PROJECT).as_posix()
    for path in (
        *PROJECT.glob("*.md"),
        *(PROJECT / "docs").rglob("*.md"),
        *(
            path
            for top in ("games", "audit", "casino", "tests")
            for path in (PROJECT / top).rglob("README.md")
        ),
    )
)
TEXTS = {name: (PROJECT / name).read_text(encoding="utf-8") for name in DOCUMENTS}
FENCE = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
SHELL = {"console", "bash", "sh"}
ANYTHING = {"DIR": "folder"}
EXAMPLES = TEXTS["docs/how-figures-are-computed.md"]
SAMPLE_DAY = date(2026, 11, 14)
TABLES = ("COU-01", "EOU-02", "L7-01", "TP-01")


class Command(NamedTuple):
    """One command line in a document."""

    document: str
    line: str


def commands() -> Iterator[Command]:
    """Yield each command in the shell blocks of the documents, with continued lines joined."""
    for name, text in TEXTS.items():
        for _, language, block in FENCE.findall(text):
            if language in SHELL:
                for line in re.sub(r"\\\n\s*", " ", block).splitlines():
                    if line.strip() and not line.strip().startswith("#"):
                        yield Command(name, line.strip())


COMMANDS = sorted(set(commands()))


def test_there_are_commands_and_links_to_check() -> None:
    assert len(COMMANDS) > 25
    assert sum(len(list(links(text))) for text in TEXTS.values()) > 60


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.line[:60])
def test_a_command_is_accepted_as_it_is_written(command: Command) -> None:
    words = [ANYTHING.get(word, word) for word in shlex.split(command.line, comments=True)]
    while words and re.match(r"[A-Z_]+=", words[0]):
        words = words[1:]
    assert not (problem := unknown(words)), f"{command.document}: {command.line}: {problem}"


def unknown(words: list[str]) -> str:
    """Return why a command line cannot be run, or empty text if it can."""
    first, *others = [*words, ""]
    others = others[:-1]
    if first in (".venv/bin/python", "python", "python3"):
        if others[:1] == ["-c"]:
            return "" if compile(others[1], "-c", "exec") else "it has no code"
        if others[:1] == ["-m"]:
            return "" if find_spec(others[1]) else f"there is no module {others[1]}"
        if others[0] != "manage.py":
            return "" if list(PROJECT.rglob(others[0])) else f"there is no file {others[0]}"
        first, *others = others
    if first == "manage.py":
        return _unknown_to_manage(others)
    if first == "make":
        targets = set(re.findall(r"^(\w+):", (PROJECT / "Makefile").read_text(), re.MULTILINE))
        return "" if {word for word in others if "=" not in word} <= targets else "there is no such target"
    if first == ".venv/bin/pip":
        return "" if (PROJECT / others[-1]).exists() else f"there is no file {others[-1]}"
    if first in ("celery", "gunicorn"):
        return "" if shutil.which(first, path=str(Path(sys.executable).parent)) else "it is not installed"
    if first == "podman":
        files = [word for word in others if word.endswith("Containerfile")]
        return "" if all((PROJECT / file).is_file() for file in files) else "there is no such file"
    if first == "openssl":
        return "" if others[0] in ("genpkey", "pkey") else f"no test runs openssl {others[0]}"
    if first == "pg_basebackup":
        return "" if (find_binaries(None).folder / first).exists() else "it is not installed"
    if first == "curl":
        address = next(word for word in others if "/api/" in word)
        return "" if resolve(urlsplit(re.sub(r"^\$\w+", "", address)).path) else "there is no such address"
    return "" if first == "export" else f"say in tests/house/test_docs.py how {first} is checked"


def _unknown_to_manage(words: list[str]) -> str:
    name, *options = words
    app = get_commands().get(name)
    if app is None:
        return f"there is no command {name}"
    command = load_command_class(app, name) if isinstance(app, str) else app
    try:
        command.create_parser("manage.py", name).parse_args(options)
    except (SystemExit, Exception) as error:
        return f"it is refused: {error}"
    return ""


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("manage.py shuffle", "no command"),
        ("manage.py report hold --nothing", "refused"),
        ("make tea", "no such target"),
        ("python -m tests.nothing", "no module"),
        ("python nothing.py", "no file"),
        ("ls", "how ls is checked"),
    ],
)
def test_a_command_that_cannot_be_run_is_found(line: str, says: str) -> None:
    assert says in unknown(shlex.split(line))


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_named_command_and_make_target_exists(document: str) -> None:
    targets = set(re.findall(r"^(\w+):", (PROJECT / "Makefile").read_text(), re.MULTILINE))
    named = re.findall(r"`(?:\S*python )?manage\.py (\w+)", TEXTS[document])
    assert set(named) <= set(get_commands()) | {"X"}, document
    assert set(re.findall(r"`make (\w+)", TEXTS[document])) <= targets, document
    modules = re.findall(r"`(?:\S+/)?python3? -m ([\w.]+)", TEXTS[document])
    assert [module for module in modules if find_spec(module) is None] == [], document


def links(text: str) -> Iterator[str]:
    """Yield the target of each link and image of a document, except in code."""
    for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`]*`", "", FENCE.sub("", text))):
        if not re.match(r"https?:|mailto:", target):
            yield target


def anchors(text: str) -> set[str]:
    """Return the anchors of a document's headings."""
    taken: dict[str, int] = {}
    headings = re.findall(r"^#+ (.+)$", FENCE.sub("", text), re.MULTILINE)
    return {guides.anchor(heading.replace("`", ""), taken) for heading in headings}


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_link_of_a_document_leads_somewhere(document: str) -> None:
    wrong = []
    for target in links(TEXTS[document]):
        path, _, fragment = target.partition("#")
        file = (PROJECT / document).parent / path if path else PROJECT / document
        has_anchors = bool(fragment) and file.suffix == ".md" and file.exists()
        if not file.exists() or (has_anchors and fragment not in anchors(file.read_text(encoding="utf-8"))):
            wrong.append(target)
    assert wrong == []


@pytest.mark.parametrize("document", [name for name in DOCUMENTS if name.startswith("docs/")])
def test_lines_are_wrapped_at_100(document: str) -> None:
    if document in GENERATED:
        return
    text = FENCE.sub("", TEXTS[document])
    assert [line for line in text.splitlines() if len(line) > 102 and line[0] not in "|![ "] == []


def test_every_picture_is_shown_somewhere_and_taken_by_the_script() -> None:
    from tests.screenshots import PICTURES

    shown = {Path(target).stem for text in TEXTS.values() for target in links(text) if "images/" in target}
    assert shown - {"architecture"} == {picture.name for picture in PICTURES}


def test_every_room_is_in_the_table_of_the_architecture() -> None:
    from tests.architecture import GAMES, edges

    text = TEXTS["docs/architecture.md"]
    assert [room for room in edges() if room != GAMES and f"`{room}`" not in text] == []


def test_every_requirement_says_in_the_architecture_why_it_is_there() -> None:
    table = TEXTS["docs/architecture.md"].partition("## Dependencies")[2]
    named = set(re.findall(r"[a-z0-9-]+", table))
    required = re.findall(r"^([a-z0-9-]+)", (PROJECT / "requirements.txt").read_text(), re.MULTILINE)
    assert [name for name in required if name not in named and not name.startswith("click")] == []


def examine() -> None:
    """Examine the recorded facts. The command exits with 1 if there are findings."""
    with suppress(SystemExit):
        call_command("examine", stdout=StringIO(), stderr=StringIO())


# The API guide.


@furnishing
def cast_of_guide() -> Cast:
    """Create the users of the demo and a device. No table has recorded a fact."""
    return Cast()


class Answer(BytesIO):
    """An answer of the REST API, with the methods of urllib's response."""

    headers: Any


class Api:
    """Sends requests to the REST API with the tokens that the guide uses."""

    def __init__(self, cast: Cast) -> None:
        reader, officer = (accounts.issue_token(made_by="m-101", person=id) for id in ("a-101", "v-101"))
        self.tokens = {"POST facts": cast.logins["gateway"].token, "": reader, "GET findings": officer}
        self.answers: list[int] = []

    def send(self, method: str, url: str, headers: dict[str, str], body: bytes | None) -> Any:
        token = self.tokens.get(f"{method} {url.partition('/api/v1/')[2].partition('/')[0]}", self.tokens[""])
        kind = headers.get("Content-Type", "application/octet-stream")
        path = url.replace("$CATWALK", "").replace("http://catwalk", "")
        own = headers if "Signature" in headers else {**headers, "Authorization": f"Bearer {token}"}
        answer = Client(SERVER_NAME="catwalk").generic(method, path, body or b"", kind, headers=own)
        self.answers.append(answer.status_code)
        assert answer.status_code in (200, 201, 202, 206), (path, answer.content)
        return answer

    def urlopen(self, request: Any) -> Answer:
        sent = {name.title(): value for name, value in request.header_items()}
        answer = self.send(request.get_method(), request.full_url, sent, request.data)
        response = Answer(answer.getvalue())
        response.headers = answer.headers
        return response

    def curl(self, line: str) -> None:
        words = shlex.split(line)
        options: dict[str, list[str]] = {"-X": ["GET"], "-H": [], "--data-binary": [], "-d": []}
        url = ""
        for word, value in zip(words[1:], [*words[2:], ""], strict=True):
            if word in options:
                options[word].append(value)
            elif "/api/" in word:
                url = word
        body = b"".join((PROJECT / name[1:]).read_bytes() for name in options["--data-binary"])
        headers = dict(header.split(": ", 1) for header in options["-H"])
        self.send(options["-X"][-1], url, headers, body or "".join(options["-d"]).encode())


def key_of_the_gateway(folder: Path) -> Path:
    """Enter the gateway's key, and tables and a shift of the demo. Return the path of the private key."""
    for line in TEXTS["docs/api.md"].splitlines():
        if line.strip().startswith("openssl"):
            ran = subprocess.run(line, shell=True, cwd=folder, check=True, capture_output=True, text=True)
    public, path = ran.stdout.strip(), folder / "shoe-7.pem"
    value = {"tables": ["*"], "people": True, "house": False, "keys": [public]}
    tables = [Entry("tables", name, {"pit": "pit-1"}) for name in ("EOU-01", "EOU-02")]
    entries = [Entry("devices", "gateway-1", value), Entry("shifts", "swing", {"begins": "14:00"}), *tables]
    set_registers("aurora", entries, by="m-101", second="m-102")
    return path


def test_the_requests_of_the_api_guide_are_answered(
    cast_of_guide: Cast,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    settings: Any,
) -> None:
    settings.ALLOWED_HOSTS = ["catwalk"]
    values: dict[str, Any] = {"CATWALK": "http://catwalk", "TOKEN": "cw_from_the_guide", "BOOKS": tmp_path}
    values |= {"DEVICE_KEY": key_of_the_gateway(tmp_path), "STORE": tmp_path / "findings.json"}
    for name, value in values.items():
        monkeypatch.setenv(name, str(value))
    monkeypatch.setattr("urllib.request.urlopen", (api := Api(cast_of_guide)).urlopen)
    monkeypatch.chdir(PROJECT)
    for _, language, block in FENCE.findall(TEXTS["docs/api.md"]):
        if language == "python":
            exec(compile(block, "docs/api.md", "exec"), {})
        elif language == "sh":
            for line in re.sub(r"\\\n\s*", " ", block).splitlines():
                if line.startswith("curl"):
                    api.curl(line)
    assert len(api.answers) >= 6
    assert "12 facts" in capsys.readouterr().out
    examine()
    output = StringIO()
    with pytest.raises(SystemExit):
        call_command("findings", "--stream", "aurora/L7-99/2026-11-27", "--format", "ndjson", stdout=output)
    codes = {json.loads(line)["code"] for line in output.getvalue().splitlines()}
    assert codes - {"dealer-unknown", "person-unknown"} == {"wrong-settlement", "table-unknown"}
    assert all(f"`{code}`: " in TEXTS["docs/api.md"] for code in ("wrong-settlement", "table-unknown"))


# The worked examples.


@furnishing
def sample_day() -> None:
    """Record the demo's gaming day for the tables of the examples."""
    facts = office_facts(FIRST, 1, first=True)
    for place, (code, *_) in enumerate(FLOOR):
        if code in TABLES:
            left = None
            for number in range(FIRST.toordinal(), SAMPLE_DAY.toordinal() + 1):
                day = date.fromordinal(number)
                if month_table(place, 1).opens(day):
                    played = table_day(place, day, left, 1, 1)
                    left = played.left
            facts += played.facts
    from audit.ledger import intake
    from audit.ledger.intake import Sender

    intake.post([json.dumps(fact).encode() for fact in facts], Sender("demo"))
    examine()


def rows_of(heading: str) -> list[list[str]]:
    """Return the rows of the table under a heading."""
    section = EXAMPLES.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows[2:]]


def number(text: str) -> Fraction:
    """Return the value of an amount. Documents and reports write amounts with commas between thousands."""
    return Fraction(text.replace(",", ""))


def computed(formula: str, names: dict[str, Fraction]) -> Fraction:
    """Return the exact value of a formula, in which `names` are replaced by their values."""
    exact = re.sub(r"\d+(?:\.\d+)?", lambda match: f"Fraction('{match[0]}')", formula)
    return Fraction(eval(exact, {"Fraction": Fraction, **names}))


class ExampleReports:
    """Reads the reports of the day that the documents use as their example, each report once."""

    def __init__(self) -> None:
        self.read: dict[str, list[dict[str, str]]] = {}

    def amount(self, report: str, table: str, column: str) -> Fraction:
        name, _, row_name = report.partition(", ")
        if name not in self.read:
            options = ["--from", "2026-11-14", "--to", "2026-11-15", "--format", "json"]
            shown = StringIO()
            call_command("report", name, *options, stdout=shown)
            self.read[name] = json.loads(shown.getvalue())["rows"]
        rows = [row for row in self.read[name] if row["table"] == f"aurora/{table}"]
        return number(rows[-1 if row_name == "last shift" else 0][column])


def test_the_worked_examples_are_what_replay_computes(sample_day: None, house: House) -> None:
    books = ExampleReports()
    values: dict[str, dict[str, Fraction]] = {}
    for table, name, amount, report, column in rows_of("The numbers of the day"):
        assert books.amount(report, table, column) == number(amount), (table, name)
        values.setdefault(table, {})[name] = number(amount)
    examples = rows_of("The examples")
    assert len(examples) > 10
    for figure, table, formula, numbers, result, report, column in examples:
        digits = len(result.partition(".")[2])
        for text, names in ((formula, values[table]), (numbers, {})):
            assert abs(computed(text, names) - number(result)) * 2 <= Fraction(1, 10**digits), (figure, text)
        assert books.amount(report, table, column) == number(result), figure
    assert DAY > SAMPLE_DAY

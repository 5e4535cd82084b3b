"""Generated clients, unchanged, use a real web server: they fetch hold, drop, findings, facts, journal and an
export, and post a hand.
"""

from __future__ import annotations

import json
import os
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from audit.database import rows
from casino.accounts import services as accounts
from tests.casino.conftest import ROLES, Cast
from tests.casino.lists import recorded_lists
from tests.databases import House
from tests.faults import web
from tests.furnished import furnishing
from tests.manage import free_port
from tests.tools import install
from tests.tools.test_api_document import document, ran

__all__ = ["document"]
pytestmark = pytest.mark.long
PROGRAMS = Path(__file__).parent / "programs"
HAND = Path(__file__).parents[2] / "docs" / "examples" / "first_hand.ndjson"
GO_LIBRARIES = Path("/usr/share/gocode")
"""Where Debian's packages put Go libraries."""
JAVA_ANNOTATIONS = Path("/usr/share/java/geronimo-annotation-1.3-spec.jar")
"""The annotations of generated Java classes, which Debian's Maven brings. The generator's own file has the
other libraries that the client needs.
"""
DAYS = "property=aurora&from=2026-11-01&to=2026-12-01"


@furnishing
def books() -> Cast:
    return recorded_lists()


@pytest.fixture
def address(books: Cast, house: House, tmp_path: Path) -> Iterator[str]:
    """Run the web server of the Procfile on the database of this test."""
    port = free_port()
    process = web.start(tmp_path / "web.log", tmp_path / "data", f"127.0.0.1:{port}", **house.env)
    try:
        await_answer(f"http://127.0.0.1:{port}/login/", tmp_path / "web.log")
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(60)


def await_answer(address: str, log: Path) -> None:
    """Wait until the server answers."""
    deadline = time.monotonic() + 120
    while True:
        try:
            with urllib.request.urlopen(address, timeout=10):
                return
        except OSError:
            assert time.monotonic() < deadline, log.read_text()[-3000:]
            time.sleep(0.2)


def tokens(cast: Cast) -> dict[str, str]:
    """Return two tokens as environment variables: that of a surveillance officer and that of a device."""
    person = accounts.issue_token(made_by="m-101", person=ROLES["Dana"])
    device = accounts.issue_token(made_by="m-101", property="aurora", device="gateway-1")
    return {"TOKEN": person, "DEVICE_TOKEN": device}


def check(fetched: dict[str, Any], before: list[str], address: str, token: str) -> None:
    """Compare what a client has fetched with the database, and with answers that this test fetches without
    the client.
    """

    def plain(path: str) -> Any:
        request = urllib.request.Request(f"{address}/api/v1/{path}?{DAYS}")
        request.add_header("Authorization", f"Bearer {token}")
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    assert fetched["hold"] == plain("hold")["rows"] != []
    assert fetched["drop"] == plain("reports/table-drop")["rows"] != []
    assert fetched["facts"] == before
    assert fetched["findings"] == sorted(row[0] for row in rows("SELECT id FROM finding")) != []
    journal = plain("journal")
    assert fetched["journal"] == {name: len(part) for name, part in journal.items() if isinstance(part, list)}
    assert sum(fetched["journal"].values()) > 0
    state, length, row_count, manifest = fetched["export"]
    assert (state, length, row_count) == ("done", manifest["bytes"], manifest["rows"])
    assert fetched["exports"] == [id for (id,) in rows("SELECT id FROM report_order ORDER BY id DESC")] != []
    first, second = fetched["posted"]
    assert (set(first), set(second)) == ({True}, {False}), "a hand that is sent again is recorded once"
    assert rows("SELECT count(*) FROM fact WHERE stream = 'aurora/L7-99/2026-11-27'") == [(len(first),)]
    assert fetched["refused"] == [403, "no-right"]


def known_facts() -> list[str]:
    return sorted(row[0] for row in rows("SELECT uid::text FROM fact"))


def test_the_python_client_fetches_everything_and_posts_a_hand(
    books: Cast, address: str, document: Path, tmp_path: Path
) -> None:
    python = install.python()
    generator = (*install.script("openapi-python-client"), "generate", "--path", document, "--meta", "none")
    path = f"{python.parent}:{os.environ['PATH']}"
    ran(*generator, "--output-path", tmp_path / "made", folder=tmp_path, PATH=path)
    before, secrets = known_facts(), tokens(books)
    says = ran(
        python, PROGRAMS / "fetch.py", address, HAND, folder=tmp_path, PYTHONPATH=str(tmp_path), **secrets
    )
    check(json.loads(says), before, address, secrets["TOKEN"])


def test_the_typescript_client_fetches_everything_and_posts_a_hand(
    books: Cast, address: str, document: Path, tmp_path: Path
) -> None:
    options = ("-i", document, "-o", "made", "-c", "@hey-api/client-fetch")
    ran(install.node("openapi-ts"), *options, folder=tmp_path)
    (tmp_path / "fetch.ts").write_text((PROGRAMS / "fetch.ts").read_text())
    types = ("--strict", "--skipLibCheck", "--target", "es2022", "--lib", "es2022,dom,dom.iterable")
    modules = ("--module", "commonjs", "--types", "node", "--typeRoots", install.node_types())
    ran(install.node("tsc"), *types, *modules, "--outDir", "out", "fetch.ts", folder=tmp_path)
    before, secrets = known_facts(), tokens(books)
    says = ran("node", "out/fetch.js", address, HAND, folder=tmp_path, **secrets)
    check(json.loads(says), before, address, secrets["TOKEN"])


def test_the_go_client_fetches_everything_and_posts_a_hand(
    books: Cast, address: str, document: Path, tmp_path: Path
) -> None:
    """Build the client with Debian's Go in a GOPATH. It needs one library, the validator."""
    install.program("java", "default-jre-headless")
    go = install.program("go", "golang-go")
    if not (GO_LIBRARIES / "src" / "gopkg.in" / "validator.v2").exists():
        pytest.skip("there is no validator.v2: apt-get install golang-gopkg-validator.v2-dev")
    generator = install.script("openapi-generator-cli")
    sources = tmp_path / "go" / "src"
    options = ("--additional-properties", "packageName=made,useOneOfDiscriminatorLookup=true")
    ran(*generator, "generate", "-i", document, "-g", "go", *options, "-o", sources / "made", folder=tmp_path)
    (sources / "fetch").mkdir()
    (sources / "fetch" / "main.go").write_text((PROGRAMS / "fetch.go").read_text())
    paths = {"GOPATH": f"{tmp_path / 'go'}:{GO_LIBRARIES}", "GOCACHE": str(tmp_path / "cache")}
    ran(go, "build", "-o", tmp_path / "fetch", folder=sources / "fetch", GO111MODULE="off", **paths)
    before, secrets = known_facts(), tokens(books)
    says = ran(tmp_path / "fetch", address, HAND, folder=tmp_path, **secrets)
    check(json.loads(says), before, address, secrets["TOKEN"])


def test_the_java_client_fetches_everything_and_posts_a_hand(
    books: Cast, address: str, document: Path, tmp_path: Path
) -> None:
    """Build the client with the JDK, and with Jackson as the generator itself contains it."""
    java, javac = (install.program(name, "default-jdk-headless") for name in ("java", "javac"))
    if not JAVA_ANNOTATIONS.exists():
        pytest.skip("there are no annotations: apt-get install libgeronimo-annotation-1.3-spec-java")
    generator = install.script("openapi-generator-cli")
    names = "invokerPackage=made,apiPackage=made.api,modelPackage=made.model"
    style = "openApiNullable=false,useOneOfDiscriminatorLookup=true,useSingleRequestParameter=true"
    options = ("--library", "native", "--additional-properties", f"{names},{style}")
    ran(*generator, "generate", "-i", document, "-g", "java", *options, "-o", "made", folder=tmp_path)
    (library,) = generator[0].parents[1].glob("lib/*/site-packages/openapi_generator_cli/*.jar")
    classes = f"{tmp_path / 'out'}:{library}:{JAVA_ANNOTATIONS}"
    sources = [*(tmp_path / "made" / "src" / "main").rglob("*.java"), PROGRAMS / "Fetch.java"]
    ran(javac, "-nowarn", "-proc:none", "-d", "out", "-cp", classes, *sources, folder=tmp_path)
    before, secrets = known_facts(), tokens(books)
    says = ran(java, "-cp", classes, "Fetch", address, HAND, folder=tmp_path, **secrets)
    check(json.loads(says), before, address, secrets["TOKEN"])

"""Two linters accept the OpenAPI document, and three generators make clients of it that load or compile."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import json

from casino.api.schema import _schema
from tests.tools import install

HERE = Path(__file__).parent
GENERATED_CLIENTS = """
import importlib, pkgutil, sys
import made
names = [module.name for module in pkgutil.walk_packages(made.__path__, "made.")]
for name in names:
    importlib.import_module(name)
print("\\n".join(names))
"""
NEEDED = ("hold", "reports", "findings", "facts", "journal", "exports")
"""The sections of the API that a client must have."""
MOST_OF_32_BITS = 2**31 - 1
COMPILE = ("--noEmit", "--strict", "--skipLibCheck", "--target", "es2022", "--lib", "es2022,dom,dom.iterable")


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("api") / "openapi.json"
    path.write_bytes(_schema())
    return path


def ran(*command: Any, folder: Path, **environment: str) -> str:
    process = subprocess.run(
        list(map(str, command)),
        cwd=folder,
        env=os.environ | {"REDOCLY_TELEMETRY": "off"} | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stdout[-3000:] + process.stderr[-3000:]
    return process.stdout + process.stderr


def nodes(of: Any) -> Iterator[dict[str, Any]]:
    """Yield every JSON object inside this part of the document, at any depth."""
    if isinstance(of, dict):
        yield of
    for part in of.values() if isinstance(of, dict) else of if isinstance(of, list) else ():
        yield from nodes(part)


def test_the_document_has_what_linters_and_generators_need() -> None:
    document = json.decode(_schema())
    assert document["servers"]
    assert document["info"]["license"]["identifier"] == "Apache-2.0"
    text = json.encode(document).decode()
    for kind, components in document["components"].items():
        for name in components:
            if kind != "securitySchemes":
                assert f'"#/components/{kind}/{name}"' in text, f"{kind}/{name} is not used"
    arrays = 0
    for node in nodes(document):
        if node.get("type") == "array" or "prefixItems" in node:
            arrays += 1
            assert isinstance(node["items"], dict), "generators reject items: false"
        content = node.get("content")
        if isinstance(content, dict) and "application/json" in content:
            assert next(iter(content)) == "application/json", "generators use the first content type"
        if (
            node.get("type") in ("integer", ["integer", "null"])
            and node.get("maximum", 2**63) > MOST_OF_32_BITS
        ):
            assert node["format"] == "int64", "Go and Java would have 32 bits"
    assert arrays > 100


def test_every_answer_to_a_token_has_the_headers_of_its_limit() -> None:
    document = json.decode(_schema())
    known = document["components"]["headers"]
    limits = {"RateLimit", "RateLimit-Policy", "Catwalk-Token-Expires", "Catwalk-Token-Days-Left"}
    assert known.keys() == {*limits, "Retry-After"}
    answers = document["components"]["responses"]
    assert "headers" not in answers["Problem401"] or answers["Problem401"]["headers"] == {}
    assert answers["Problem429"]["headers"].keys() == {*limits, "Retry-After"}
    for path, methods in document["paths"].items():
        for operation in methods.values():
            for status, response in operation["responses"].items():
                named = response["$ref"].rpartition("/")[2] if "$ref" in response else ""
                answer = answers[named] if named else response
                assert status == "401" or limits <= answer["headers"].keys(), (path, status)


@pytest.mark.long
def test_redocly_and_spectral_accept_the_document(document: Path) -> None:
    says = ran(
        install.node("redocly"), "lint", "--config", HERE / "redocly.yaml", document, folder=document.parent
    )
    assert "Your API description is valid" in says
    spectral = install.node("spectral")
    ran(spectral, "lint", "--ruleset", HERE / "spectral.yaml", document, folder=document.parent)


@pytest.mark.long
def test_openapi_python_client_makes_a_client_that_loads(document: Path, tmp_path: Path) -> None:
    python = install.python()
    generator = install.script("openapi-python-client")
    command = [*generator, "generate", "--path", document, "--meta", "none"]
    path = f"{python.parent}:{os.environ['PATH']}"
    says = ran(*command, "--output-path", tmp_path / "made", folder=tmp_path, PATH=path)
    assert says.count("WARNING") == 1, "nothing but NDJSON is left out, which has the same facts as JSON"
    assert "Unsupported content type application/x-ndjson" in says
    modules = ran(python, "-c", GENERATED_CLIENTS, folder=tmp_path)
    for section in NEEDED:
        assert f"made.api.{section}.get_" in modules, section
    assert "made.api.facts.post_facts" in modules


@pytest.mark.long
def test_openapi_ts_makes_a_client_that_compiles(document: Path, tmp_path: Path) -> None:
    ran(
        install.node("openapi-ts"),
        "-i",
        document,
        "-o",
        "made",
        "-c",
        "@hey-api/client-fetch",
        folder=tmp_path,
    )
    resolved = ("--module", "nodenext", "--moduleResolution", "nodenext", "--allowImportingTsExtensions")
    ran(install.node("tsc"), *COMPILE, *resolved, "made/index.ts", folder=tmp_path)
    client = (tmp_path / "made" / "sdk.gen.ts").read_text()
    assert "export const getHold" in client
    assert "export const postFacts" in client


@pytest.mark.long
def test_openapi_generator_makes_a_client_that_compiles(document: Path, tmp_path: Path) -> None:
    install.program("java", "default-jre-headless")
    generator = install.script("openapi-generator-cli")
    ran(*generator, "generate", "-i", document, "-g", "typescript-fetch", "-o", "made", folder=tmp_path)
    resolved = ("--module", "esnext", "--moduleResolution", "bundler")
    ran(install.node("tsc"), *COMPILE, *resolved, "made/index.ts", folder=tmp_path)
    assert "async postFacts(" in (tmp_path / "made" / "apis" / "FactsApi.ts").read_text()

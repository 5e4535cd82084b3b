"""Files for operators. The alert rules and the dashboard use only metrics that Catwalk exports. The systemd
units give a process few rights.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families

from tests.conftest import House
from tests.tools import install

FOLDER = Path(__file__).parents[2] / "casino" / "runtime" / "operations"
RULES, DASHBOARD = (FOLDER / "monitoring" / name for name in ("catwalk-alerts.yml", "catwalk-dashboard.json"))
UNITS = sorted((FOLDER / "systemd").glob("*.service"))
OF_PROMETHEUS = {"up"}
EXPOSURE = 4.0
"""The greatest exposure that `systemd-analyze security` may report for a unit. A process with all rights has
10.
"""


def expressions() -> Iterator[str]:
    for group in yaml.safe_load(RULES.read_text())["groups"]:
        yield from (rule["expr"] for rule in group["rules"])
    for panel in json.loads(DASHBOARD.read_text())["panels"]:
        yield from (target["expr"] for target in panel["targets"])


def label_values() -> dict[str, dict[str, set[str]]]:
    """Return all values of each label, for each metric that Catwalk exports."""
    Client().get("/help/")
    content = Client().get("/metrics").content.decode()
    labels_by_metric: dict[str, dict[str, set[str]]] = {}
    for family in text_string_to_metric_families(content):
        for sample in family.samples:
            labels = labels_by_metric.setdefault(sample.name, {})
            for label, value in sample.labels.items():
                labels.setdefault(label, set()).add(value)
    return labels_by_metric


def test_rules_and_dashboard_use_metrics_labels_and_states_that_exist(house: House) -> None:
    known = label_values()
    # A ledger without facts, or a process that was never started, has no row yet.
    known.setdefault("catwalk_facts_total", {}).setdefault("property", set())
    known.setdefault("catwalk_last_sign_seconds", {}).setdefault("process", set())
    # An installation without a replica has no metrics of it (tests/casino/test_replica.py has them).
    known |= {"catwalk_replica_read": {}, "catwalk_replica_lag_seconds": {}}
    known["catwalk_replica_reads_total"] = {"source": set(), "reason": set()}
    used: set[str] = set()
    for expression in expressions():
        names = set(re.findall(r"\b(?:catwalk_\w+|up)\b(?=$|[\s{\[)])", expression))
        assert names, expression
        used |= names - OF_PROMETHEUS
        assert names - OF_PROMETHEUS <= known.keys(), expression
        for name, matchers in re.findall(r"\b(catwalk_\w+)\{([^}]*)\}", expression):
            for label, is_pattern, value in re.findall(r'(\w+)=(~?)"([^"]*)"', matchers):
                assert label in known[name], (expression, label)
                if not is_pattern:
                    assert value in known[name][label], (expression, value)
        for labels in re.findall(r"\bby \(([^)]*)\)", expression):
            of_all = {label for name in names - OF_PROMETHEUS for label in known[name]}
            assert set(re.split(r",\s*", labels)) <= of_all, expression
    families = {name for name in known if not name.endswith(("_created", "_sum", "_count"))}
    assert families <= used, "no metric is without a panel"


def test_every_alert_says_what_to_do() -> None:
    for group in yaml.safe_load(RULES.read_text())["groups"]:
        for rule in group["rules"]:
            assert rule["labels"]["severity"] in ("critical", "warning")
            assert rule["annotations"].keys() == {"summary", "action"}, rule["alert"]


@pytest.mark.long
def test_promtool_accepts_the_rules_and_they_fire() -> None:
    promtool = install.program("promtool", "prometheus")
    for command in (("check", "rules", RULES), ("test", "rules", RULES.with_name("catwalk-alerts-test.yml"))):
        ran = subprocess.run([promtool, *command], capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_a_unit_has_few_rights(unit: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("there is no systemd-analyze")
    command = ["systemd-analyze", "security", "--offline=true", "--no-pager", str(unit)]
    ran: Any = subprocess.run(command, capture_output=True, text=True, check=False)
    match = re.search(r"Overall exposure level for \S+: ([0-9.]+)", ran.stdout)
    assert match is not None, ran.stdout + ran.stderr
    assert float(match[1]) < EXPOSURE

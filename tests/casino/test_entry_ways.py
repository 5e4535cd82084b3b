"""Every rule of register entries is tested for each way of entering them: the admin, `load_register`, the
REST API with the token of a person and of a device, and a file of facts. The expected results are listed in
`entry_ways.toml`.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from tomllib import loads
from typing import Any

import pytest

from audit.facts import Refused, check
from casino.accounts import services as accounts
from casino.models import Entry
from casino.reference.entries import Entry as Said
from casino.reference.forms.kinds import form_of
from casino.reference.recording import set_registers
from games.kit.codes import GRADE
from tests.audit.floor import DAY, line, uid
from tests.casino.conftest import Api, Cast, one_connection
from tests.casino.entry_cases import Case, rule_cases, type_cases
from tests.casino.feeding import run, write_lines
from tests.casino.refusals import RULES, VALUES, refusals
from tests.casino.test_admin import SET
from tests.counts import LONG

WAYS = ("admin", "command", "person", "device", "file")
TABLE: dict[str, dict[str, Any]] = loads(
    Path(__file__).with_name("entry_ways.toml").read_text(encoding="utf-8")
)
OF_TYPES, OF_RULES = dict(type_cases()), dict(rule_cases(TABLE))
STEP = 1 if LONG else 16
"""One of this number of cases about types is tested. With CATWALK_COUNTS=long, all of them are tested."""


def test_every_rule_of_the_code_is_in_the_table() -> None:
    rules = {
        f"{refusal.module} {refusal.key}" for refusal in refusals() if refusal.module in (*VALUES, *RULES)
    }
    assert rules - OF_RULES.keys() == {SHOWN_ALREADY}
    assert OF_RULES.keys() - rules == {WITHOUT_SENTENCE}
    assert TABLE.keys() == OF_TYPES.keys() | OF_RULES.keys()
    assert all(set(WAYS) <= row.keys() for row in TABLE.values())
    codes = {row["file"].removeprefix("found ") for row in TABLE.values() if "found" in row["file"]}
    assert {code for codes in codes for code in codes.split()} <= set(GRADE)


SHOWN_ALREADY = "audit/replay/approvals.py read: …"
"""A rule that needs no case, because a wrong type of an approval is refused with the same sentence."""
WITHOUT_SENTENCE = "audit/replay/checks/entries_read.py unread: it ends before it begins"
"""A rule of `entry_ways.toml` whose sentence is not collected from the code. Forms and the command compare
the first and last day themselves, before they make an entry.
"""


def fact_of(case: Case, place: int, property: str = "aurora") -> dict[str, Any]:
    """Return the fact that a device or a file sends to enter the case's register entry."""
    entry = {
        "kind": "register-set",
        "register": case.register,
        "key": case.key,
        "value": case.value,
        "from": case.begins,
        "to": case.ends,
        "by": case.by,
        "second": case.second,
    }
    envelope = {"uid": uid(place), "table": f"{property}/house", "day": DAY, "source": "shoe-7"}
    return envelope | {"at": f"{DAY}T12:00:00-08:00"} | (case.fact or entry)


def by_rest(door: Api, fact: dict[str, Any]) -> str:
    answer = door.post(fact)
    if answer.status_code == 201:
        return "recorded"
    body = answer.json()
    assert 400 <= answer.status_code < 500, body
    return f"refused {body['field']}"


def by_command(case: Case, path: Path) -> str:
    entry: Any = [{"key": case.key, "value": case.value, "from": case.begins, "to": case.ends}]
    if case.register == "property" or case.fact:
        return "not possible"
    if case.register in ("approvals", "day-begins"):
        entry = [case.value] if case.register == "approvals" else case.value
    document = path / "register.json"
    document.write_text(json.dumps({"property": "aurora", case.register: entry}))
    ran = run("load_register", document, "--by", case.by, "--second", case.second)
    if "is refused, nothing was recorded" not in ran.err:
        return "recorded"
    at = ran.err.partition("nothing was recorded: ")[2]
    at = re.sub(rf"^{re.escape(case.register)}(\[0\]|\.{re.escape(case.key)})?[.:]? ?", "", at)
    return f"refused {at.partition(': ')[0].removeprefix('value.')}"


def by_admin(cast: Cast, case: Case) -> str:
    if case.typed is None:
        return "not possible"
    before = Entry.objects.count()
    browser = cast.browser("Mia")
    address = f"{SET}{form_of(case.register, case.key) or case.register}/"
    look = browser.post(address, {"property": "aurora", "act": "look", **case.typed})
    assert look.context is not None, (case, look.status_code)
    if look.context["form"].errors:
        return f"refused {next(iter(look.context['form'].errors))}"
    seal = re.search(r'name="seal" value="(\w+)"', look.content.decode())
    assert seal
    passwords = {login.id: login.password for login in cast.logins.values()}
    signed = {"second": case.second, "second_password": passwords.get(case.second, "x"), "seal": seal[1]}
    answer = browser.post(address, {"property": "aurora", "act": "sign", **signed, **case.typed})
    assert (answer.status_code, Entry.objects.count()) == (400, before), case
    return f"refused {answer.context['field']}"


def by_file(cases: dict[str, Case], path: Path) -> dict[str, str]:
    """Import all cases in one file, each for a property of its own. Return for each rule what happened to its
    case: the field for which it was refused, or the code of the finding.
    """
    outcomes, facts = dict[str, str](), list[dict[str, Any]]()
    for place, (rule, case) in enumerate(cases.items()):
        last = fact_of(case, 100 * place + 99, f"p-{place}")
        try:
            check(line(last))
        except Refused as refused:
            outcomes[rule] = f"refused {refused.field}"
            continue
        people = [("m-101", "administrator"), ("m-102", "administrator"), ("d-101", "dealer")]
        before = [("people", id, {"role": role}) for id, role in people]
        before += [*case.before, ("devices", "shoe-7", case.registered)]
        for number, (register, key, value) in enumerate(before):
            entry = Case(register, key, value, by="i-1", second="i-2")
            facts.append(fact_of(entry, 100 * place + number, f"p-{place}") | {"source": "office"})
        source = (
            {}
            if case.register == "people" or rule.startswith("audit/replay/devices")
            else {"source": "office"}
        )
        facts.append(last | source | {"at": f"{DAY}T13:00:00-08:00"})
    run("import_facts", write_lines(path / "cases.ndjson", *facts))
    run("examine")
    codes_by_uid: dict[str, set[str]] = {}
    for finding in map(json.loads, run("findings", "--format", "ndjson").out.splitlines()):
        codes_by_uid.setdefault(finding["uid"], set()).add(finding["code"])
    for place, rule in enumerate(cases):
        if rule not in outcomes:
            outcomes[rule] = f"found {' '.join(sorted(codes_by_uid.get(uid(100 * place + 99), ())))}".strip()
    return outcomes


@pytest.mark.usefixtures("contexts")
def test_each_rule_has_the_reviewed_outcome_for_every_way_of_entering(cast: Cast, tmp_path: Path) -> None:
    mia = Api(accounts.issue_token(made_by="m-102", person="m-101"))
    shoe = Api(accounts.issue_token(made_by="m-101", property="aurora", device="shoe-7"))
    cases = dict(list(OF_TYPES.items())[::STEP]) | OF_RULES
    outcomes: dict[str, dict[str, str]] = {}
    device: dict[str, Any] = {}
    with one_connection():
        for place, (rule, case) in enumerate(cases.items()):
            if case.registered != device:
                device = case.registered
                set_registers("aurora", [Said("devices", "shoe-7", device)], by="m-101", second="m-102")
            if case.before:
                set_registers("aurora", [Said(*entry) for entry in case.before], by="m-101", second="m-102")
            outcomes[rule] = {
                "admin": by_admin(cast, case),
                "command": by_command(case, tmp_path),
                "person": by_rest(mia, fact_of(case, place)),
                "device": by_rest(shoe, fact_of(case, place)),
            }
    for rule, outcome in by_file(cases, tmp_path).items():
        outcomes[rule]["file"] = outcome
    wrong = {
        rule: outcome
        for rule, outcome in outcomes.items()
        if outcome != {way: TABLE.get(rule, {}).get(way) for way in WAYS}
    }
    assert not wrong, json.dumps(wrong, ensure_ascii=False, indent=1)

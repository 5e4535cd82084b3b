"""Command: load a property's reference data into its registers, then examine the days that it affects."""

from __future__ import annotations

import sys
from collections.abc import Collection
from getpass import getuser
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone
from msgspec import convert, json

from audit.facts import Refused, RegisterSet
from audit.findings import examine as findings
from audit.ledger import intake
from audit.ledger.intake import Sender
from audit.management.progress import progress_bar
from audit.replay.entry_rules import ADMINISTERS, contradiction, rights_problem, signer_problem
from audit.replay.registers import Registers
from casino.importing import UsageError
from casino.importing.line_reader import open_file
from casino.reference import projection
from casino.reference.entries import Entry, InvalidDocument, entries, parse_document
from casino.reference.entry_facts import Known, Signed, fact_of, facts_of
from casino.reference.gaming_day import entries_of

SIGNERS = ("by", "second")
"""Options that name the people who sign."""


class Command(BaseCommand):
    help = (
        "Load people, approvals, the beginning of the day, and other registers from JSON. Exit 1 if the"
        " document"
        " is refused, or if there are new findings."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE", help="a JSON document, or - for standard input")
        parser.add_argument("--property", help="the property, if the document does not name it")
        parser.add_argument(
            "--by", help="the person who sets the entries (default: the user of this machine)"
        )
        parser.add_argument("--second", default="", help="the second person who signs")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            with open_file(options["file"]) as file:
                document = parse_document(file.read())
            property = _property(document, options["property"])
            known = entries_of(property)
            signed = Signed(options["by"] or getuser(), options["second"], timezone.now())
            new = entries(document, [entry for entry, _ in known])
            facts = facts_of(property, new, known, signed)
            _check(property, new, signed, known)
            _check_signers(property, new, signed, known, [name for name in SIGNERS if options[name]])
        except UsageError as error:
            raise CommandError(str(error), returncode=2) from None
        except InvalidDocument as error:
            raise CommandError(f"{options['file']} is refused, nothing was recorded: {error}") from None
        try:
            answers = intake.post(facts, Sender("load_register", frozenset({property})))
        except Refused as refused:
            raise CommandError(
                f"{options['file']} is refused, nothing was recorded: {_entry(facts, refused)}"
            ) from None
        projection.sync_registers(property)
        fresh = sum(answer.fresh for answer in answers)
        self.stdout.write(f"recorded {fresh}, already recorded {len(answers) - fresh}")
        with progress_bar("examined", "facts") as bar:
            result = findings.examine(progress=bar.update)
        new_findings = result.new - result.notices
        if new_findings or result.lost:
            print(
                f"{new_findings} new findings, {len(result.lost)} retracted: `manage.py findings`",
                file=sys.stderr,
            )
        if new_findings:
            sys.exit(1)


def _check(property: str, new: list[Entry], signed: Signed, known: Known) -> None:
    """Raise InvalidDocument if the two people who sign may not sign an entry. Raise it also if an entry
    contradicts another entry of the document or of the register.
    """
    facts = [convert(fact_of(property, entry, signed, signed.at.date()), RegisterSet) for entry in new]
    registers = Registers([*(entry for entry, _ in known), *facts])
    for fact in facts:
        at = f"{fact.register}.{fact.key}"
        if problem := rights_problem(fact.register, fact.key, fact.value, fact.by, fact.second):
            raise InvalidDocument(f"{at}: {problem.field}", problem.why)
        day = fact.from_ or fact.day
        others = registers.on(fact.register, day)
        if fact.value is not None and (
            conflict := contradiction(fact.register, fact.key, fact.value, day, others)
        ):
            raise InvalidDocument(f"{at}.{conflict.field}", conflict.why)


def _check_signers(
    property: str, new: list[Entry], signed: Signed, known: Known, named: Collection[str]
) -> None:
    """Raise InvalidDocument if a signer whom an option names is not in the register of people, or may not
    sign. Until the register has an administrator, anybody may sign.

    The system user, who signs if no option names a first signer, is not checked here. If that person may not
    sign, or if the second signature is missing, replay makes a finding.
    """
    registers = Registers(entry for entry, _ in known)
    day = registers.day_of(signed.at) or signed.at.date()
    staff = registers.staff(day)
    if not any(roles and roles & ADMINISTERS for roles in staff.values()):
        return
    for entry in new[:1]:
        fact = convert(fact_of(property, entry, signed, day), RegisterSet)
        problem = signer_problem(fact, staff)
        if problem is not None and problem.field in named:
            raise InvalidDocument(f"--{problem.field}", problem.why)


def _property(document: dict[str, Any], property: str | None) -> str:
    """Return the property that the document or the option names. Raise InvalidDocument, or UsageError."""
    named = document.get("property", property)
    if named is None:
        raise UsageError("the document does not name the property: give --property")
    if not isinstance(named, str):
        raise InvalidDocument("property", "a text is needed")
    if not named.isprintable():
        raise InvalidDocument("property", f"{named[:60]!r} is not the name of a property")
    if property is not None and property != named:
        raise UsageError(f"the document is of property {named}, not of {property}")
    return named


def _entry(facts: list[bytes], refused: Refused) -> str:
    """Return the reason why the ledger refused an entry of the document, with the register and the key of the
    entry.
    """
    field = f"{refused.field}: " if refused.field else ""
    if refused.index is None:
        return f"{field}{refused.why}"
    fact = json.decode(facts[refused.index])
    return f"{fact['register']}.{fact['key']} {field}{refused.why}"

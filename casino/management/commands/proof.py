"""Command: prove that a fact is in the ledger of a checkpoint, or that a checkpoint continues another one."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, CommandParser
from msgspec import json

from audit import database
from audit.tree import documents
from audit.tree.documents import NoProof


class Command(BaseCommand):
    help = (
        "Print a proof as JSON: that one fact is in the ledger of a signed checkpoint. With --from and"
        " --to that the ledger of one checkpoint is the beginning of that of a later one. verify_proof.py"
        " checks it on any machine."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the options: the fact, the sizes of the checkpoints, and the property."""
        parser.add_argument("uid", nargs="?", help="the fact's uid")
        parser.add_argument(
            "--size", type=int, help="prove the fact for the checkpoint of this size; default: the latest"
        )
        parser.add_argument(
            "--from", dest="begins", type=int, metavar="SIZE", help="size of the earlier checkpoint"
        )
        parser.add_argument(
            "--to", dest="ends", type=int, metavar="SIZE", help="size of the later checkpoint"
        )
        parser.add_argument("--property", help="the property; may be left out if only one has the fact")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the requested proof as one JSON object."""
        begins, ends, uid = options["begins"], options["ends"], options["uid"]
        if (begins is None) != (ends is None) or (uid is None) == (begins is None):
            raise CommandError("give the uid of a fact, or --from and --to", returncode=2)
        try:
            if uid is not None:
                parsed = _uid(uid)
                property = options["property"] or _property_of_fact(parsed)
                proof = documents.inclusion_proof(property, parsed, options["size"])
            else:
                proof = documents.consistency_proof(options["property"] or _only_property(), begins, ends)
        except NoProof as error:
            raise CommandError(str(error)) from None
        self.stdout.write(json.format(json.encode(proof), indent=2).decode())


def _uid(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise CommandError(f"{text!r} is not a uid", returncode=2) from None


def _property_of_fact(uid: UUID) -> str:
    """Return the property whose ledger has a fact with this uid. Raise CommandError if no ledger, or
    more than one, has it.
    """
    ledgers = [
        name for (name,) in database.rows("SELECT property FROM fact WHERE uid = %s ORDER BY 1", [uid])
    ]
    if not ledgers:
        raise CommandError(f"no ledger has a fact {uid}")
    if len(ledgers) > 1:
        raise CommandError(
            f"{', '.join(ledgers)} have a fact {uid}: choose one with --property", returncode=2
        )
    return str(ledgers[0])


def _only_property() -> str:
    ledgers = [name for (name,) in database.rows("SELECT property FROM head ORDER BY 1")]
    if not ledgers:
        raise CommandError("no property has a ledger", returncode=2)
    if len(ledgers) > 1:
        raise CommandError(f"name a property with --property: {', '.join(ledgers)}", returncode=2)
    return str(ledgers[0])

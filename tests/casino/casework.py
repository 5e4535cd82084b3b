"""Helpers for the tests of cases: they open a case about one hand, and list the users who may or may not see
it.
"""

from __future__ import annotations

from io import BytesIO
from typing import Any
from uuid import uuid4

from django.test import Client

from audit.proofs.registry import selected
from audit.proofs.run import run
from audit.review import case_fold
from audit.review.case_fold import Part
from casino.cases import services
from casino.cases.services import Description
from casino.models import Person
from tests.casino.conftest import COMPLIANCE, Cast
from tests.casino.logins import logged_in
from tests.casino.nights import STREAM

HAND = Part("hand", STREAM, "r-0002")
PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 40
MP4 = b"\0\0\0\x18ftypmp42" + b"\0" * 3_000_000
WATCHERS = ("Dana", "Igor", "Rhea")
OTHERS = ("Boris", "Alma", "Ada", "Finn", "Chi", "Gus", "Nia", "Mia", "Eve")
ACTS = ("case_new", "case_add", "case_act", "case_note", "evidence")
"""Addresses at which an action on a case, or an evidence pack, is recorded."""
CASES = (
    "case_state",
    "case_part",
    "case_subject",
    "case_followed",
    "case_words",
    "case_file",
    "case_file_piece",
    "confidential_fact",
    "confidential_viewing",
)


def cora() -> Client:
    return logged_in(COMPLIANCE, raise_request_exception=False)


def described(concerns: str = "dealers-play", **changed: Any) -> Description:
    values = Description(concerns, "Payouts at EOU-07", "Spots 3 and 4.", "v-101", None, ())
    return values._replace(**changed)


def opened(cast: Cast, by: str = "Dana", parts: tuple[Part, ...] = (HAND,), **changed: Any) -> str:
    return services.open_case(cast.person(by), "aurora", str(uuid4()), described(**changed), parts)


def suspicion() -> str:
    cora = Person.objects.get(pk=COMPLIANCE)
    return services.open_case(
        cora, "aurora", str(uuid4()), described("suspicion", owner=COMPLIANCE, title="Structured buy-ins"), ()
    )


def post_act(client: Client, act: str, case: str, **fields: Any) -> Any:
    return client.post(f"/cases/aurora/{case}/{act}/", {"uid": str(uuid4()), **fields})


def state(number: str) -> Any:
    case = case_fold.case_of("aurora", number, confidential=number.startswith("S-"))
    assert case is not None
    return case


def faults(*tables: str) -> list[str]:
    return [f"{fault.table} {fault.kind}: {fault.says}" for fault in run(selected(tables)).faults]


def named_file(content: bytes, name: str) -> BytesIO:
    file = BytesIO(content)
    file.name = name
    return file


def values(cast: Cast) -> dict[str, str]:
    """Open a case with a file. Return a value for each parameter in the addresses of the case's pages, as
    `test_regulator.Shown` expects them.
    """
    case, film = opened(cast), named_file(PNG, "cam-12.png")
    digest = services.add_file(cast.person("Dana"), "aurora", case, str(uuid4()), film, "cam-12.png")
    posts = ("api-case-parts", "api-case-notes", "api-case-close")
    pages = ("case", "case_act", "case_note", "case_file", "api-case", *posts)
    return {f"number of {page}": case for page in pages} | {"name of case_act": "change", "digest": digest}

"""Signed checkpoints of the ledgers, and proofs: that a fact is in the ledger of a checkpoint, and that one
checkpoint continues another one. `verify_proof.py` checks both on any machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.urls import reverse
from rest_framework.response import Response
from rest_framework.views import APIView

from audit.facts.input_parsing import whole
from audit.queries import facts as recorded
from audit.tree import checkpoints, documents
from audit.tree.checkpoints import Stored
from audit.tree.documents import NoProof
from casino.accounts import view_log
from casino.accounts.permissions import properties
from casino.accounts.scopes import needs
from casino.api import cursors
from casino.api import shapes as s
from casino.api.lists import PROPERTY, requested_property
from casino.api.older_pages import PAGE_SIZE, OlderStyle, answers, deprecated
from casino.api.openapi import Answer, described, path_parameter, query_parameter
from casino.api.paging import NEXT, cursor_parameter, key_before, link_to_next, size_of
from casino.api.problems import Problem
from casino.exports import verify_proof
from casino.exports.datasets import timestamp

ACT = "see-facts"
PAGE = 100
SIZE = s.integer(1, 2**53)
BASE64: s.Shape = {"type": "string", "contentEncoding": "base64"}
NOTE = s.described(s.TEXT, "A signed note in the format of c2sp.org/tlog-checkpoint.")
A_NOTE = (
    "casino.example/aurora\n92000\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n"
    "— casino.example/aurora Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE"
    "+xeMcTOAYQ8=\n"
)
A_HASH = "PlRNCrwHpqhGrupue0L7gxbjbMiKA9temvuZZDDpkaw="
AN_UID = "01a217ba-1206-7000-8000-000000000006"
HASHES = s.described(s.array(BASE64), "The hashes of the proof, in the order of RFC 6962.")
CHECKPOINT = s.body(
    size=(s.COUNT, 92000, "The number of facts, which is the last position."),
    root=(s.HASH, "c0" * 32, "The root of the Merkle tree over the facts."),
    made_at=(s.INSTANT, "2026-11-28T09:12:00.100000Z"),
    note=(NOTE, A_NOTE),
)
KEYS = (
    s.array(s.TEXT),
    ["casino.example/aurora+3f2a91c0+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"],
    "The public keys (vkeys) of the property that are not revoked.",
)
CHECKPOINTS = s.body(
    items=s.items(CHECKPOINT),
    next=(NEXT, None),
    since=(s.described(s.TEXT, "The cursor after the last checkpoint, even on the last page."), "cursor"),
    keys=KEYS,
)
OLDER = OlderStyle("after")
OLDER_CHECKPOINTS = s.body(keys=KEYS, checkpoints=s.items(CHECKPOINT))
INCLUSION = s.object_(
    proof=s.one_of("inclusion"),
    version=s.COUNT,
    property=s.TEXT,
    uid=s.UID,
    leaf=s.described(BASE64, "The bytes of the fact from which its hash is computed."),
    index=s.described(s.COUNT, "The fact's position less one."),
    size=s.COUNT,
    hashes=HASHES,
    checkpoint=NOTE,
)
CONSISTENCY = s.object_(
    proof=s.one_of("consistency"),
    version=s.COUNT,
    property=s.TEXT,
    **{"from": s.COUNT, "to": s.COUNT},
    hashes=HASHES,
    checkpoint_from=NOTE,
    checkpoint_to=NOTE,
)
COMMON = {"version": 1, "property": "aurora", "hashes": [A_HASH]}
AN_INCLUSION = {
    "proof": "inclusion",
    **COMMON,
    "uid": AN_UID,
    "leaf": "eyJraW5kIjoidGFrZSJ9",
    "index": 5,
    "size": 92000,
    "checkpoint": A_NOTE,
}
A_CONSISTENCY = {
    "proof": "consistency",
    **COMMON,
    "from": 82000,
    "to": 92000,
    "checkpoint_from": A_NOTE,
    "checkpoint_to": A_NOTE,
}


class Checkpoints(APIView):
    permission_classes = [needs("read:facts")]

    @described(
        "Checkpoints of a ledger",
        PROPERTY,
        PAGE_SIZE,
        cursor_parameter("property"),
        OLDER.documented(s.integer(0, 2**53), "Only checkpoints of more facts than this.", example=82000),
        responses=answers(
            CHECKPOINTS,
            OLDER_CHECKPOINTS.shape,
            "Without `cursor` and `page_size`, the checkpoints have the name `checkpoints`, and are a hundred"
            " at most.",
        ),
    )
    def get(self, request: Any) -> Response:
        """Return the signed checkpoints of a property's ledger, the smallest first, with the signatures of
        witnesses, and the public keys. Clients should keep the checkpoints: a ledger that is changed later
        contradicts them. Later, send `since` of the last page as `cursor` to get the following checkpoints.
        """
        property, query = requested_property(request, ACT), request.query_params.dict()
        keys = [key.verifier().text for key in checkpoints.keys_of(property) if key.state() != "revoked"]
        if OLDER.is_requested(query):
            older = checkpoints.page(property, whole(query.get("after", "")) or 0, PAGE)
            return deprecated(request, Response({"keys": keys, "checkpoints": _items(property, older)}))
        listed = cursors.list_name("checkpoints", property, query)
        key = key_before(query, listed)
        after, size = int(key[0]) if key is not None else 0, size_of(query)
        page = checkpoints.page(property, after, size + 1)
        has_more, page = len(page) > size, page[:size]
        since = cursors.encode(listed, [page[-1].size if page else after])
        following = since if has_more else None
        content = {"items": _items(property, page), "next": following, "since": since, "keys": keys}
        response = Response(content)
        link_to_next(request, response, following)
        return response


def _items(property: str, page: Sequence[Stored]) -> list[dict[str, Any]]:
    notes = checkpoints.cosigned_notes(property, page)
    return [
        CHECKPOINT.of(
            checkpoint, root=checkpoint.root.hex(), made_at=timestamp(checkpoint.made_at), note=note
        )
        for checkpoint, note in zip(page, notes, strict=True)
    ]


class ConsistencyProof(APIView):
    permission_classes = [needs("read:facts")]

    @described(
        "A proof that a checkpoint continues another one",
        PROPERTY,
        query_parameter("from", SIZE, "Size of the earlier checkpoint; default: the first.", example=82000),
        query_parameter("to", SIZE, "Size of the later checkpoint; default: the latest.", example=92000),
        responses=Answer(CONSISTENCY, "The proof.", A_CONSISTENCY),
        problems=(409,),
    )
    def get(self, request: Any) -> Response:
        """Return the proof that the ledger of the later checkpoint begins with all facts of the earlier one,
        unchanged. `manage.py proof --from A --to B` prints the same proof.
        """
        property = requested_property(request, ACT)
        begins, ends = (whole(request.query_params.get(name, "")) for name in ("from", "to"))
        if begins is None:
            begins = next((checkpoint.size for checkpoint in checkpoints.page(property, 0, 1)), 0)
        if ends is None:
            latest = checkpoints.latest(property)
            ends = latest.size if latest else 0
        try:
            return Response(documents.consistency_proof(property, begins, ends))
        except NoProof as error:
            raise Problem(409, "no-proof", str(error)) from None


class InclusionProof(APIView):
    permission_classes = [needs("read:facts")]

    @described(
        "A proof that a fact is in the ledger",
        path_parameter("uid", s.UID, "The fact's uid.", example=AN_UID),
        query_parameter("size", SIZE, "Size of the checkpoint; default: the latest.", example=92000),
        responses=Answer(INCLUSION, "The proof.", AN_INCLUSION),
        problems=(409,),
    )
    def get(self, request: Any, uid: UUID) -> Response:
        """Return the fact's bytes and the proof that they are in the ledger of a signed checkpoint, as
        `manage.py proof UID` prints it. The status is 409 if no checkpoint covers the fact yet.
        """
        size = whole(request.query_params.get("size", ""))
        for property in properties(request.user, ACT):
            if recorded.hashes(property, str(uid)) is None:
                continue
            try:
                proof = documents.inclusion_proof(property, UUID(str(uid)), size)
            except NoProof as error:
                raise Problem(409, "no-proof", str(error)) from None
            view_log.record_report(
                request.user, property, f"Proof of fact {uid} by REST", reverse("api-docs")
            )
            return Response(proof)
        raise Http404


class ProofVerifier(APIView):
    permission_classes = [needs("read:facts")]

    @described(
        "The program that verifies a proof",
        responses=Answer(s.FILE, "verify_proof.py", None, "text/x-python"),
    )
    def get(self, request: Any) -> HttpResponse:
        """Return a program in one file that needs only Python and the package `cryptography`: `python
        verify_proof.py FILE --vkey VKEY`.
        """
        if not properties(request.user, ACT):
            raise PermissionDenied(ACT)
        return HttpResponse(Path(verify_proof.__file__).read_bytes(), content_type="text/x-python")

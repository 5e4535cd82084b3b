"""The duties of staff: which acts each role may record, which roles one person must not have together, and
who signs each kind of fact.

Pages and replay use the same lists. A page rejects a signature that these lists do not allow, and replay
reports it if it was recorded.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

ON_THE_FLOOR = frozenset(
    {
        "open-table",
        "seat-dealer",
        "set-limits",
        "count-tray",
        "request-slip",
        "verify-slip",
        "buy-chips",
        "issue-marker",
    }
)

DUTIES: dict[str, frozenset[str]] = {
    "surveillance": frozenset(
        {
            "give-verdict",
            "review-verdict",
            "annotate",
            "flag-hand",
            "write-log",
            "hold-video",
            "investigate",
            "set-alert",
            "save-view",
            "work-case",
            "erase-case",
        }
    ),
    "table-games": ON_THE_FLOOR | {"annotate", "pause-table", "save-view"},
    "dealer": frozenset({"count-tray", "count-chips", "receive-slip", "buy-chips"}),
    "supervisor": ON_THE_FLOOR | {"pull-box", "witness-void"},
    "cage": frozenset(
        {
            "send-slip",
            "void-slip",
            "pay-marker",
            "verify-count",
            "receive-drop",
            "send-deposit",
            "sign-deposit",
        }
    ),
    "security": frozenset({"carry-slip", "pull-box", "witness-void", "sign-deposit"}),
    "count": frozenset({"count-drop", "hand-over-drop"}),
    "accounting": frozenset(
        {
            "sign-register",
            "witness-void",
            "close-day",
            "adjust",
            "sign-adjustment",
            "investigate",
            "write-off-marker",
            "sign-write-off",
            "confirm-deposit",
        }
    ),
    "compliance": frozenset({"work-suspicion", "erase-case"}),
    "internal-audit": frozenset(),
    "regulator": frozenset(),
    "administrator": frozenset(
        {"set-register", "sign-register", "issue-token", "set-alert", "set-webhook", "erase-case"}
    ),
    "device": frozenset({"post-facts"}),
}
"""For each role: the acts that people with this role may record, or may give others the right to record."""

CASH_HANDLING_ROLES = frozenset({"table-games", "dealer", "supervisor", "floor", "cage", "security", "count"})
"""Roles that handle chips, cash, boxes or the games."""
INCOMPATIBLE_ROLES: tuple[tuple[str, frozenset[str], str], ...] = (
    (
        "accounting",
        CASH_HANDLING_ROLES,
        "accounting takes no part in drops, counts, fills and the cage",
    ),
    ("surveillance", CASH_HANDLING_ROLES | {"accounting"}, "surveillance moves no money and runs no game"),
    ("compliance", CASH_HANDLING_ROLES, "compliance moves no money and runs no game"),
    ("count", frozenset({"cage"}), "the cage recounts boxes that the count team has counted"),
    (
        "internal-audit",
        CASH_HANDLING_ROLES | frozenset(DUTIES),
        "internal audit takes no part in the work that it audits",
    ),
    ("regulator", CASH_HANDLING_ROLES | frozenset(DUTIES), "the regulator only reads"),
)
"""Roles that one person must not have together: a role, the roles that exclude it, and the reason."""


def role_conflict(roles: Collection[str]) -> str:
    """Return the reason why one person must not have these roles together, or an empty text if the person may
    have them.
    """
    for role, others, reason in INCOMPATIBLE_ROLES:
        if role in roles and (incompatible := sorted(others.intersection(roles) - {role})):
            return f"one person cannot be {role} and {incompatible[0]}, because {reason}"
    return ""


def who(*acts: str) -> frozenset[str]:
    """Return the roles that may record at least one of these acts."""
    return frozenset(role for role, can in DUTIES.items() if can.intersection(acts))


class Signature(NamedTuple):
    """A field of a fact that names a person who signed, and the roles that may sign there. The person must
    have one of them.
    """

    field: str
    roles: frozenset[str]


class Signatures(NamedTuple):
    """Signatures of one fact that the same control requires.

    Attributes:
        in_order: True if each person must be named in the field for the person's role, False if the people
            may be named in either order.
    """

    of: tuple[Signature, ...]
    control: str
    in_order: bool = True


FLOOR = who("open-table")
DEALS, SUPERVISES = frozenset({"dealer"}), frozenset({"supervisor"})
AT_THE_TABLE = FLOOR | DEALS
"""Roles that may stop and resume play and answer an alarm. A device that reports such an act may name the
dealer or a person of the floor.

These roles may also sign a void, a correction or a cancelled round, but one of its two signatures must be of
a person of the floor. Surveillance may give the other signature, because it may have watched the round on
video.
"""


def one(control: str, field: str, roles: frozenset[str]) -> Signatures:
    """Return a requirement of one signature.

    Args:
        control: the control that requires it.
        field: the field that names the person.
        roles: the roles that may sign.
    """
    return Signatures((Signature(field, roles),), control)


def two(
    control: str, by: frozenset[str], second: frozenset[str], fields: tuple[str, str] = ("by", "second")
) -> Signatures:
    """Return a requirement of two signatures. The two people may be named in either order."""
    return Signatures((Signature(fields[0], by), Signature(fields[1], second)), control, in_order=False)


_AT_THE_TABLE = two("DE-03", FLOOR, AT_THE_TABLE | {"surveillance"})
_SLIP = (
    one("FI-01", "requested_by", who("request-slip")),
    one("FI-04", "carried_by", who("carry-slip")),
    one("FI-06", "verified_by", who("verify-slip")),
)
SIGNED: dict[str, tuple[Signatures, ...]] = {
    "dealer-seated": (one("MI-08", "supervisor", SUPERVISES),),
    "opener-counted": (two("OC-02", who("count-chips"), FLOOR),),
    "closer-counted": (two("OC-08", who("count-chips"), FLOOR),),
    "fill-sent": (
        *_SLIP,
        one("FI-04", "sent_by", who("send-slip")),
        one("FI-04", "received_by", who("receive-slip")),
    ),
    "credit-sent": (*_SLIP, two("CR-01", who("receive-slip"), who("send-slip"), ("sent_by", "received_by"))),
    "slip-voided": (two("SL-06", who("void-slip"), who("witness-void")),),
    "marker-issued": (one("MA-04", "by", who("issue-marker")),),
    "marker-paid": (one("MA-12", "by", who("pay-marker")),),
    "marker-written-off": (two("MA-11", who("write-off-marker"), who("sign-write-off")),),
    "marker-recovered": (one("MA-12", "by", who("pay-marker")),),
    "drop-received": (two("CO-09", who("receive-drop"), who("hand-over-drop")),),
    "deposit-sent": (two("CG-06", who("send-deposit"), who("sign-deposit")),),
    "deposit-confirmed": (one("CG-07", "by", who("confirm-deposit")),),
    "box-pulled": (two("DR-03", who("carry-slip"), who("pull-box")),),
    "drop-counted": (one("CO-02", "team", who("count-drop")),),
    "count-verified": (one("CO-09", "by", who("verify-count", "count-drop")),),
    "day-closed": (one("AU-06", "by", who("close-day")),),
    "void": (_AT_THE_TABLE,),
    "corrected": (_AT_THE_TABLE,),
    "read-corrected": (_AT_THE_TABLE,),
    "round-cancelled": (_AT_THE_TABLE,),
    "paused": (one("MI-03", "by", AT_THE_TABLE),),
    "resumed": (one("MI-03", "by", AT_THE_TABLE),),
    "alarm-answered": (one("CA-09", "by", AT_THE_TABLE),),
    "adjusted": (two("AU-04", who("adjust"), who("sign-adjustment")),),
    "verdict-given": (one("SU-07", "by", who("give-verdict")), one("SU-07", "second", who("review-verdict"))),
    "flagged": (one("SU-07", "by", who("flag-hand")),),
    "hand-assigned": (one("SU-07", "by", who("give-verdict")), one("SU-07", "to", who("give-verdict"))),
    "hand-snoozed": (one("SU-07", "by", who("give-verdict")),),
    "log-written": (one("SU-01", "by", who("write-log", "investigate")),),
    "alert-rule-set": (one("AC-05", "by", who("set-alert")),),
    "webhook-set": (one("AC-05", "by", who("set-webhook")),),
    "hand-over-accepted": (one("SU-01", "by", who("write-log")),),
    "camera-down": (one("SU-03", "by", who("write-log")),),
    "camera-up": (one("SU-03", "by", who("write-log")),),
    "hold-ordered": (one("SU-04", "by", who("hold-video")),),
    "hold-secured": (one("SU-04", "by", who("hold-video")),),
    "hold-released": (one("SU-04", "by", who("hold-video")),),
    "clip-exported": (one("SU-04", "by", who("hold-video")),),
    **{
        kind: (one("SU-07", "by", who("work-case")),)
        for kind in (
            "case-opened",
            "case-changed",
            "case-joined",
            "case-parted",
            "case-noted",
            "case-file-added",
            "case-subject-set",
            "case-closed",
        )
    },
    "case-erased": (one("SU-07", "by", who("work-case")), one("SU-07", "second", who("erase-case"))),
    "register-set": (one("AC-06", "by", who("set-register")), one("AC-06", "second", who("sign-register"))),
}
"""{kind: its signatures, with the controls that require them}. The dealer of `dealer-seated` is not listed,
because a person who deals but is not a dealer of the property is reported as `dealer-unknown`.

On the pages, the count room cannot recount a box, because it would see the first count there. If a count room
has its own devices, another person of the count room makes the second count, and replay does not report it.
"""

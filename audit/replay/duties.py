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


def roles_for(*acts: str) -> frozenset[str]:
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


FLOOR = roles_for("open-table")
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
    one("FI-01", "requested_by", roles_for("request-slip")),
    one("FI-04", "carried_by", roles_for("carry-slip")),
    one("FI-06", "verified_by", roles_for("verify-slip")),
)
SIGNED: dict[str, tuple[Signatures, ...]] = {
    "dealer-seated": (one("MI-08", "supervisor", SUPERVISES),),
    "opener-counted": (two("OC-02", roles_for("count-chips"), FLOOR),),
    "closer-counted": (two("OC-08", roles_for("count-chips"), FLOOR),),
    "fill-sent": (
        *_SLIP,
        one("FI-04", "sent_by", roles_for("send-slip")),
        one("FI-04", "received_by", roles_for("receive-slip")),
    ),
    "credit-sent": (
        *_SLIP,
        two("CR-01", roles_for("receive-slip"), roles_for("send-slip"), ("sent_by", "received_by")),
    ),
    "slip-voided": (two("SL-06", roles_for("void-slip"), roles_for("witness-void")),),
    "marker-issued": (one("MA-04", "by", roles_for("issue-marker")),),
    "marker-paid": (one("MA-12", "by", roles_for("pay-marker")),),
    "marker-written-off": (two("MA-11", roles_for("write-off-marker"), roles_for("sign-write-off")),),
    "marker-recovered": (one("MA-12", "by", roles_for("pay-marker")),),
    "drop-received": (two("CO-09", roles_for("receive-drop"), roles_for("hand-over-drop")),),
    "deposit-sent": (two("CG-06", roles_for("send-deposit"), roles_for("sign-deposit")),),
    "deposit-confirmed": (one("CG-07", "by", roles_for("confirm-deposit")),),
    "box-pulled": (two("DR-03", roles_for("carry-slip"), roles_for("pull-box")),),
    "drop-counted": (one("CO-02", "team", roles_for("count-drop")),),
    "count-verified": (one("CO-09", "by", roles_for("verify-count", "count-drop")),),
    "day-closed": (one("AU-06", "by", roles_for("close-day")),),
    "void": (_AT_THE_TABLE,),
    "corrected": (_AT_THE_TABLE,),
    "read-corrected": (_AT_THE_TABLE,),
    "round-cancelled": (_AT_THE_TABLE,),
    "paused": (one("MI-03", "by", AT_THE_TABLE),),
    "resumed": (one("MI-03", "by", AT_THE_TABLE),),
    "alarm-answered": (one("CA-09", "by", AT_THE_TABLE),),
    "adjusted": (two("AU-04", roles_for("adjust"), roles_for("sign-adjustment")),),
    "verdict-given": (
        one("SU-07", "by", roles_for("give-verdict")),
        one("SU-07", "second", roles_for("review-verdict")),
    ),
    "flagged": (one("SU-07", "by", roles_for("flag-hand")),),
    "hand-assigned": (
        one("SU-07", "by", roles_for("give-verdict")),
        one("SU-07", "to", roles_for("give-verdict")),
    ),
    "hand-snoozed": (one("SU-07", "by", roles_for("give-verdict")),),
    "log-written": (one("SU-01", "by", roles_for("write-log", "investigate")),),
    "alert-rule-set": (one("AC-05", "by", roles_for("set-alert")),),
    "webhook-set": (one("AC-05", "by", roles_for("set-webhook")),),
    "hand-over-accepted": (one("SU-01", "by", roles_for("write-log")),),
    "camera-down": (one("SU-03", "by", roles_for("write-log")),),
    "camera-up": (one("SU-03", "by", roles_for("write-log")),),
    "hold-ordered": (one("SU-04", "by", roles_for("hold-video")),),
    "hold-secured": (one("SU-04", "by", roles_for("hold-video")),),
    "hold-released": (one("SU-04", "by", roles_for("hold-video")),),
    "clip-exported": (one("SU-04", "by", roles_for("hold-video")),),
    **{
        kind: (one("SU-07", "by", roles_for("work-case")),)
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
    "case-erased": (
        one("SU-07", "by", roles_for("work-case")),
        one("SU-07", "second", roles_for("erase-case")),
    ),
    "register-set": (
        one("AC-06", "by", roles_for("set-register")),
        one("AC-06", "second", roles_for("sign-register")),
    ),
}
"""{kind: its signatures, with the controls that require them}. The dealer of `dealer-seated` is not listed,
because a person who deals but is not a dealer of the property is reported as `dealer-unknown`.

On the pages, the count room cannot recount a box, because it would see the first count there. If a count room
has its own devices, another person of the count room makes the second count, and replay does not report it.
"""

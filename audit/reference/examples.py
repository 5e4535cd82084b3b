"""One example of every kind of fact, for the event reference and the OpenAPI schema. Together the examples
describe one table's day.
"""

from __future__ import annotations

from typing import Any

from audit.facts.kinds import HOUSE_KINDS, KINDS
from audit.reference.money_examples import money_fields

DAY = "2026-11-27"
TABLE = "aurora/EOU-01"
ROUND = "r-12"
WITHOUT_ROUND = frozenset(
    {
        "table-opened",
        "dealer-seated",
        "shuffled",
        "corrected",
        "round-cancelled",
        "alarm",
        "alarm-answered",
        "table-closed",
    }
)
"""Kinds of fact at the table whose example is recorded between two rounds."""
TABLES = {
    "pull": "aurora/HS-01",
    "choose": "aurora/COU-01",
    "bets": "aurora/AB-01",
    "settled": "aurora/AB-01",
    "player-lost": "aurora/AB-01",
    "player-back": "aurora/AB-01",
    "paused": "aurora/AB-01",
    "resumed": "aurora/AB-01",
}
"""For each kind whose example needs another game: the table of the example."""
DESKS = {
    "opener-counted": "pit-2",
    "closer-counted": "pit-2",
    "box-pulled": "pit-2",
    "chips-bought": "pit-2",
    "drop-counted": "count-1",
    "count-verified": "cage-1",
    "fill-sent": "cage-1",
    "credit-sent": "cage-1",
    "slip-voided": "cage-1",
    "marker-issued": "cage-1",
    "marker-paid": "cage-1",
}
"""For each kind of the cage or count room: the source from which its example is recorded."""
SIGNED = {"by": "s-201", "second": "d-101"}
SLIP = {
    "chips": {"500": 200, "2500": 40},
    "amount": 200_000,
    "requested_by": "s-201",
    "sent_by": "c-301",
    "carried_by": "g-401",
    "received_by": "d-101",
}
PIECE = {"camera": "cam-11", "begins": "2026-11-28T04:04:10Z", "ends": "2026-11-28T04:05:00Z"}
REFERS = {
    "alarm-answered": ("alarm", "alarm"),
    "adjusted": ("of", "drop-counted"),
    "read-corrected": ("of", "deal"),
    "log-written": ("of", "fill-sent"),
    "hand-over-accepted": ("entry", "log-written"),
    "hold-secured": ("hold", "hold-ordered"),
    "hold-released": ("hold", "hold-ordered"),
}
"""For each kind that names another fact: the field with its uid, and the kind of the named fact."""
CASE = "2026-0007"
HASH = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
FIRST = "0198b2f0-8c00-7000-8000-"


def uid(place: int) -> str:
    """Return the uid of the example at this index in the list of kinds."""
    return f"{FIRST}{place:012}"


FIELDS: dict[str, dict[str, Any]] = {
    "table-opened": {
        "game": "easy_over_under",
        "edition": "2010-02-05",
        "pay_tables": {"spread": "B"},
        "decks": 6,
        "spots": 6,
        "limits": {"*": [1000, 50000], "spread": [500, 10000]},
        "currency": "USD",
        "chip": 100,
        "readings": {"rounding": "exact"},
        "sees": ["round-opened", "bet", "roll", "deal", "take", "pay", "round-closed"],
        "shifts": {"day": "2026-11-27T06:00:00-08:00", "swing": "2026-11-27T14:00:00-08:00"},
    },
    "dealer-seated": {"dealer": "d-101", "supervisor": "s-201"},
    "shuffled": {"shoe": "shoe-7", "decks": 6, "cut": 105},
    "cut-card-shown": {},
    "round-opened": {},
    "bet": {"spot": "3", "wager": "over", "amount": 2500},
    "bets": {"bets": [["p-90210", "andar", 1000], ["p-90113", "1-5", 500]]},
    "unbet": {"spot": "3", "wager": "over", "amount": 500},
    "no-more-bets": {},
    "shake": {"times": 7},
    "roll": {"dice": [6, 4]},
    "announce": {"what": "short-side", "ranks": ["J", "Q", "K"], "pays": "3 to 1"},
    "mark": {"value": 10, "side": "ties-lose-half"},
    "choose": {"spot": "3", "choice": "over"},
    "pull": {"spot": "3", "wager": "card-1"},
    "deal": {"to": "3", "card": "Kd"},
    "burn": {"card": None},
    "take": {"spot": "1", "wager": "under", "amount": 1000},
    "pay": {"spot": "3", "wager": "over", "amount": 2500},
    "settled": {"paid": [["p-90210", "andar", 1000]], "taken": [["p-90113", "1-5", 500]]},
    "clear": {"from": "3"},
    "void": {"reason": "a card lay face up in the shoe", **SIGNED},
    "return": {"spot": "3", "wager": "over", "amount": 2500},
    "round-closed": {},
    "corrected": {
        "round": ROUND,
        "spot": "3",
        "wager": "over",
        "amount": 500,
        "reason": "paid 20.00 for 25.00",
        **SIGNED,
    },
    "read-corrected": {"of": "", "card": "Kd", "reason": "the reader took the diamond for a heart", **SIGNED},
    "round-cancelled": {"round": ROUND, "reason": "a card was dealt from a wrong shoe", **SIGNED},
    "paused": {"reason": "the card could not be read", "by": "s-201"},
    "resumed": {"reason": "the card was read again", "by": "s-201"},
    "player-lost": {"spot": "p-90210"},
    "player-back": {"spot": "p-90210"},
    "alarm": {"device": "shuffler-2", "text": "card jam"},
    "alarm-answered": {"alarm": "", "by": "s-201"},
    "table-closed": {},
    "opener-counted": {"chips": {"100": 200, "500": 400, "2500": 100}, "amount": 470_000, **SIGNED},
    "closer-counted": {"chips": {"100": 150, "500": 380, "2500": 110}, "amount": 480_000, **SIGNED},
    "fill-sent": {"slip": "F-EOU01-000417", **SLIP},
    "credit-sent": {"slip": "C-EOU01-000102", **SLIP},
    "slip-voided": {
        "slip": "F-EOU01-000416",
        "reason": "asked for the wrong chips",
        "by": "c-301",
        "second": "g-401",
    },
    "marker-issued": {"slip": "M-AUR-000031", "player": "p-90210", "amount": 50_000, "by": "s-201"},
    "marker-paid": {"slip": "M-AUR-000031", "player": "p-90210", "amount": 50_000, "by": "c-301"},
    **money_fields(DAY),
    "chips-bought": {"spot": "3", "amount": 10_000, "tender": "cash"},
    "box-pulled": {"box": "000125", "shift": "day", "by": "g-401", "second": "s-201"},
    "drop-counted": {
        "box": "000125",
        "shift": "day",
        "notes": {"2000": 40, "10000": 3},
        "papers": {"voucher": 5000},
        "amount": 115_000,
        "team": ["n-101", "n-102"],
    },
    "count-verified": {"box": "000125", "amount": 115_000, "by": "c-302"},
    "day-closed": {"by": "a-101"},
    "adjusted": {
        "of_table": TABLE,
        "of_day": DAY,
        "what": "drop",
        "amount": 2000,
        "of": "",
        "reason": "a note of 20.00 lay in the box",
        "by": "a-101",
        "second": "a-102",
    },
    "verdict-given": {
        "finding": f"{FIRST}{19:012}:wrong-settlement:3:over",
        "code": "wrong-settlement",
        "owed": 2500,
        "moved": 2000,
        "says": "Spot 3 over: owed 25.00 USD, paid 20.00 USD.",
        "verdict": "confirmed",
        "by": "v-101",
        "second": None,
        "disposition": "dealer_error_uncorrected_player_loss",
        "note_sha256": None,
        "savings": 0,
        "losses": 500,
        "recovered": 0,
        "video": [{"camera": "cam-11", "from": "2026-11-28T04:04:10Z", "to": "2026-11-28T04:05:00Z"}],
    },
    "flagged": {
        "of_table": TABLE,
        "of_day": DAY,
        "round": ROUND,
        "why": "the dealer looked at the next card",
        "by": "v-101",
    },
    "hand-assigned": {
        "of_table": TABLE,
        "of_day": DAY,
        "hand": ROUND,
        "to": "v-102",
        "by": "v-101",
    },
    "hand-snoozed": {
        "of_table": TABLE,
        "of_day": DAY,
        "hand": ROUND,
        "until": "2026-11-28T16:00:00.000-08:00",
        "by": "v-101",
    },
    "log-written": {
        "about": "EOU-01, fill F-EOU01-000417",
        "words_sha256": HASH,
        "by": "v-101",
        "type": "fill",
        "of_table": TABLE,
        "of_day": DAY,
        "of": "",
        "video": [{"camera": "cam-11", "from": "2026-11-28T04:04:10Z", "to": "2026-11-28T04:05:00Z"}],
        "disposition": "watched to the tray, in order",
    },
    "register-set": {
        "register": "people",
        "key": "d-101",
        "value": {"role": "dealer"},
        "from": "2026-11-01",
        "to": None,
        "by": "m-101",
        "second": "m-102",
    },
    "reexamined": {
        "rules": "5f70bf18a086007016e948b04aed3b82",
        "gained": [],
        "lost": [f"{FIRST}{19:012}:late-bet:3:over"],
        "cause": "rules",
    },
    "hand-over-accepted": {"entry": "", "by": "v-102"},
    "camera-down": {"camera": "cam-11", "reason": "no picture", "by": "v-101"},
    "camera-up": {"camera": "cam-11", "reason": "a cable was changed", "by": "v-101"},
    "hold-ordered": {
        **PIECE,
        "reason": "a patron disputes the payout",
        "by": "v-101",
        "of_table": TABLE,
        "of_day": DAY,
        "round": ROUND,
        "until": "2027-11-27",
    },
    "hold-secured": {"hold": "", "where": "locked on the recorder", "by": "v-101", "sha256": HASH},
    "hold-released": {"hold": "", "reason": "the dispute is settled", "by": "v-101"},
    "clip-exported": {
        **PIECE,
        "where": "handed to the state police, receipt 2214",
        "by": "v-101",
        "of_table": TABLE,
        "of_day": DAY,
        "round": ROUND,
        "sha256": HASH,
    },
    "anchored": {
        "number": 1,
        "logs": {"viewing": {"after": 0, "upto": 812, "rows": 812, "sha256": HASH}},
        "key_id": "9f86d081884c",
        "code": HASH,
        "heads": {"aurora": {"position": 91_204, "chain": HASH}},
    },
    "alert-rule-set": {
        "rule": "integrity-now",
        "active": True,
        "on": "finding",
        "grades": ["integrity"],
        "roles": ["surveillance"],
        "webhooks": ["soc"],
        "quiet_from": "22:00",
        "quiet_to": "06:00",
        "by": "v-101",
    },
    "webhook-set": {
        "webhook": "soc",
        "active": True,
        "url": "https://soc.example/catwalk",
        "events": ["finding.gained", "finding.withdrawn", "verdict.given"],
        "by": "m-101",
    },
    "view-saved": {
        "name": "Watch: d-110",
        "query": "dealer=d-110&difference_from=25.00",
        "shared": True,
        "by": "v-101",
    },
    "case-opened": {
        "case": CASE,
        "concerns": "dealers-play",
        "title_sha256": HASH,
        "about_sha256": None,
        "owner": "v-101",
        "due": "2026-12-04",
        "seen_by": ["v-102"],
        "by": "v-101",
    },
    "case-changed": {
        "case": CASE,
        "concerns": "collusion",
        "status": "in-work",
        "title_sha256": HASH,
        "about_sha256": HASH,
        "owner": "v-102",
        "due": None,
        "seen_by": [],
        "by": "v-101",
    },
    "case-joined": {
        "case": CASE,
        "parts": [
            {"what": "hand", "of": ROUND, "table": TABLE, "day": DAY},
            {"what": "slip", "of": "F-EOU01-000417"},
        ],
        "by": "v-101",
    },
    "case-parted": {"case": CASE, "parts": [{"what": "slip", "of": "F-EOU01-000417"}], "by": "v-101"},
    "case-noted": {"case": CASE, "note_sha256": HASH, "by": "v-102"},
    "case-file-added": {
        "case": CASE,
        "file_sha256": HASH,
        "bytes": 50_542_122,
        "media_type": "video/mp4",
        "name_sha256": HASH,
        "by": "v-102",
    },
    "case-subject-set": {
        "case": CASE,
        "subject": 1,
        "role": "dealer",
        "id": "d-101",
        "description_sha256": HASH,
        "reason_sha256": HASH,
        "measure": "watch",
        "from": "2026-11-28",
        "to": "2026-12-28",
        "photo_sha256": None,
        "by": "v-101",
    },
    "case-erased": {
        "case": CASE,
        "erased": [HASH],
        "why": "retention-ended",
        "by": "v-101",
        "second": "m-101",
    },
    "case-closed": {"case": CASE, "outcome": "confirmed", "note_sha256": HASH, "by": "v-101"},
}
"""For each kind: the fields of its example, without the fields of every fact. An empty `alarm` or `of` is
filled with the uid of the example to which it refers.
"""


def example(kind: str) -> dict[str, Any]:
    """Return an example of this kind, in the form in which it is sent."""
    order = list(KINDS)
    place = order.index(kind) + 1
    of_property = kind in HOUSE_KINDS
    at = f"{DAY}T{20 + place // 60}:{place % 60:02}:00.000-08:00"
    table = "aurora/house" if of_property else TABLES.get(kind, TABLE)
    fact: dict[str, Any] = {"uid": uid(place), "table": table, "day": DAY, "kind": kind, "at": at}
    fact["source"] = "office-1" if of_property or kind == "day-closed" else DESKS.get(kind, "table-1")
    if not of_property and kind not in DESKS and kind not in WITHOUT_ROUND and kind != "day-closed":
        fact["round"] = ROUND
    fact |= FIELDS[kind]
    if kind in REFERS:
        field, other = REFERS[kind]
        fact[field] = uid(order.index(other) + 1)
    return fact

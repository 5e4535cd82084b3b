"""The closed lists of words in facts, with what each word means. A fact with another word is rejected.

A fact that an earlier release recorded with another word is still read and replayed.
"""

from __future__ import annotations

ADJUSTED = {
    "drop": "the drop: the count of a box",
    "opener": "the count of the tray when the table opened",
    "closer": "the count of the tray when the table closed",
    "fill": "chips that were sent to the table",
    "credit": "chips that were sent back to the cage",
    "settlement": "what was taken from and paid to players",
}
"""The figures of a gaming day that an adjustment can change."""

PAPERS = {
    "voucher": "a ticket that is paid in chips",
    "marker": "a signed credit instrument",
}
"""The papers that a drop box may contain in addition to cash."""

TENDERS = {"cash": "notes"} | PAPERS
"""The means with which players may pay for chips at the table. All of them go into the drop box."""

VERDICTS = {
    "confirmed": "it happened as the finding says",
    "dismissed": "it did not happen, or it cannot be shown",
    "escalated": "another officer decides",
    "withdrawn": "the previous verdict is withdrawn; the finding needs a new verdict",
}
WITHDRAWN = "withdrawn"
"""The verdict that takes back the previous verdict on a finding."""
DISPOSITIONS = {
    "dealer_error_uncorrected_house_loss": "confirmed",
    "dealer_error_uncorrected_player_loss": "confirmed",
    "dealer_error_corrected_at_table": "confirmed",
    "procedure_only_no_money": "confirmed",
    "patron_action": "confirmed",
    "equipment_fault": "confirmed",
    "no_error": "dismissed",
    "capture_error": "dismissed",
    "rule_config_error": "dismissed",
    "inconclusive_no_video": "dismissed",
    "suspected_collusion": "escalated",
    "referred_regulator": "escalated",
}
"""For each disposition: the verdict that it belongs to. A verdict with a disposition of another verdict is
rejected.
"""

ROLES = {
    "surveillance": "watches the games, and gives verdicts on findings",
    "table-games": "manages the tables and pits",
    "dealer": "deals",
    "supervisor": "supervises one or more tables",
    "floor": "works on the floor, without rights in Catwalk",
    "cage": "sends chips, and recounts boxes",
    "security": "carries chips and boxes",
    "count": "counts boxes",
    "accounting": "closes and adjusts gaming days",
    "compliance": "works on suspicions of money laundering, which no other role sees",
    "internal-audit": "reads everything and changes nothing",
    "regulator": "reads everything and changes nothing",
    "administrator": "keeps the registers",
    "device": "posts facts",
}
"""Roles of the register of people."""

REGISTERS = {
    "people": "who works here, by staff ID, and in which roles",
    "approvals": "what a regulator's letter allows the property to play",
    "property": "the property's name and currency; key `*`",
    "day-begins": "when the gaming day begins, as a local time and a zone; key `*`",
    "shifts": "the shifts, each with the local time at which it begins",
    "pits": "the pits",
    "tables": "the tables, each with the settings with which it is opened",
    "chip-sets": "the chips and notes of a currency",
    "thresholds": "amounts and numbers from which a requirement applies",
    "devices": "which devices may post facts, and for which tables",
    "cameras": "the cameras, and the tables that each one shows",
    "accounts": "the account to which each amount is posted",
    "log-types": "the types of entries in the daily log of surveillance, in addition to the defaults",
    "profile": "the jurisdiction's example that the property adopted; key `*`",
}
"""Registers of the property."""

DEVICE_KINDS = {
    "adjusted": "adjustments of closed days of its tables",
    "flagged": "flags on hands of its tables",
    "log-written": "entries in the log of surveillance; it must be registered for every table",
    "camera-down": "a camera gives no picture; it must be registered for every table",
    "camera-up": "a camera gives a picture again; it must be registered for every table",
    "marker-written-off": "markers that are written off; it must be registered for every table",
    "marker-recovered": "payments of written-off markers; it must be registered for every table",
    "drop-received": "counted cash that the cage receives; it must be registered for every table",
    "deposit-sent": "deposits on the way to the bank; it must be registered for every table",
    "deposit-confirmed": "deposits that the bank confirms; it must be registered for every table",
    "register-set": (
        "register entries, except those that give rights; it must be registered for every table, or for the"
        " table that the entry is about"
    ),
}
"""The kinds of fact in the property's stream that a device may post, if its register entry names them. No
device may post other kinds in this stream: officers give verdicts on a page, and Catwalk itself records
reexaminations and anchors.
"""

THRESHOLDS = {
    "second-reviewer": "`amount` at stake from which a verdict needs a second reviewer",
    "adjustment": "`amount` from which an adjustment is on the list of the month",
    "opening-difference": (
        "`amount` by which an opener may differ from the last closer, and the `duty` if it differs by more"
    ),
    "statistics": "`points`, `confidence` and `weeks` of the review of the hold",
    "count-team": "how many `people` count a box together",
    "tables-per-supervisor": "how many `tables` a supervisor may have at the same time",
    "day-closes": "after how many `days` a gaming day that is not closed is overdue",
    "deposit-confirmed": "for how many `days` a deposit may wait for the bank's confirmation",
    "private-webhooks": "`demand`: webhooks may have private addresses",
    "camera-down": "after how many `minutes` a camera that is down must have an entry in the log",
    "dealer-break": "`minutes`: how long a dealer may deal without a break; the floor's map shows who is due",
    "drop-logged": "`demand`: surveillance logs the drop of a gaming day before the first box is pulled",
    "camera-coverage": "`demand`: a camera shows each table while it is open",
    "large-win": "`amount` of a win from which surveillance verifies it from the recording",
    "one-time-passwords": "`demand`: everybody who acts or signs must have set up one-time passwords",
}
"""Keys of the register `thresholds` that Catwalk reads. The list is open, because a property's own check may
read others.
"""

BY_FACTS, BY_RULES, BY_REGISTERS, BY_CHECK = "facts", "rules", "registers", "check"
LOST_BY = {
    BY_FACTS: "facts that were recorded later, for example a correction",
    BY_RULES: "changed rules: another version of Catwalk judges the facts",
    BY_REGISTERS: "entries of a register that were recorded later",
    BY_CHECK: "no rule had changed: the stored findings were not those that replay makes",
}
"""The causes for which findings are no longer made. If the rules and the facts have changed, the cause is the
rules.
"""

ALERT_CAUSES = {
    "finding": "a finding or a flag is made",
    "withdrawn": "a finding is no longer made",
    "silent": "an open table sends no facts for longer than the `minutes` of the rule",
    "late": "facts of an open table arrive late, by more than the `minutes` of the rule",
    "set-aside": "a job is set aside after failures",
    "token-ending": "a token of the REST API ends soon",
    "token-refused": "a token is used from an address that it does not allow",
}
"""The causes that can raise an alert."""

ALERT_GRADES = {
    "integrity": "cards, chips, papers or people cannot be trusted",
    "money": "a wrong amount moved",
    "outcome": "a wrong result may have been played",
    "procedure": "a step was missed",
    "notice": "something that officers should know",
}
"""Grades of findings, from the gravest to the least grave."""

EVENT_TYPES = {
    "finding.gained": "a finding is made",
    "finding.withdrawn": "a finding is no longer made, because of facts that were recorded later",
    "finding.lost": "a finding is no longer made, because rules or registers have changed, or after a check",
    "hand.flagged": "an officer flags a hand",
    "verdict.given": "surveillance decides on a finding",
    "day.closed": "the gaming day of a table is closed",
    "export.finished": "an export that was ordered is archived",
    "feed.silent": "an open table sends no facts",
    "feed.heard": "a silent table sends facts again",
    "feed.late": "facts of an open table arrive late",
    "feed.on-time": "facts of a late table arrive on time again",
    "job.set-aside": "a job is set aside after failures",
    "token.ending": "a token of the REST API ends soon",
    "token.refused": "a token is used from an address that it does not allow",
    "alert.raised": "a rule raises an alert that names this webhook",
    "alert.summary": "quiet hours end: the alerts that were held back",
}
"""Types of events that webhooks can receive."""
LOG_TYPES = {
    "drop": "boxes are pulled",
    "count": "a count begins, is interrupted or ends",
    "fill": "a fill or a credit that surveillance watched on request",
    "large-win": "a win that is verified from the recording",
    "detention": "a person is detained, barred or asked to leave",
    "dispute": "a patron contests what was paid or taken, and what was decided",
    "visitor": "a person enters or leaves the surveillance room",
    "call": "a call from the floor, the cage or outside",
    "malfunction": "a camera, recorder or feed fails, or is repaired",
    "hand-over": "a shift is handed over, with what is still open",
    "other": "anything else",
}
"""The types of entries in the daily log that every property has, unless its register `log-types` says
otherwise.
"""
HAND_OVER = "hand-over"
"""The type of the entry with which a shift is handed over."""

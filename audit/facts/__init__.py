"""Kinds of fact with their fields and schema numbers, validation, and the canonical bytes.

`check` validates a line that was sent and prepares it for the ledger; `decode` reads stored bytes.
"""

from __future__ import annotations

from audit.facts.alert_kinds import AlertRuleSet as AlertRuleSet
from audit.facts.alert_kinds import WebhookSet as WebhookSet
from audit.facts.case_kinds import *  # noqa: F403
from audit.facts.codec import UPCASTS as UPCASTS
from audit.facts.codec import canonical as canonical
from audit.facts.codec import decode as decode
from audit.facts.codec import decode_or_none as decode_or_none
from audit.facts.codec import decoder as decoder
from audit.facts.codec import newest as newest
from audit.facts.identifiers import accepted_form as accepted_form
from audit.facts.installation_kinds import Anchored as Anchored
from audit.facts.installation_kinds import Batch as Batch
from audit.facts.installation_kinds import LedgerHead as LedgerHead
from audit.facts.kinds import *  # noqa: F403 - the kinds are the vocabulary of all readers of facts
from audit.facts.money_kinds import DepositConfirmed as DepositConfirmed
from audit.facts.money_kinds import DepositSent as DepositSent
from audit.facts.money_kinds import DropReceived as DropReceived
from audit.facts.money_kinds import MarkerRecovered as MarkerRecovered
from audit.facts.money_kinds import MarkerWrittenOff as MarkerWrittenOff
from audit.facts.queue_kinds import HandAssigned as HandAssigned
from audit.facts.queue_kinds import HandSnoozed as HandSnoozed
from audit.facts.refusal_reasons import Refused as Refused
from audit.facts.surveillance_kinds import LogWritten as LogWritten
from audit.facts.validation import DEPTH as DEPTH
from audit.facts.validation import HOUSE as HOUSE
from audit.facts.validation import LINE_BYTES as LINE_BYTES
from audit.facts.validation import NAME_LETTERS as NAME_LETTERS
from audit.facts.validation import WINDOW_BYTES as WINDOW_BYTES
from audit.facts.validation import Prepared as Prepared
from audit.facts.validation import check as check
from audit.facts.validation import is_a_table as is_a_table
from games.kit.events import *  # noqa: F403

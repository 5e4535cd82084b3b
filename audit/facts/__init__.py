"""Every kind of fact, its shape and schema number; what validation refuses; canonical bytes.

`check` makes a line that was sent ready for the ledger or refuses it, `decode` reads what the ledger keeps.
"""

from __future__ import annotations

from audit.facts.codec import UPCASTS as UPCASTS
from audit.facts.codec import canonical as canonical
from audit.facts.codec import decode as decode
from audit.facts.codec import newest as newest
from audit.facts.identifiers import accepted_form as accepted_form
from audit.facts.kinds import *  # noqa: F403 - the kinds are the vocabulary of all readers of facts
from audit.facts.refusal_reasons import Refused as Refused
from audit.facts.validation import DEPTH as DEPTH
from audit.facts.validation import HOUSE as HOUSE
from audit.facts.validation import LINE_BYTES as LINE_BYTES
from audit.facts.validation import NAME_LETTERS as NAME_LETTERS
from audit.facts.validation import WINDOW_BYTES as WINDOW_BYTES
from audit.facts.validation import Prepared as Prepared
from audit.facts.validation import check as check
from audit.facts.validation import is_a_table as is_a_table
from games.kit.events import *  # noqa: F403

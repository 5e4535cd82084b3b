"""Every kind of fact, its shape and schema number; what is refused at the door; canonical bytes.

`check` makes a line that was sent ready for the ledger or refuses it, `decode` reads what the ledger keeps.
"""

from __future__ import annotations

from audit.facts.door import DEPTH as DEPTH
from audit.facts.door import HOUSE as HOUSE
from audit.facts.door import LINE_BYTES as LINE_BYTES
from audit.facts.door import NAME_LETTERS as NAME_LETTERS
from audit.facts.door import WINDOW_BYTES as WINDOW_BYTES
from audit.facts.door import Prepared as Prepared
from audit.facts.door import check as check
from audit.facts.door import is_a_table as is_a_table
from audit.facts.kinds import *  # noqa: F403 - the kinds are the vocabulary of whoever reads facts
from audit.facts.names import accepted_form as accepted_form
from audit.facts.reading import UPCASTS as UPCASTS
from audit.facts.reading import canonical as canonical
from audit.facts.reading import decode as decode
from audit.facts.reading import newest as newest
from audit.facts.reasons import Refused as Refused
from games.kit.events import *  # noqa: F403

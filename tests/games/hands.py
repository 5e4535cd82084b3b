"""Write a hand in the notation of the surveillance log, and replay it."""

from __future__ import annotations

import json
from typing import Any

from audit.facts import check, decode
from audit.replay.fold import replay
from audit.replay.results import Finding
from tests.vectors.notation import facts


def findings_of(game: str, *hand: str, **case: Any) -> list[Finding]:
    """Return all findings of the hand. Unless `around="nothing"`, correct play is added for the facts that
    the hand leaves out.
    """
    sent = facts(game, {"hand": list(hand)} | case)
    return replay(decode(check(json.dumps(fact).encode()).body) for fact in sent).findings

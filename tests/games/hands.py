"""Write a hand in the notation of the surveillance log, and replay it."""

from __future__ import annotations

import json
from typing import Any

from audit.facts import check, decode
from audit.replay.fold import replay
from audit.replay.results import Finding
from tests.vectors.notation import facts


def findings_of(game: str, *hand: str, **case: Any) -> list[Finding]:
    """Replay a hand and return all its findings. By default, facts of correct play are added if the hand
    leaves them out. With `around="nothing"`, they are not added.
    """
    sent = facts(game, {"hand": list(hand)} | case)
    return replay(decode(check(json.dumps(fact).encode()).body) for fact in sent).findings

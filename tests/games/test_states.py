"""Every kind of fact is tried in every state of a round. The codes of the findings equal those in
`states.toml`, and all money that moves is accounted for.

A state is a place in a round in which nothing is wrong. The facts of `states.toml` up to that place come
first, then the fact that is tried, then the rest of the round.
"""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from audit.facts import KINDS, Refused, check, decode
from audit.replay.fold import Fold
from games import GAMES
from games.kit import events as e
from games.kit.events import Event
from tests.games import accounts
from tests.vectors.filling import FILLING
from tests.vectors.notation import read, stamped

TABLE = tomllib.loads((Path(__file__).parent / "states.toml").read_text(encoding="utf-8"))
STATES: list[str] = TABLE["states"]
IN_ORDER = ("opened", "betting", "closed", "decided", "settled")
"""The states that are places in a round without faults. The others are derived from `closed` and from the
whole round.
"""
OVER = ("ended", "between", "cancelled")
"""The states after the close of the round."""
ROUND = "r-1"
ENDS = ("void", "round-closed", "round-opened", "table-closed", "table-opened")
"""Kinds of facts after which the rest of the round does not follow."""
Draft = dict[str, Any]


class Case(NamedTuple):
    """One fact in one state of one game, and the expected finding codes."""

    game: str
    kind: str
    state: str
    codes: frozenset[str]


def read_notation(notation: str, round: str | None) -> Draft:
    """Return the fact for a notation. If `round` is None, the fact is outside all rounds."""
    draft = read(notation)
    return draft | ({"round": round} if round is not None else {})


def extra(game: str, kind: str, round: str | None) -> Draft:
    """Return the fact of this kind that a case adds in its state."""
    if kind in SIGNED:
        return (
            {"kind": kind} | SIGNED[kind] | ({"round": round or "r-9"} if kind == "round-cancelled" else {})
        )
    written = TABLE[game]["facts"].get(kind) or TABLE["facts"][kind]
    draft = {"kind": kind} if kind in ("round-closed", "round-opened", "table-closed") else read(written)
    if kind == "round-opened":
        return draft | {"round": "r-2"}
    if kind == "corrected":
        return draft | {"round": round or "r-9"}
    if kind in ("table-opened", "table-closed", "alarm"):
        return draft
    return draft | ({"round": round} if round is not None else {})


def facts(case: Case) -> list[Event]:
    """Return all facts of the stream of a case: those up to its state, the fact that is tried, and the rest
    of the round.
    """
    game = TABLE[case.game]
    live = GAMES[case.game].live_dealer
    states = list(IN_ORDER) if case.state in OVER else list(IN_ORDER[: IN_ORDER.index("closed") + 1])
    if case.state in IN_ORDER:
        states = list(IN_ORDER[: IN_ORDER.index(case.state) + 1])
    before = [read_notation(text, ROUND) for state in states for text in game["round"][state]]
    after = [read_notation(text, ROUND) for state in IN_ORDER[len(states) :] for text in game["round"][state]]
    pause, resume, void = (read_notation(text, ROUND) for text in ("pause", "resume", "void"))
    if case.state == "paused":
        before, after = [*before, pause], [*([] if case.kind == "resumed" else [resume]), *after]
    if case.state == "voided":
        before, after = [*before, *([pause] if live else []), void], undone(before)
    fact = [extra(case.game, case.kind, None if case.state == "between" else ROUND)]
    if case.kind == "paused":
        fact.append(resume if case.state != "between" else read("resume"))
    if case.kind in ENDS and case.state not in OVER:
        after = undone(before) if case.kind == "void" else []
    opened, closed = ({"kind": kind, "round": ROUND} for kind in ("round-opened", "round-closed"))
    if case.state in OVER:
        cancelled = [extra(case.game, "round-cancelled", ROUND)] if case.state == "cancelled" else []
        facts = [*before, closed, *cancelled, *fact]
    else:
        facts = [*before, *fact, *after, *([closed] if case.kind not in ENDS or case.kind == "void" else [])]
    if case.kind == "round-opened":
        facts.append(closed | {"round": "r-2"})
    table = FILLING[case.game].TABLE | {
        "sees": sorted(kind for kind in KINDS if hasattr(KINDS[kind], "round"))
    }
    head: list[Draft] = [{"kind": "table-opened", "game": case.game} | table, read("shuffle"), SEATED, opened]
    tail: list[Draft] = [{"kind": "table-closed"}]
    sent = stamped(case.game, table, head + facts + tail)
    for place, draft in enumerate(sent):
        if draft["kind"] == "read-corrected":
            draft |= last_reading(sent[:place])
    return [decode(check(json.dumps(draft).encode()).body) for draft in sent]


SIGNED: dict[str, Draft] = {
    "dealer-seated": {"dealer": "d-101", "supervisor": "s-101"},
    "round-cancelled": {"reason": "camera out of order", "by": "s-101", "second": "s-102"},
    "read-corrected": {"reason": "reader dirty", "by": "s-101", "second": "s-102"},
}
SEATED: Draft = {"kind": "dealer-seated"} | SIGNED["dealer-seated"]


def last_reading(before: list[Draft]) -> Draft:
    """Return a fact that corrects the last card or roll, but repeats the recorded value. If there is no card
    and no roll, the fact corrects one that does not exist.
    """
    for fact in reversed(before):
        if fact["kind"] in ("deal", "burn"):
            return {"of": fact["uid"], "card": fact["card"]}
        if fact["kind"] == "roll":
            return {"of": fact["uid"], "dice": fact["dice"]}
    return {"of": "01a2ffff-0000-7000-8000-000000000000", "card": "As"}


def undone(before: list[Draft]) -> list[Draft]:
    """Return the facts that a void round needs: every stake goes back to the player, and winnings go back to
    the tray.
    """
    stakes = [fact | {"kind": "return"} for fact in before if fact["kind"] == "bet"]
    return stakes + [fact | {"kind": "take"} for fact in before if fact["kind"] == "pay"]


def replayed(sent: list[Event]) -> Fold:
    """Replay these facts, and return the table fold with its findings and sums."""
    learned = [event for event in sent if isinstance(event, e.ReadCorrected | e.RoundCancelled)]
    fold = Fold("aurora/T-01/2026-11-27", learned=learned)
    for number, event in enumerate(sent, 1):
        fold.take(number, event)
    return fold


def outcome(case: Case) -> set[str]:
    """Replay a case. Return the codes of its findings without notices, or `refused` if validation refuses a
    fact.
    """
    try:
        sent = facts(case)
    except Refused:
        return {"refused"}
    fold = replayed(sent)
    assert accounts.differences(fold, sent) == [], case
    return {finding.code for finding in fold.findings.values() if finding.grade != "notice"}


@pytest.mark.parametrize(
    ("game", "kind"), [(game, kind) for game in sorted(GAMES) for kind in TABLE[game]["outcomes"]]
)
def test_a_fact_has_the_listed_outcome_in_every_state(game: str, kind: str) -> None:
    written = TABLE[game]["outcomes"][kind]
    tried = {
        state: Case(game, kind, state, frozenset(codes.split()))
        for state, codes in zip(STATES, written, strict=True)
    }
    shown = {state: outcome(case) for state, case in tried.items()}
    assert {state: codes for state, codes in shown.items() if codes != tried[state].codes} == {}

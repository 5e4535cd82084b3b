"""Hands as they are written in the surveillance log, turned into facts.

A hand is a list of short notations; every amount is in minor units:

    bet 1 over 100 · unbet … · take … · pay … · return … · bets p-1 andar 100
    settled p-1 andar 90 (a negative amount is taken)
    shake 5 · roll 6 4 · mark 10 ties-lose-half
    deal 1 6c · deal joker 5s · burn 6c (- means a card that was not read)
    bet 1 ante 500 by p-7 · choose 1 over · choose p-1 fold timeout · pull 1 dice-1 · shake cup 1 3 · say
    no-bonus? 1
    say outcome 1 bonus 31 5 to 1
    say dice 10 · say card 6 1 · say short-side JQK 3 to 1 · say no-short-side · say outcome andar
    no-more-bets · clear 1 · lost p-1 · back p-1 · pause · resume · cards 9 · match (Andar Bahar: nine cards
    that do not match, then the match)
    cards As Kd Jh Ks 9h 4d (Teen Patti: three to the player, three to the dealer; Bet on Teen Patti: to a, to
    b)
    void · void unsigned · void unreasoned · next (the round closes and another opens) · correct 1 over 50 ·
    correct 1 over 50 unsigned
    shuffle · shuffle cut 157 · shuffle decks 2 (between two rounds) · reshuffle (within the round) · cut-card
    · alarm · answer
    reopen · reopen continues

`around = "honest"`, the default, adds the facts of the correct procedure that the hand leaves out, and the
settlement that is due, except for the facts named in `without`. `around = "nothing"` adds only the opening
and the close of table and round.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tests.vectors.filling import FILLING
from tests.vectors.filling.filler import Draft

HERE = Path(__file__).parent
GAMES = tuple(FILLING)


class Hand(NamedTuple):
    """One hand: the rule it shows, its facts, and the findings that are required (`finds`) and allowed
    (`also`).
    """

    game: str
    cite: str
    name: str
    facts: list[dict[str, Any]]
    finds: list[dict[str, Any]]
    also: list[dict[str, Any]]


def cases(game: str) -> Iterator[Hand]:
    """Yield every hand written down for a game. If a notation cannot be read, raise ValueError with the
    notation.
    """
    with (HERE / f"{game}.toml").open("rb") as file:
        for case in tomllib.load(file)["case"]:
            yield Hand(
                game, case["cite"], case["name"], facts(game, case), finds(case, "finds"), finds(case, "also")
            )


def finds(case: dict[str, Any], key: str) -> list[dict[str, Any]]:
    """Return the fields of each expected finding, which is written like `code: spot 1, wager over,
    owed -50`.
    """
    expected: list[dict[str, Any]] = []
    for line in case.get(key, []):
        code, _, arguments = line.partition(": ")
        finding: dict[str, Any] = {"code": code}
        for part in arguments.split(", ") if arguments else []:
            name, value = part.split(" ", 1)
            finding[name] = int(value) if name in ("owed", "moved") and "/" not in value else value
        expected.append(finding)
    return expected


def facts(game: str, case: dict[str, Any]) -> list[dict[str, Any]]:
    """Return all facts of the stream that a case describes."""
    table = FILLING[game].TABLE | case.get("table", {})
    drafts = [read(text) for text in case["hand"]]
    without = set(case.get("without", []))
    rounds = FILLING[game].Fill(drafts, table, without, honest=case.get("around", "honest") == "honest").run()
    facts = [{"kind": "table-opened", "game": game} | table]
    if "shuffle" not in without and not (
        FILLING[game].Fill.every_round and any(draft["kind"] == "shuffled" for draft in drafts[:1])
    ):
        facts.append({"kind": "shuffled", "shoe": "shoe-1", "decks": table["decks"]})
    facts.append({"kind": "dealer-seated", "dealer": "d-101", "supervisor": "s-101"})
    return stamped(game, table, facts + rounds + [{"kind": "table-closed"}])


def stamped(game: str, table: dict[str, Any], drafts: list[Draft]) -> list[dict[str, Any]]:
    """Return the drafts as posted facts, one second apart and from one source."""
    stamped_facts = []
    alarm = ""
    for number, draft in enumerate(drafts, 1):
        fact: dict[str, Any] = {
            "uid": f"01a2{number:04x}-0000-7000-8000-000000000000",
            "table": "aurora/T-01",
            "day": "2026-11-27",
        }
        fact |= {
            "at": f"2026-11-27T{12 + number // 3600:02}:{number // 60 % 60:02}:{number % 60:02}Z",
            "source": "hand",
            "n": number,
        }
        if draft["kind"] == "table-opened" and "game" not in draft:
            fact |= {"game": game} | table
        fact |= draft
        if draft["kind"] == "shuffled" and "decks" not in draft:
            fact["decks"] = table["decks"]
        if draft["kind"] == "alarm":
            alarm = fact["uid"]
        if draft["kind"] == "alarm-answered":
            fact["alarm"] = alarm
        stamped_facts.append(fact)
    return stamped_facts


def read(text: str) -> Draft:
    """Return a draft of the fact that a notation describes. Raise ValueError if no such notation exists."""
    word, *arguments = text.split() or [""]
    try:
        return WORDS[word](arguments)
    except (KeyError, IndexError, ValueError) as error:
        raise ValueError(f"{text!r} is no notation") from error


def money(kind: str) -> Callable[[list[str]], Draft]:
    """Return a function that reads a notation of spot, wager and amount as a fact of this kind."""
    return lambda arguments: {
        "kind": kind,
        "spot": arguments[0],
        "wager": arguments[1],
        "amount": int(arguments[2]),
    }


def bet(arguments: list[str]) -> Draft:
    """Return the fact of a bet. It has a player if the notation names one."""
    return money("bet")(arguments) | ({"player": arguments[4]} if arguments[3:4] == ["by"] else {})


def settled(arguments: list[str]) -> Draft:
    """Return the fact of a settlement, posted as a batch with one entry."""
    entry = [arguments[0], arguments[1], abs(int(arguments[2]))]
    return {
        "kind": "settled",
        "paid": [entry] if int(arguments[2]) > 0 else [],
        "taken": [entry] if int(arguments[2]) < 0 else [],
    }


def say(arguments: list[str]) -> Draft:
    """Return the fact of an announcement by the dealer."""
    announced: Draft = {"kind": "announce", "what": arguments[0]}
    if arguments[0] == "short-side":
        return announced | {"ranks": list(arguments[1]), "pays": " ".join(arguments[2:])}
    if arguments[0] == "no-bonus?":
        return announced | {"spot": arguments[1]}
    if arguments[0] == "outcome" and len(arguments) == 2:
        return announced | {"value": arguments[1]}
    if arguments[0] == "outcome":
        return (
            announced
            | {"spot": arguments[1], "wager": arguments[2], "value": int(arguments[3])}
            | ({"pays": " ".join(arguments[4:])} if arguments[4:] else {})
        )
    if len(arguments) > 1:
        announced["value"] = int(arguments[1])
    return announced | ({"spot": arguments[2]} if len(arguments) > 2 else {})


def void(arguments: list[str]) -> Draft:
    """Return a fact that voids the round."""
    return {
        "kind": "void",
        "reason": "" if "unreasoned" in arguments else "card exposed",
        "by": "s-101",
        "second": f"s-10{1 if 'unsigned' in arguments else 2}",
    }


def correct(arguments: list[str]) -> Draft:
    """Return the fact of a later correction of a settlement."""
    correction = {
        "kind": "corrected",
        "spot": arguments[0],
        "wager": arguments[1],
        "amount": int(arguments[2]),
        "reason": "video review",
        "by": "s-104",
    }
    return correction | {"second": "s-104" if "unsigned" in arguments else "s-105"}


def cards(arguments: list[str]) -> Draft:
    """Return a fact about several cards. With one argument, this number of cards did not match the joker.
    With six arguments, these are the cards of two hands of three cards.
    """
    return (
        {"kind": "cards", "count": int(arguments[0])}
        if len(arguments) == 1
        else {"kind": "cards", "cards": [None if card == "-" else card for card in arguments]}
    )


def shuffle(arguments: list[str]) -> Draft:
    """Return the fact of a shuffle of all cards. It has the number of decks or the depth of the cut card if
    the notation gives it.
    """
    return {"kind": "shuffled", "shoe": "shoe-1"} | {
        name: int(value) for name, value in zip(arguments[::2], arguments[1::2], strict=True)
    }


WORDS: dict[str, Callable[[list[str]], Draft]] = {
    **{kind: money(kind) for kind in ("bet", "unbet", "take", "pay", "return")},
    "bet": bet,
    "bets": lambda arguments: {"kind": "bets", "bets": [[arguments[0], arguments[1], int(arguments[2])]]},
    "settled": settled,
    "say": say,
    "void": void,
    "correct": correct,
    "shuffle": shuffle,
    "reshuffle": lambda arguments: {"kind": "shuffled", "shoe": "shoe-1", "within": True},
    "shake": lambda arguments: (
        {"kind": "shake", "times": int(arguments[-1])}
        | ({"cup": int(arguments[1])} if arguments[0] == "cup" else {})
    ),
    "choose": lambda arguments: (
        {"kind": "choose", "spot": arguments[0], "choice": arguments[1]}
        | ({"timeout": True} if "timeout" in arguments else {})
    ),
    "pull": lambda arguments: {"kind": "pull", "spot": arguments[0], "wager": arguments[1]},
    "roll": lambda arguments: {"kind": "roll", "dice": [int(die) for die in arguments]},
    "mark": lambda arguments: {"kind": "mark", "value": int(arguments[0]), "side": arguments[1]},
    "deal": lambda arguments: {
        "kind": "deal",
        "to": arguments[0],
        "card": None if arguments[1] == "-" else arguments[1],
    },
    "burn": lambda arguments: {"kind": "burn", "card": None if arguments[0] == "-" else arguments[0]},
    "clear": lambda arguments: {"kind": "clear", "from": arguments[0]},
    "no-more-bets": lambda arguments: {"kind": "no-more-bets"},
    "lost": lambda arguments: {"kind": "player-lost", "spot": arguments[0]},
    "back": lambda arguments: {"kind": "player-back", "spot": arguments[0]},
    "pause": lambda arguments: {"kind": "paused", "reason": "card not seen", "by": "s-101"},
    "resume": lambda arguments: {"kind": "resumed", "reason": "card shown again", "by": "s-101"},
    "cut-card": lambda arguments: {"kind": "cut-card-shown"},
    "alarm": lambda arguments: {"kind": "alarm", "device": "shoe-1", "text": "card jam"},
    "answer": lambda arguments: {"kind": "alarm-answered", "by": "s-101"},
    "reopen": lambda arguments: {"kind": "table-opened"} | ({"continues": True} if arguments else {}),
    "next": lambda arguments: {"kind": "next"},
    "cards": cards,
    "match": lambda arguments: {"kind": "match"},
}

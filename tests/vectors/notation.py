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
    """Yield every hand written down for a game. Raise ValueError, which names the notation, if one cannot be
    read.
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
    found: list[dict[str, Any]] = []
    for line in case.get(key, []):
        code, _, rest = line.partition(": ")
        said: dict[str, Any] = {"code": code}
        for part in rest.split(", ") if rest else []:
            name, value = part.split(" ", 1)
            said[name] = int(value) if name in ("owed", "moved") and "/" not in value else value
        found.append(said)
    return found


def facts(game: str, case: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the whole stream of a case."""
    table = FILLING[game].TABLE | case.get("table", {})
    drafts = [read(text) for text in case["hand"]]
    without = set(case.get("without", []))
    rounds = FILLING[game].Fill(drafts, table, without, honest=case.get("around", "honest") == "honest").run()
    made = [{"kind": "table-opened", "game": game} | table]
    if "shuffle" not in without and not (
        FILLING[game].Fill.every_round and any(draft["kind"] == "shuffled" for draft in drafts[:1])
    ):
        made.append({"kind": "shuffled", "shoe": "shoe-1", "decks": table["decks"]})
    made.append({"kind": "dealer-seated", "dealer": "d-101", "supervisor": "s-101"})
    return stamped(game, table, made + rounds + [{"kind": "table-closed"}])


def stamped(game: str, table: dict[str, Any], drafts: list[Draft]) -> list[dict[str, Any]]:
    """Return the drafts as posted facts, one second apart and from one source."""
    done = []
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
        done.append(fact)
    return done


def read(text: str) -> Draft:
    """Return one notation as a draft. Raise ValueError if there is no such notation."""
    word, *rest = text.split() or [""]
    try:
        return WORDS[word](rest)
    except (KeyError, IndexError, ValueError) as error:
        raise ValueError(f"{text!r} is no notation") from error


def money(kind: str) -> Callable[[list[str]], Draft]:
    """Return a reader of a notation that gives spot, wager and amount."""
    return lambda rest: {"kind": kind, "spot": rest[0], "wager": rest[1], "amount": int(rest[2])}


def bet(rest: list[str]) -> Draft:
    """Return a bet, with the player if the notation names one."""
    return money("bet")(rest) | ({"player": rest[4]} if rest[3:4] == ["by"] else {})


def settled(rest: list[str]) -> Draft:
    """Return a settlement with one entry, posted as a batch."""
    entry = [rest[0], rest[1], abs(int(rest[2]))]
    return {
        "kind": "settled",
        "paid": [entry] if int(rest[2]) > 0 else [],
        "taken": [entry] if int(rest[2]) < 0 else [],
    }


def say(rest: list[str]) -> Draft:
    """Return an announcement of the dealer."""
    said: Draft = {"kind": "announce", "what": rest[0]}
    if rest[0] == "short-side":
        return said | {"ranks": list(rest[1]), "pays": " ".join(rest[2:])}
    if rest[0] == "no-bonus?":
        return said | {"spot": rest[1]}
    if rest[0] == "outcome" and len(rest) == 2:
        return said | {"value": rest[1]}
    if rest[0] == "outcome":
        return (
            said
            | {"spot": rest[1], "wager": rest[2], "value": int(rest[3])}
            | ({"pays": " ".join(rest[4:])} if rest[4:] else {})
        )
    if len(rest) > 1:
        said["value"] = int(rest[1])
    return said | ({"spot": rest[2]} if len(rest) > 2 else {})


def void(rest: list[str]) -> Draft:
    """Return a fact that voids the round."""
    return {
        "kind": "void",
        "reason": "" if "unreasoned" in rest else "card exposed",
        "by": "s-101",
        "second": f"s-10{1 if 'unsigned' in rest else 2}",
    }


def correct(rest: list[str]) -> Draft:
    """Return a later correction of a settlement."""
    made = {
        "kind": "corrected",
        "spot": rest[0],
        "wager": rest[1],
        "amount": int(rest[2]),
        "reason": "video review",
        "by": "s-104",
    }
    return made | {"second": "s-104" if "unsigned" in rest else "s-105"}


def cards(rest: list[str]) -> Draft:
    """Return this number of cards that do not match the joker, or six named cards, three for each hand."""
    return (
        {"kind": "cards", "count": int(rest[0])}
        if len(rest) == 1
        else {"kind": "cards", "cards": [None if card == "-" else card for card in rest]}
    )


def shuffle(rest: list[str]) -> Draft:
    """Return a shuffle of all cards, with the number of decks or the depth of the cut card if given."""
    return {"kind": "shuffled", "shoe": "shoe-1"} | {
        name: int(value) for name, value in zip(rest[::2], rest[1::2], strict=True)
    }


WORDS: dict[str, Callable[[list[str]], Draft]] = {
    **{kind: money(kind) for kind in ("bet", "unbet", "take", "pay", "return")},
    "bet": bet,
    "bets": lambda rest: {"kind": "bets", "bets": [[rest[0], rest[1], int(rest[2])]]},
    "settled": settled,
    "say": say,
    "void": void,
    "correct": correct,
    "shuffle": shuffle,
    "reshuffle": lambda rest: {"kind": "shuffled", "shoe": "shoe-1", "within": True},
    "shake": lambda rest: (
        {"kind": "shake", "times": int(rest[-1])} | ({"cup": int(rest[1])} if rest[0] == "cup" else {})
    ),
    "choose": lambda rest: (
        {"kind": "choose", "spot": rest[0], "choice": rest[1]}
        | ({"timeout": True} if "timeout" in rest else {})
    ),
    "pull": lambda rest: {"kind": "pull", "spot": rest[0], "wager": rest[1]},
    "roll": lambda rest: {"kind": "roll", "dice": [int(die) for die in rest]},
    "mark": lambda rest: {"kind": "mark", "value": int(rest[0]), "side": rest[1]},
    "deal": lambda rest: {"kind": "deal", "to": rest[0], "card": None if rest[1] == "-" else rest[1]},
    "burn": lambda rest: {"kind": "burn", "card": None if rest[0] == "-" else rest[0]},
    "clear": lambda rest: {"kind": "clear", "from": rest[0]},
    "no-more-bets": lambda rest: {"kind": "no-more-bets"},
    "lost": lambda rest: {"kind": "player-lost", "spot": rest[0]},
    "back": lambda rest: {"kind": "player-back", "spot": rest[0]},
    "pause": lambda rest: {"kind": "paused", "reason": "card not seen", "by": "s-101"},
    "resume": lambda rest: {"kind": "resumed", "reason": "card shown again", "by": "s-101"},
    "cut-card": lambda rest: {"kind": "cut-card-shown"},
    "alarm": lambda rest: {"kind": "alarm", "device": "shoe-1", "text": "card jam"},
    "answer": lambda rest: {"kind": "alarm-answered", "by": "s-101"},
    "reopen": lambda rest: {"kind": "table-opened"} | ({"continues": True} if rest else {}),
    "next": lambda rest: {"kind": "next"},
    "cards": cards,
    "match": lambda rest: {"kind": "match"},
}

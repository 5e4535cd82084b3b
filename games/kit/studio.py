"""The citations that all chapters of the Ezugi Game Rules have in common."""

from __future__ import annotations

from collections.abc import Iterable

from games.kit.game import Source

DATED = "edition seen in the casino's seeds"


def errors(chapter: str) -> str:
    """Return the heading under which a chapter says what happens to a round that went wrong."""
    return f"Ezugi {chapter} Error Handling"


def disconnection(chapter: str) -> str:
    """Return the heading under which a chapter says what happens to the bets of a disconnected player."""
    return f"Ezugi {chapter} Disconnection"


def source(chapter: str, headings: Iterable[str], dated: str = DATED) -> Source:
    """Return the chapter as the source of its game; `headings` are added to those that every chapter has."""
    return Source(
        "Ezugi", f"Ezugi Game Rules, {chapter}", dated, (*headings, errors(chapter), disconnection(chapter))
    )


def cites(chapter: str, *, rules: str, betting: str, order: str, payout: str, outcome: str) -> dict[str, str]:
    """Return the headings for the common rules: of the deck, of betting, of the order of play, of payment and
    its time.
    """
    return {
        **dict.fromkeys(
            ("not-shuffled", "dealt-past-cut", "shoe-overrun", "duplicate-card", "wrong-decks"), rules
        ),
        **dict.fromkeys(("bets-not-closed", "late-bet", "late-unbet", "no-such-bet"), betting),
        **dict.fromkeys(("no-such-wager", "settled-twice"), payout),
        **dict.fromkeys(("void-not-returned", "void-required"), errors(chapter)),
        "out-of-order": order,
        "settled-too-soon": outcome,
        "player-lost": disconnection(chapter),
    }

"""What the chapters of the Ezugi Game Rules have in common: how they are cited, and where each says what the
kit judges.
"""

from __future__ import annotations

from collections.abc import Iterable

from games.kit.game import Source

DATED = "edition seen in the house's seeds"


def errors(chapter: str) -> str:
    """Where a chapter says what becomes of a round that went wrong."""
    return f"Ezugi {chapter} Error Handling"


def disconnection(chapter: str) -> str:
    """Where a chapter says what becomes of the bets of a player who is lost."""
    return f"Ezugi {chapter} Disconnection"


def source(chapter: str, headings: Iterable[str], dated: str = DATED) -> Source:
    """The chapter as the document of its game; `headings` are its own, what every chapter has comes by
    itself.
    """
    return Source(
        "Ezugi", f"Ezugi Game Rules, {chapter}", dated, (*headings, errors(chapter), disconnection(chapter))
    )


def cites(chapter: str, *, rules: str, betting: str, order: str, payout: str, outcome: str) -> dict[str, str]:
    """Code to the heading that says what the kit judges: of the deck, of betting, of the order of play, of
    what is paid and when.
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

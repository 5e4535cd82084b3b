"""The citations that all chapters of the Ezugi Game Rules share."""

from __future__ import annotations

from collections.abc import Iterable

from games.kit.game import Source

DATED = "edition seen in the casino's seeds"


def errors(chapter: str) -> str:
    """Return the heading under which a chapter says what happens after an error in a round."""
    return f"Ezugi {chapter} Error Handling"


def disconnection(chapter: str) -> str:
    """Return the heading under which a chapter says what happens to the bets of a disconnected player."""
    return f"Ezugi {chapter} Disconnection"


def source(chapter: str, headings: Iterable[str], dated: str = DATED) -> Source:
    """Return the source of a game: a chapter of the Ezugi Game Rules.

    Args:
        headings: headings of this chapter in addition to those that every chapter has.
    """
    return Source(
        "Ezugi", f"Ezugi Game Rules, {chapter}", dated, (*headings, errors(chapter), disconnection(chapter))
    )


def cites(chapter: str, *, rules: str, betting: str, order: str, payout: str, outcome: str) -> dict[str, str]:
    """Return the headings to cite for rules that all games share. They are about the deck, betting, the order
    of play, payments and the outcome.
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

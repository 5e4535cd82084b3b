"""Facts written as clauses of a sentence: `a card was dealt to spot 1`, `10.00 USD was paid on over of spot
1`.
"""

from __future__ import annotations

from collections.abc import Callable

from games.kit import events as e
from games.kit.amounts import Exact
from games.kit.events import Event, kind_of

Say = Callable[[Exact], str]
"""Function that formats an amount in the table's currency, for a sentence."""

_PLAIN: dict[type[Event], str] = {
    e.Bets: "bets were laid",
    e.NoMoreBets: "betting was closed",
    e.Shake: "the dice were shaken",
    e.Mark: "the disc was placed",
    e.Burn: "a card was burned",
    e.Settled: "wagers were settled",
    e.Void: "the round was voided",
    e.RoundClosed: "the round was closed",
    e.Paused: "the round was paused",
    e.Resumed: "play was resumed",
    e.RoundOpened: "a round was opened",
    e.Shuffled: "the cards were shuffled",
    e.CutCardShown: "the cut card was shown",
    e.TableOpened: "the table was opened",
    e.TableClosed: "the table was closed",
}


def clause(event: Event, say: Say) -> str:
    """Return the clause that says what happened, in lower case and without a full stop.

    Args:
        say: formats an amount in the table's currency.
    """
    plain = _PLAIN.get(type(event))
    if plain is not None:
        return plain
    if isinstance(event, e.Bet | e.Unbet | e.Take | e.Pay | e.Return | e.Pull):
        return _of_chips(event, say)
    match event:
        case e.Roll():
            return f"the dice showed {' and '.join(map(str, event.dice)) or 'nothing'}"
        case e.Announce():
            return f"{event.what} was announced"
        case e.Choose():
            return f"spot {event.spot} chose {event.choice}"
        case e.Deal():
            return f"{event.card or 'a card'} was dealt to {place(event.to)}"
        case e.Clear():
            return f"the cards of {place(event.source_)} were cleared"
        case e.PlayerLost():
            return f"{event.spot} lost the connection"
        case e.PlayerBack():
            return f"{event.spot} was connected again"
        case _:
            return f"{kind_of(event)} was recorded"


def _of_chips(event: e.Bet | e.Unbet | e.Take | e.Pay | e.Return | e.Pull, say: Say) -> str:
    match event:
        case e.Bet():
            return f"spot {event.spot} bet {say(event.amount)} on {event.wager}"
        case e.Unbet():
            return f"spot {event.spot} took back {say(event.amount)} from {event.wager}"
        case e.Take():
            return f"{say(event.amount)} was taken from {event.wager} of spot {event.spot}"
        case e.Pay():
            return f"{say(event.amount)} was paid on {event.wager} of spot {event.spot}"
        case e.Return():
            return f"{say(event.amount)} was returned on {event.wager} of spot {event.spot}"
        case e.Pull():
            return f"spot {event.spot} withdrew {event.wager}"


def place(name: str) -> str:
    """Return a position for cards as people at the table name it: `spot 4`, `the dealer`, `andar`."""
    if name.isdigit():
        return f"spot {name}"
    if name == "community":
        return "the community spot"
    return f"the {name}" if name in ("dealer", "player", "joker", "table") else name


def capital(text: str) -> str:
    """Return a clause with a capital letter, to begin a sentence."""
    return text[:1].upper() + text[1:]

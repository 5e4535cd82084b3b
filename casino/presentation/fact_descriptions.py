"""Describe a fact in one neutral sentence for the list of a hand's facts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from audit import facts as f
from casino.presentation.formatting import code_label, day_label, game_title, money, place, wager_words
from games.kit import events as e
from games.kit.events import Event, kind_of

SUIT = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}


def card_of(card: str | None) -> str:
    """Format a card as `10♥`. An unread card is described in words."""
    if card is None:
        return "a card that was not read"
    return f"{card[0].replace('T', '10')}{SUIT[card[1]]}" if len(card) == 2 and card[1] in SUIT else card


def card_sent(event: e.Deal | e.Burn) -> str:
    """Return the card of a fact. If the feed sent something that is not a card, return a quotation of it."""
    return (
        card_of(event.card)
        if event.card is not None or not event.raw_text
        else f"a card that the feed sent as “{event.raw_text}”"
    )


def sentence(event: Event, currency: str) -> str:
    """Return a sentence that describes an event, with amounts in this currency."""
    say = _SAYS.get(type(event))
    return say(event, currency) if say is not None else code_label(kind_of(event))


def _announce(event: Any, currency: str) -> str:
    ranks = ", ".join(rank.replace("T", "10") for rank in event.ranks or ())
    parts = [str(event.value) if event.value is not None else "", ranks]
    text = ", ".join(part for part in (*parts, f"pays {event.pays}" if event.pays else "") if part)
    place = f" for spot {event.spot}" if event.spot else ""
    words = event.what.replace("-", " ")
    if words.endswith("?"):
        return f"Dealer asks “{words.capitalize()}”{f' {text}' if text else ''}{place}"
    on = f" of {wager_words(event.wager)}" if event.wager else ""
    return f"Dealer says {words}{on}{f': {text}' if text else ''}{place}"


def _number(count: int, of: str) -> str:
    """Return a count with its noun: `1 bet`, `2 bets`."""
    return f"{count} {of}{'s' if count != 1 else ''}"


def _bets(event: Any, currency: str) -> str:
    total = sum(amount for _, _, amount in event.bets)
    return f"Betting window: {_number(len(event.bets), 'bet')}, {money(total, currency)} in all"


def _settled(event: Any, currency: str) -> str:
    taken, paid = (sum(amount for _, _, amount in moves) for moves in (event.taken, event.paid))
    lost = f"{money(taken, currency)} taken from {_number(len(event.taken), 'bet')}"
    return f"Settled at once: {lost}, {money(paid, currency)} paid on {len(event.paid)}"


def _opened(event: Any, currency: str) -> str:
    return (
        f"Table opened for {game_title(event.game)}, edition {event.edition}, {_number(event.decks, 'deck')}"
    )


def _slip(label: str) -> Callable[[Any, str], str]:
    return lambda event, currency: (
        f"{label} {event.slip}: {money(event.amount, currency)}, sent by {event.sent_by}, carried by"
        f" {event.carried_by}, received by {event.received_by}"
    )


def _moved(verb: str, preposition: str) -> Callable[[Any, str], str]:
    return lambda event, currency: (
        f"{place(event.spot)}: {money(event.amount, currency)} {verb} {preposition}"
        f" {wager_words(event.wager)}"
    )


def _counted(label: str) -> Callable[[Any, str], str]:
    return lambda event, currency: (
        f"{label} counted: {money(event.amount, currency)}, by {event.by} and {event.second}"
    )


_SAYS: dict[type[Event], Callable[[Any, str], str]] = {
    e.TableOpened: _opened,
    e.DealerSeated: lambda event, _: f"Dealer {event.dealer} seated, supervisor {event.supervisor}",
    e.Shuffled: lambda event, _: f"Shoe {event.shoe} shuffled, {_number(event.decks, 'deck')}",
    e.CutCardShown: lambda event, _: "The cut card comes out",
    e.RoundOpened: lambda event, _: f"Hand {event.round} opens",
    e.Bet: _moved("bet", "on"),
    e.Unbet: _moved("taken back", "from"),
    e.Bets: _bets,
    e.NoMoreBets: lambda event, _: "No more bets",
    e.Shake: lambda event, _: f"Dice shaken {_number(event.times, 'time')}",
    e.Roll: lambda event, _: f"Roll {' and '.join(map(str, event.dice))}",
    e.Announce: _announce,
    e.Mark: lambda event, _: f"Marker set to {event.value}, {event.side.replace('-', ' ')}",
    e.Choose: lambda event, _: (
        f"{place(event.spot)} chooses {event.choice}{' (time ran out)' if event.timeout else ''}"
    ),
    e.Pull: lambda event, _: f"{place(event.spot)} pulls {wager_words(event.wager)}",
    e.Deal: lambda event, _: f"{place(event.to)} dealt {card_sent(event)}",
    e.Burn: lambda event, _: (
        f"Burned {card_sent(event) if event.card is not None or event.raw_text is not None else 'face down'}"
    ),
    e.Take: _moved("taken", "from"),
    e.Pay: _moved("paid", "on"),
    e.Settled: _settled,
    e.Clear: lambda event, _: f"{place(event.source_)} cleared",
    e.Void: lambda event, _: (
        f"Void: {event.reason or 'no reason given'}, by {event.by or 'nobody'},"
        f" second {event.second or 'nobody'}"
    ),
    e.Return: _moved("returned", "on"),
    e.RoundClosed: lambda event, _: f"Hand {event.round} closes",
    e.Corrected: lambda event, currency: (
        f"Hand {event.round} corrected: {place(event.spot)}, {wager_words(event.wager)}:"
        f" {money(event.amount, currency)} ({event.reason}), by {event.by}"
    ),
    e.Paused: lambda event, _: f"Paused: {event.reason}",
    e.Resumed: lambda event, _: f"Resumed: {event.reason}",
    e.PlayerLost: lambda event, _: f"{place(event.spot)} lost the connection",
    e.PlayerBack: lambda event, _: f"{place(event.spot)} is back",
    e.Alarm: lambda event, _: f"Alarm of {event.device}: {event.text}",
    e.AlarmAnswered: lambda event, _: f"Alarm answered by {event.by}",
    e.TableClosed: lambda event, _: "Table closed",
    f.FillSent: _slip("Fill"),
    f.CreditSent: _slip("Credit"),
    f.SlipVoided: lambda event, _: (
        f"Slip {event.slip} voided: {event.reason}, by {event.by} and {event.second}"
    ),
    f.OpenerCounted: _counted("Opener"),
    f.CloserCounted: _counted("Closer"),
    f.ChipsBought: lambda event, currency: (
        f"{place(event.spot)} buys {money(event.amount, currency)} in chips for {event.tender}"
    ),
    f.MarkerIssued: lambda event, currency: f"Marker {event.slip}: {money(event.amount, currency)}",
    f.MarkerPaid: lambda event, currency: f"Marker {event.slip} paid: {money(event.amount, currency)}",
    f.BoxPulled: lambda event, _: (
        f"Box {event.box} of shift {event.shift} pulled by {event.by} and {event.second}"
    ),
    f.DropCounted: lambda event, currency: f"Box {event.box} counted: {money(event.amount, currency)}",
    f.CountVerified: lambda event, currency: (
        f"Count of box {event.box} verified: {money(event.amount, currency)}"
    ),
    f.RegisterSet: lambda event, _: (
        f"Register {event.register}, {event.key}: {'deleted' if event.value is None else 'set'}"
        f" {f'from {day_label(event.from_)} on' if event.from_ else 'for all days'}, by {event.by} and"
        f" {event.second}"
    ),
    f.DayClosed: lambda event, _: (
        f"Day closed by {event.by}{f': {event.explanation}' if event.explanation else ''}"
    ),
}

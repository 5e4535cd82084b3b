"""Card faults that games share: duplicate cards, too many cards, missing shuffles, the cut card, the
number of decks, and cards that cannot be read.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from casino.sample.faults.hand import busy, first_card, plain_hand
from casino.sample.faults.planting import from_shoe, listed, shared
from casino.sample.tables.day import Day
from casino.sample.tables.drafts import Draft
from casino.sample.tables.table import TABLES


def copies(day: Day, decks: int = 0) -> None:
    """Deal the same card once more often than `decks` decks contain it. If `decks` is 0, the table shuffles
    one deck before every round: deal the card twice in a round, with two other cards in between.
    """
    card = day.rng.choice(("9c", "Kd", "As"))
    if decks:
        day.table.shuffle(26 * day.table.decks)
        day.table.shoe.rigged = [card] * (decks + 1)
    else:
        day.table.shoe.rigged = [card, "5s", "7h", card]
    start = len(day.drafts)
    while day.table.shoe.rigged:
        day.table.keep(busy(day))
    day.expect(
        [fact for fact in cards_since(day, start) if fact["card"] == card][decks or 1], "duplicate-card"
    )
    if decks:
        day.table.shuffle()


def cards_since(day: Day, start: int) -> list[Draft]:
    """Return the facts after the first `start` facts that deal or burn a card."""
    return [fact for fact in day.drafts[start:] if fact["kind"] in ("deal", "burn")]


for _table in TABLES.values():
    if _table.every_round:
        listed(_table, "duplicate-card", copies)
        continue
    for _decks, _name in ((1, "one-deck"), (2, "two-decks"), (6, "shoe"), (8, "eight-decks")):
        if _table.only_decks in (0, _decks):
            listed(_table, f"duplicate-card:{_name}", partial(copies, decks=_decks), decks=_decks)


@shared("shoe-overrun", from_shoe, decks=1)
def shoe_overrun(day: Day) -> None:
    """Deal more cards than the shoe has, without reporting the cut card. The shoe has one deck to keep the
    stream short, even if the manual requires more.
    """
    if day.table.only_decks:
        day.expect(day.drafts[0], "wrong-decks", optional=True)
    day.table.shuffle()
    day.drafts[-1].pop("cut")
    day.table.shoe.cut = None
    start = len(day.drafts)
    while len(cards_since(day, start)) < 54:
        day.table.keep(busy(day))
    cards = cards_since(day, start)
    day.expect(cards[52], "shoe-overrun")
    for card in cards[52:]:
        day.expect(card, "duplicate-card", optional=True)
    day.table.shuffle()


@shared("not-shuffled:opening", opening=True)
def never_shuffled(day: Day) -> None:
    """Deal the day's first round from cards that were not shuffled."""
    day.table.drafts[:] = [fact for fact in day.drafts if fact["kind"] != "shuffled"]
    day.table.unshuffled = True
    play = plain_hand(day).play
    day.table.unshuffled = False
    day.table.keep(play)
    day.expect(first_card(play), "not-shuffled")


def shuffles_every_round(table: Any) -> bool:
    """Return True if the table is shuffled before each round."""
    return bool(table.every_round)


@shared("not-shuffled", shuffles_every_round)
def not_shuffled(day: Day) -> None:
    """Deal the next round without a shuffle, although the rules require one before each round."""
    day.table.unshuffled = True
    play = plain_hand(day).play
    day.table.unshuffled = False
    day.table.keep(play)
    day.expect(first_card(play), "not-shuffled")


@shared("not-shuffled:new-shoe", from_shoe)
def new_shoe_not_shuffled(day: Day) -> None:
    """Open the table again without `continues`. This begins a new shoe, but the cards are not shuffled."""
    day.table.opened()
    play = plain_hand(day).play
    day.table.keep(play)
    day.expect(first_card(play), "not-shuffled")


@shared("continues:honest", from_shoe)
def shoe_goes_on(day: Day) -> None:
    """Open the table again with `continues`. This is allowed: the shoe continues and needs no shuffle."""
    day.table.opened(continues=True)
    day.table.keep(busy(day))


@shared("dealt-past-cut", from_shoe)
def past_the_cut(day: Day) -> None:
    """Deal the next round from the same shoe although the cut card has come. The rules require a shuffle
    first.
    """
    shuffled = next(fact for fact in day.drafts if fact["kind"] == "shuffled")
    shuffled["cut"] = day.table.shoe.cut = day.table.shoe.dealt + 1
    day.table.keep(plain_hand(day).play)
    day.table.unshuffled = True
    play = plain_hand(day).play
    day.table.unshuffled = False
    day.table.keep(play)
    day.expect(first_card(play), "dealt-past-cut")


@shared("dealt-past-cut:not-shown", from_shoe)
def cut_card_not_shown(day: Day) -> None:
    """Deal past the place of the cut card without showing the cut card. Then deal the next round from the
    same shoe.
    """
    shuffled = next(fact for fact in day.drafts if fact["kind"] == "shuffled")
    shuffled["cut"], day.table.shoe.cut = day.table.shoe.dealt, None
    day.table.keep(plain_hand(day).play)
    play = plain_hand(day).play
    day.table.keep(play)
    day.expect(first_card(play), "dealt-past-cut")
    day.table.shuffle()


def cut_card_differs(day: Day, cards: int) -> None:
    """Show the cut card at another place than the shuffle reported: `cards` cards later, or earlier if
    `cards` is negative.
    """
    shuffled = next(fact for fact in day.drafts if fact["kind"] == "shuffled")
    day.table.shoe.cut = day.table.shoe.dealt + 1
    shuffled["cut"] = day.table.shoe.cut - cards
    play = plain_hand(day).play
    day.table.keep(play)
    day.expect(play.one("cut-card-shown"), "cut-differs")


shared("cut-differs:one-less", from_shoe)(partial(cut_card_differs, cards=-1))
shared("cut-differs:one-more", from_shoe)(partial(cut_card_differs, cards=1))

TWELVE = ("7h", "2c", "Kd", "9s", "4h", "Jc", "3d", "Ts", "6c", "Qh", "8d", "5s")


def same_order(day: Day, **options: Any) -> None:
    """Deal cards in the same order as before the shuffle: twelve cards of a shoe, or six of a deck that is
    shuffled every round.
    """
    cards = list(TWELVE[:6] if day.table.every_round else TWELVE)
    for _ in range(2):
        start = stacked(day, cards, **options)
    day.expect(cards_since(day, start)[5], "not-shuffled")
    day.table.shuffle()


def new_deck_order(day: Day, **options: Any) -> None:
    """Deal cards in the order of a new deck, which shows that they were not shuffled."""
    cards = [f"{rank}s" for rank in "A23456789TJQK"]
    start = stacked(day, cards[:6] if day.table.every_round else cards, **options)
    day.expect(cards_since(day, start)[5], "not-shuffled")
    day.table.shuffle()


shared("not-shuffled:order")(same_order)
shared("not-shuffled:new-deck")(new_deck_order)


def stacked(day: Day, cards: list[str], **options: Any) -> int:
    """Deal rounds from a shoe that begins with these cards, and return the number of facts before those
    rounds.
    """
    if not day.table.every_round:
        day.table.shuffle(26 * day.table.decks)
    start = len(day.drafts)
    day.table.shoe.rigged = list(cards)
    while day.table.shoe.rigged:
        day.table.keep(day.table.play(**options))
    return start


@shared("wrong-decks:shuffled")
def other_decks(day: Day) -> None:
    """Shuffle more decks than the table was opened with."""
    if day.table.every_round:
        day.table.keep(day.table.play())
    else:
        day.table.shuffle(26 * day.table.decks)
    shuffled = next(fact for fact in reversed(day.drafts) if fact["kind"] == "shuffled")
    shuffled["decks"] += 2
    day.expect(shuffled, "wrong-decks")


@shared("at-any-decks:two", lambda table: not table.only_decks, decks=2)
def two_decks(day: Day) -> None:
    """Open the table with two decks, at a game whose manual names no number of decks."""
    day.table.shuffle()


@shared("wrong-decks:table", lambda table: bool(table.only_decks), opening=True)
def decks_of_the_table(day: Day) -> None:
    """Open the table with another number of decks than the manual requires. Shuffles of the same number of
    decks cause no further findings.
    """
    day.table.decks += 2
    for fact in day.drafts:
        if "decks" in fact:
            fact["decks"] = day.table.decks
    day.expect(day.drafts[0], "wrong-decks")


def unreadable(day: Day, code: str, card: str | None) -> None:
    """Report a card as unreadable or impossible. Nothing that depends on the card is judged."""
    play = busy(day)
    deal = day.table.unread(play)
    deal["card"] = card
    day.expect(deal, code, spot=deal["to"])
    day.table.keep(play)


shared("card-not-read")(partial(unreadable, code="card-not-read", card=None))
for _card in ("1s", "Xs", "Zs"):
    shared(f"impossible-card:{_card}")(partial(unreadable, code="impossible-card", card=_card))

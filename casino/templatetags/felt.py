"""Template tags that draw cards, dice and the number grid as inline SVG, with labels for screen readers."""

from __future__ import annotations

from functools import lru_cache

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from audit.review.hands import Wager
from casino.surveillance.layouts.laid import Laid
from games.kit.events import Mark

register = template.Library()

SUITS = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}
RANKS = {"A": "Ace", "T": "10", "J": "Jack", "Q": "Queen", "K": "King"}
CARD, SMALL_CARD = (40, 54), (28, 40)
"""Width and height of a card, and of a card in a long row, in pixels."""
DICE: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((28, 28),),
    2: ((16, 16), (40, 40)),
    3: ((16, 16), (28, 28), (40, 40)),
    4: ((16, 16), (40, 16), (16, 40), (40, 40)),
    5: ((16, 16), (40, 16), (28, 28), (16, 40), (40, 40)),
    6: ((16, 14), (40, 14), (16, 28), (40, 28), (16, 42), (40, 42)),
}


def name_of(card: str | None) -> str:
    """Return a card in words, such as `10 of hearts`, or the text unchanged if it is not a card."""
    if card is None:
        return "card not read"
    if len(card) == 2 and card[1] in SUITS and card[0] in "A23456789TJQK":
        return f"{RANKS.get(card[0], card[0])} of {SUITS[card[1]]}"
    return f"impossible card {card}"


@register.simple_tag
@lru_cache(maxsize=512)
def card(face: str | None, down: bool = False, small: bool = False) -> SafeString:
    """Draw the face of a card. If it was not read or is face down, draw its back. If a feed sent a text that
    is not a card, draw that text. The text is as large on a small card as on a large one.
    """
    width, height = SMALL_CARD if small else CARD
    is_known = face is not None and len(face) == 2 and face[1] in SUITS and face[0] in "A23456789TJQK"
    if face is None:
        inside = format_html(
            '<rect class="back" x="4" y="4" width="{}" height="{}" rx="2"/>', width - 8, height - 8
        )
    elif not is_known:
        inside = format_html('<text class="odd" x="{}" y="{}">{}</text>', width // 2, height // 2, face[:4])
    else:
        inside = format_html(
            '<text class="rank" x="{}" y="{}">{}</text>{}',
            width // 2,
            height // 2 - 3,
            "10" if face[0] == "T" else face[0],
            _suit(face[1], width // 2, height * 3 // 4 - 1, 13 if small else 17),
        )
    return format_html(
        '<svg class="card suit-{}" role="img" aria-label="{}" width="{}" height="{}" viewBox="0 0 {} {}">'
        '<rect class="paper" x=".5" y=".5" width="{}" height="{}" rx="4"/>{}</svg>',
        face[1] if face is not None and is_known else "none",
        name_of(face) if face is not None or not down else "card face down",
        width,
        height,
        width,
        height,
        width - 1,
        height - 1,
        inside,
    )


def _suit(suit: str, x: int, y: int, size: int) -> SafeString:
    """Draw a pip around its center, with a shape that base.html defines once per page."""
    return format_html(
        '<use href="#suit-{}" x="{}" y="{}" width="{}" height="{}"/>',
        suit,
        x - size / 2,
        y - size / 2,
        size,
        size,
    )


@register.simple_tag
@lru_cache(maxsize=64)
def die(value: int) -> SafeString:
    """Draw a die that shows this value."""
    pips = DICE.get(value)
    inside = (
        format_html_join("", '<circle cx="{}" cy="{}" r="5"/>', pips)
        if pips is not None
        else format_html('<text class="odd" x="28" y="37">{}</text>', value)
    )
    says = f"die showing {value}" if pips is not None else f"impossible die {value}"
    return format_html(
        '<svg class="die" role="img" aria-label="{}" width="40" height="40" viewBox="0 0 56 56">'
        '<rect x="1" y="1" width="54" height="54" rx="10"/>{}</svg>',
        says,
        inside,
    )


@register.filter
def shows_chips(wager: Wager) -> bool:
    """Return True if chips lie or have moved on a wager: `{% if wager|shows_chips %}`."""
    return bool(
        wager.stake or wager.pulled or wager.taken or wager.paid or wager.returned or wager.difference
    )


@register.filter
def found_at(layout: Laid, wager: Wager | None) -> str:
    """Return the labels of the findings about a wager: `{{ felt.laid|found_at:wager }}`."""
    return layout.found_at(wager) if wager is not None else ""


SQUARE = 38


@register.simple_tag
def number_grid(total: int | None, mark: Mark | None) -> SafeString:
    """Draw the numbers 2 to 12 of Easy Over Under. The disc is at the number on which the dealer put it, and
    the total of the dice is framed.
    """
    squares = format_html_join(
        "",
        '<rect class="square{}" x="{}" y="1" width="{}" height="46" rx="4"/><text x="{}" y="30">{}</text>',
        (
            (
                " rolled" if number == total else "",
                place * SQUARE + 1,
                SQUARE - 2,
                place * SQUARE + SQUARE / 2,
                number,
            )
            for place, number in enumerate(range(2, 13))
        ),
    )
    says, disc = f"Number grid, the roll is {total}" if total else "Number grid", SafeString("")
    if mark is not None:
        side = "ties push" if mark.side == "ties-push" else "ties lose 1/2"
        at = (min(max(mark.value, 1), 13) - 2) * SQUARE + SQUARE / 2 + (0 if 2 <= mark.value <= 12 else 6)
        says += f"; the disc lies on {mark.value}, its side up says {side}"
        disc = format_html(
            '<circle class="disc" cx="{0}" cy="24" r="23"/><text class="on" x="{0}" y="23">{1}</text>'
            '<text class="side" x="{0}" y="36">{2}</text>',
            at,
            mark.value,
            side.removeprefix("ties ").replace("1/2", "½"),
        )
    svg = '<svg class="grid" role="img" aria-label="{}" viewBox="0 0 {} 48">{}{}</svg>'
    return format_html(svg, says, 11 * SQUARE + 2, squares, disc)

"""The page of one table's gaming day in "Where the hold went": its waterfall chart, and the hands, findings
and slips behind each part, with links to their facts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from fractions import Fraction
from typing import Any, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe
from msgspec import json

from audit import facts
from audit.queries import cage_facts, hold_attribution_lines
from audit.queries.cache.aggregates import merge
from audit.queries.hold_attribution import Wrong, wrong
from audit.queries.hold_attribution_lines import Laid
from audit.queries.tray_equation import CHIP_CODES
from audit.replay.results import Play
from audit.review import projections
from casino.accounts.permissions import can, require
from casino.daily_log.table_day import log_context
from casino.presentation.fact_descriptions import sentence
from casino.presentation.formatting import cents, clock
from casino.reports.columns import Absent
from casino.reports.definitions import dealer_errors
from casino.reports.definitions import where_the_hold_went as report
from casino.reports.expected_win import price
from casino.reports.hold_attribution_parts import PARTS, Part, waterfall
from casino.reports.hold_attribution_request import AttributionRequest
from casino.reports.hold_attribution_views import ACT, parts
from casino.reports.largest_unexplained import largest_unexplained
from casino.reports.tray_by_shift import reckonings
from casino.web import request_params
from casino.web.adjustment_url import adjustment_url
from casino.web.replica import reads_replica
from games.kit.events import kind_of

SHOWN = 60
"""Maximum number of hands in a list. The hands with the largest amounts in the listed part of the win are
shown.
"""
TABS = ("errors", "choices", "luck", "undivided", "unexplained")
AMOUNTS = {
    "staked": "Staked",
    "theoretical": "Theoretical",
    "choices": "Choices",
    "luck": "Luck",
    "undivided": "Not divided",
    "errors": "Errors",
}
"""The amounts of a hand with their titles. The page shows the listed part first, so that a phone has it."""
CAGE = frozenset(map(kind_of, facts.AT_THE_CAGE))


class Hand(NamedTuple):
    """One spot of one hand. Amounts are in exact minor units, positive if the casino gains."""

    address: str
    round: str
    spot: str
    currency: str
    staked: int
    theoretical: Fraction
    choices: Fraction
    luck: Fraction
    undivided: Fraction
    errors: Fraction

    def cells(self, part: str) -> list[tuple[str, str]]:
        """Return the CSS class and the text of each amount, the one of the listed part first."""
        amounts = [Fraction(getattr(self, name)) for name in _columns(part)]
        marks = ("below" if amount < 0 else "" if amount else "zero" for amount in amounts)
        return [(mark, cents(amount, self.currency)) for mark, amount in zip(marks, amounts, strict=True)]


def _columns(part: str) -> list[str]:
    """Return the names of a hand's amounts, the listed part first."""
    return sorted(AMOUNTS, key=lambda name: name != part)


@require_safe
@reads_replica
def where_day(request: HttpRequest, property: str, table: str, day: str) -> HttpResponse:
    """Show one table's gaming day. The parameter `part` names the part whose hands are listed. Without it,
    this is the unexplained part if there is one. With `all=1`, all hands are listed, not only the largest. A
    day without play has only its slips and counts.
    """
    require(request.user, ACT, property)
    of, name, stream = request_params.day_of(day), f"{property}/{table}", f"{property}/{table}/{day}"
    if of is None:
        raise Http404(stream)
    wanted = AttributionRequest(property, of, of, "shift", {"table": name})
    rows = [row for row in report.sums(wanted.span, ("table",)) if row.key[0] == name]
    if not rows and all(known.stream != stream for known in cage_facts.streams(property, of)):
        raise Http404(stream)
    headings, sections = [column.key for column in report.headings(("table",))], []
    largest_of = largest_unexplained(wanted)
    for row in merge(rows):
        written = dict(zip(headings, report.format_row(row, play_alone=False), strict=True))
        part_list = list(_linked_to_lists(parts(written, wanted)))
        chart = waterfall(written, part_list, row.key[-1])
        largest = largest_of.get(row.key[-1]) if row.key[-2] == report.FELT else None
        sections.append({"row": written, "chart": chart, "parts": part_list, "largest": largest})
    part = request.GET.get("part", "")
    part = part if part in TABS else "unexplained" if any(map(_has_hole, sections)) else TABS[0]
    if not rows:
        part = "unexplained"
    shown = {
        "property": property,
        "table": table,
        "day": of,
        "stream": stream,
        "sections": sections,
        "part": part,
        "currencies": len({row.key[-1] for row in rows}),
        "tabs": [(tab, PARTS[tab][0], PARTS[tab][1]) for tab in TABS if rows],
        "may_see_hands": can(request.user, "see-hand", property),
        "may_queue": can(request.user, "see-queue", property),
        "may_adjust": can(request.user, "adjust", property) and _is_closed(property, stream, of),
        "back": f"{reverse('where')}?from={day}&to={day}&property={property}",
    }
    shown |= log_context(request.user, property, table, of)
    currency = rows[0].key[-1] if rows else ""
    shown |= _list(property, stream, of, part, currency, every=request.GET.get("all") == "1")
    return render(request, "reports/where_day.html", shown)


def _has_hole(section: dict[str, Any]) -> bool:
    """Return True if a part of the counted win of this section is unexplained."""
    unexplained = section["row"]["unexplained"]
    return not isinstance(unexplained, Absent) and bool(Fraction(unexplained or 0))


def _linked_to_lists(parts: Iterable[Part]) -> Iterator[Part]:
    """Return the parts of the win as links to the lists on this page. A part without a list keeps its own
    link.
    """
    lists = {PARTS[tab][0]: f"?part={tab}#list" for tab in TABS} | {
        PARTS["corrections"][0]: "?part=errors#list"
    }
    return (part._replace(address=lists.get(part.name, part.address)) for part in parts)


def _list(property: str, stream: str, day: date, part: str, currency: str, *, every: bool) -> dict[str, Any]:
    """Return the hands, findings or slips behind one part of the win. Each hand is in its own currency.

    Args:
        currency: the currency of rows that have no hand.
        every: True for all hands, and not only those with the largest amounts.
    """
    if part == "unexplained":
        return {
            "reckonings": list(reckonings(property, stream, day)),
            "other_facts": _other_facts(property, stream),
            "chips": [
                (
                    request_params.hand_url(
                        stream, projections.hand_of(finding.round or None, finding.number)
                    ),
                    finding,
                )
                for finding in wrong(property, stream, CHIP_CODES)
            ],
        }
    read = hold_attribution_lines.day(property, stream)
    hands = sorted(
        (hand for hand in of_hands(stream, read.lines) if getattr(hand, part)),
        key=lambda hand: -abs(getattr(hand, part)),
    )
    context = _listed_hands(hands, part, every=every)
    if part == "errors":
        of_round = {line.round: line.opened.currency for line in read.lines}
        context["wrong"] = [
            (
                request_params.hand_url(stream, projections.hand_of(finding.round or None, finding.number)),
                of_round.get(finding.round, currency),
                finding,
                _adjustment(stream, finding, of_round.get(finding.round, currency)),
            )
            for finding in wrong(property, stream, dealer_errors.CODES)
        ]
        context["corrections"] = [
            (
                request_params.hand_url(stream, f"#{correction.number}"),
                of_round.get(correction.fact.round, currency),
                correction.fact,
            )
            for correction in read.corrections
        ]
    return context | {"cut": not read.whole}


def _listed_hands(hands: list[Hand], part: str, *, every: bool) -> dict[str, Any]:
    """Return the table of hands for the page: its titles, its rows, and the sums of all hands."""
    shown, sums = hands if every else hands[:SHOWN], _sums(hands)
    return {
        "heads": [AMOUNTS[name] for name in _columns(part)],
        "hands": [(hand, hand.cells(part)) for hand in shown],
        "listed": len(hands),
        "more": len(hands) - len(shown),
        "sums": sums and sums.cells(part),
    }


def _is_closed(property: str, stream: str, day: date) -> bool:
    return any(
        stream_state.sealed
        for stream_state in cage_facts.streams(property, day)
        if stream_state.stream == stream
    )


def _adjustment(stream: str, finding: Wrong, currency: str) -> str:
    """Return the URL of the form that adjusts the day by the amount of a finding about a wager."""
    wager = (finding.spot, finding.wager) if finding.wager else None
    to_player = Fraction(finding.owed) - Fraction(finding.moved)
    return adjustment_url(stream, finding.id, finding.code, wager, to_player, currency)


def of_hands(stream: str, lines: Iterable[Laid]) -> Iterator[Hand]:
    """Yield a row for each spot of each hand, with the sums of all its wagers. Single wagers have no rows,
    because some wagers share one certificate.
    """
    hands: dict[tuple[str, int, str], list[Laid]] = {}
    for line in lines:
        hands.setdefault((line.round, line.number, line.spot), []).append(line)
    for (round, _, spot), wagers in hands.items():
        sums = [_divided(line) for line in wagers]
        theoretical, choices, owed, undivided, errors = (
            sum(amounts, Fraction(0)) for amounts in zip(*sums, strict=True)
        )
        staked = sum(line.sums.staked for line in wagers)
        luck = owed - theoretical - choices
        place = (
            f"{request_params.hand_url(stream, round)}?spot={spot}",
            round,
            spot,
            wagers[0].opened.currency,
        )
        yield Hand(*place, staked, theoretical, choices, luck, undivided, errors)


def _sums(hands: list[Hand]) -> Hand | None:
    """Return the sums of all hands that have an amount in the listed part, also of those that are not shown.
    If the hands are in several currencies, return None.
    """
    if len({hand.currency for hand in hands}) != 1:
        return None
    staked = sum(hand.staked for hand in hands)
    columns = zip(*(hand[5:] for hand in hands), strict=True)
    return Hand("", "", "", hands[0].currency, staked, *(sum(column, Fraction(0)) for column in columns))


def _divided(line: Laid) -> tuple[Fraction, ...]:
    """Return five amounts of a wager: theoretical win, choices, the amount owed, the undivided part and
    errors. The undivided part is the sum of theoretical win, choices and luck, if they cannot be told apart.
    """
    row, opened = line.sums, line.opened
    theoretical = _part(row, "rounding")
    if row.decided:
        readings = json.encode(opened.readings).decode()
        priced = price(
            opened.game,
            opened.edition,
            line.wager,
            line.pay_table,
            str(opened.decks),
            readings,
            line.price_class,
        )
        assert priced is not None, "a wager without a certificate cannot be divided"
        theoretical += row.decided * priced.edge
    owed, undivided = _part(row, "owed"), _part(row, "undivided")
    return (
        theoretical,
        _part(row, "choices"),
        owed,
        undivided,
        row.taken - row.paid + _part(row, "unseen") - owed - undivided,
    )


def _part(row: Play, name: str) -> Fraction:
    return Fraction(getattr(row, name), row.parts)


def _other_facts(property: str, stream: str) -> list[tuple[str, str, str]]:
    """Return the address, time and description of each fact in the stream that comes from the cage or the
    count room.
    """
    facts = list(cage_facts.facts(property, [stream]))
    currencies = cage_facts.currencies(facts)
    zone = request_params.zone(property)
    return [
        (
            request_params.hand_url(stream, f"#{fact.number}"),
            clock(fact.event.at, zone),
            sentence(fact.event, currencies[fact.event.uid]),
        )
        for fact in facts
        if fact.kind in CAGE
    ]

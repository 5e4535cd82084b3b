"""Certificates of exact odds, as people and programs read them. They are computed once in each process and
are the same for the command and for the page.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from itertools import groupby
from typing import Any, NamedTuple

from games import GAMES
from games.kit.certificate import Case, CertificateLine, Pay, certificate_of
from games.kit.printed_odds import CONTRADICTS, DRAWN, EDGE, PAYS, percent, whose_edge

MOST_DECKS = 99


def certified_games() -> list[str]:
    """Return the games that have a certificate, in alphabetical order."""
    return sorted(code for code, game in GAMES.items() if certificate_of(game) is not None)


@cache
def lines(game: str, decks: int | None = None) -> tuple[CertificateLine, ...]:
    """Return the lines of a game's certificate.

    Args:
        decks: the number of decks for which the odds are computed, if the game can be dealt from another
            number of decks. By default, the numbers of decks in the manual are used.
    """
    certificate = certificate_of(GAMES[game])
    return tuple(certificate.certify(decks)) if certificate is not None else ()


def only_decks(game: str) -> int | None:
    """Return the only number of decks that a game is dealt from; None if any number is allowed."""
    certificate = certificate_of(GAMES[game])
    return None if certificate is None or certificate.any_decks else certificate.decks[0]


def plain(game: str, line: CertificateLine) -> dict[str, Any]:
    """Return one line of a certificate for programs. Odds are fractions as text. If the manual prints the
    odds, its figure is included with a citation.
    """
    case, odds = line.case, line.figures
    return {
        "game": game,
        "edition": case.edition,
        "wager": case.wager,
        "unit": unit(game, case.wager),
        "pay_table": case.pay_table,
        "decks": case.decks,
        "reading": case.conditions,
        "edge": str(odds.edge),
        "rtp": str(odds.rtp),
        "variance": str(odds.variance),
        "hit": str(odds.hit),
        "push": str(odds.push),
        "printed": str(line.printed) if line.printed else None,
        "verdict": line.verdict,
        "fits": line.fits,
    }


def unit(game: str, wager: str) -> str:
    """Return the unit to which a wager's edge, return and variance refer."""
    certificate = certificate_of(GAMES[game])
    return certificate.unit_of(wager) if certificate is not None else ""


def open_questions(game: str) -> list[dict[str, str]]:
    """Return the questions that the game's manual leaves open, in the form that programs read."""
    return [
        {"asks": question.asks, "answer": question.answer, "cite": question.cite, "reading": question.option}
        for question in GAMES[game].questions
    ]


class Shown(NamedTuple):
    """A line of a certificate for people. Lines that differ only in the number of decks are combined."""

    line: CertificateLine
    decks: str
    reading: str

    @property
    def pay_table(self) -> str:
        return self.line.case.pay_table or ""


def shown(of: Iterable[CertificateLine]) -> list[Shown]:
    """Return a certificate's lines for people, in the order of the certificate."""
    groups: dict[Any, list[CertificateLine]] = {}
    for line in of:
        case = line.case
        key = (
            case.edition,
            case.wager,
            case.pay_table,
            reading_of(case),
            *line.figures,
            line.verdict,
            line.fits,
        )
        groups.setdefault(key, []).append(line)
    return [
        Shown(group[0], ", ".join(str(line.case.decks) for line in group), reading_of(group[0].case))
        for group in groups.values()
    ]


def by_edition(of: Iterable[Shown]) -> list[tuple[str, list[Shown]]]:
    """Group the lines of a certificate by edition, and return (edition, lines) for each."""
    return [
        (edition, list(group)) for edition, group in groupby(of, key=lambda shown: shown.line.case.edition)
    ]


def reading_of(case: Case) -> str:
    """Return in words what distinguishes a case of the certificate, such as `roll 4, doubles` or
    `tie: push`.
    """
    known = (
        name if value is True else f"no {name}" if value is False else f"{name} {value}"
        for name, value in case.known.items()
    )
    return ", ".join((*(f"{question}: {answer}" for question, answer in case.answers.items()), *known))


def exactly(part: Fraction) -> str:
    """Return a fraction with its percentage, such as `5/156 = 3.2051%`."""
    return f"{part} = {percent(part, 4)}%"


def to_one(net: Fraction) -> str:
    """Return a pay as a ratio, such as `5:2`."""
    return f"{net.numerator}:{net.denominator}"


def pay_tables(of: Iterable[Shown]) -> list[tuple[Shown, tuple[Pay, ...]]]:
    """Return each distinct pay table of each wager, with the first certificate line in which it occurs."""
    first: dict[tuple[str, str], Shown] = {}
    for shown in of:
        first.setdefault((shown.line.case.wager, shown.pay_table), shown)
    return [(shown, shown.line.pays) for shown in first.values()]


def contradiction(game: str, line: CertificateLine) -> str:
    """Return a sentence about a figure that a manual prints and that contradicts its rules. It says where the
    figure is printed, what the exact figure is, and which rules would give the printed one. Return empty text
    if the line has no contradiction.
    """
    printed, odds, case = line.printed, line.figures, line.case
    if printed is None or line.verdict != CONTRADICTS:
        return ""
    table = f"pay table {case.pay_table}" if len(GAMES[game].pay_tables.get(case.wager, ())) > 1 else ""
    place = ", ".join(part for part in (case.wager, table, reading_of(case)) if part)
    if printed.what == DRAWN:
        drawn = (
            f"the layout shows a pay table of {printed.figure} ({printed.cite}), which the manual does not"
            " print"
        )
        return f"{place}: {drawn}; the edge of this pay table is {exactly(odds.edge)}."
    elif printed.what == PAYS:
        settled = ", ".join(to_one(pay.net) for pay in line.pays)
        head = (
            f"the manual prints a pay of {printed.figure} ({printed.cite}); the rules settle {settled},"
            f" with an edge of {exactly(odds.edge)}."
        )
    else:
        exact = odds.edge if printed.what == EDGE else odds.rtp
        head = f"the manual prints {printed.short} ({printed.cite}); the exact figure is {exactly(exact)}."
    head = f"{place}: {head}"
    if line.fits is None or line.fitting is None:
        return f"{head} No known rule gives the printed figure."
    return f"{head} The printed figure belongs to {line.fits}, which {whose_edge(line.fitting)}."

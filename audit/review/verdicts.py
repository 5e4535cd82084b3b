"""Read what the page of a hand shows: its current findings, the officers' flags on it, the verdicts on
findings and flags, and the findings that a reexamination withdrew.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from hashlib import sha256
from typing import Any, NamedTuple

from audit import database
from audit.controls import event_reference
from audit.facts.input_parsing import whole
from audit.facts.vocabulary import BY_CHECK, BY_FACTS, BY_REGISTERS, BY_RULES, WITHDRAWN
from audit.review.projections import FIRST_FACT, FLAGGED, GRADES


class Verdict(NamedTuple):
    """One `verdict-given` fact. Amounts are in minor units."""

    finding: str
    position: int
    code: str
    says: str
    verdict: str
    disposition: str
    by: str
    second: str | None
    lacks_second: bool
    note_sha256: str | None
    savings: Decimal
    losses: Decimal
    recovered: Decimal
    at: datetime
    owed: str | None = None
    moved: str | None = None


class CurrentFinding(NamedTuple):
    """A current finding with its verdicts, latest first. The latest verdict counts."""

    id: str
    number: int
    code: str
    grade: str
    spot: str | None
    wager: str | None
    owed: int | str | None
    moved: int | str | None
    says: str
    cite: str
    slip: str | None
    verdicts: tuple[Verdict, ...]

    @property
    def verdict(self) -> Verdict | None:
        """Return the verdict that counts, or None if there is no verdict or the latest was withdrawn."""
        return self.verdicts[0] if self.verdicts and self.verdicts[0].verdict != WITHDRAWN else None

    @property
    def money(self) -> Fraction | None:
        """Return the amount that the player received beyond the amount owed. If there was no bet, the amount
        owed is 0.
        """
        return None if self.moved is None else Fraction(self.moved) - Fraction(self.owed or 0)

    @property
    def wager_money(self) -> Fraction:
        """Return the money of a finding about a wager. For any other finding return 0, because missing chips
        do not show who lost them.
        """
        return self.money or Fraction(0) if self.wager else Fraction(0)

    @property
    def seen(self) -> str:
        """Return a hash of everything that an officer sees of the finding. A verdict can then be rejected if
        the finding has changed in the meantime.
        """
        latest = self.verdicts[0] if self.verdicts else None
        return sha256(repr((self.id, self.says, self.owed, self.moved, latest)).encode()).hexdigest()[:16]


ENDED = {
    BY_FACTS: "Withdrawn: facts that were recorded later ended this finding",
    BY_RULES: "Lost: under the changed rules this is no longer a finding",
    BY_REGISTERS: "Lost: register entries that were recorded later ended this finding",
    BY_CHECK: "Lost: no rule had changed, but replay does not make this finding",
    None: "Withdrawn: replay no longer makes this finding",
}
"""{cause: sentence about a finding that is no longer made}."""


class Withdrawn(NamedTuple):
    """A finding that is no longer made, with its verdicts and the fact `reexamined` that says so.

    `cause`: why it is no longer made, a key of `LOST_BY`. None if an earlier version of Catwalk recorded the
    fact.
    """

    finding: str
    position: int
    at: datetime
    rules: str
    cause: str | None
    verdicts: tuple[Verdict, ...]

    @property
    def code(self) -> str:
        """Return the code of a finding, the second part of its id."""
        return self.finding.split(":")[1] if ":" in self.finding else self.finding

    @property
    def says(self) -> str:
        """Return a sentence that says why the finding is no longer made."""
        return ENDED.get(self.cause, ENDED[None])


def _flags_of(property: str, stream: str, hand: str) -> list[tuple[Any, ...]]:
    """Return the officers' flags on a hand, with the same columns as findings."""
    query = f"""SELECT finding, {FIRST_FACT}, by, why FROM flag g
        WHERE property = %(property)s AND stream = %(stream)s AND round = %(hand)s ORDER BY position"""
    values = {"property": property, "stream": stream, "hand": hand}
    cite, no_money = event_reference(FLAGGED), (None, None, None, None)
    return [
        (id, number, FLAGGED, GRADES[0], *no_money, f"{by}: {reason}", cite, None)
        for id, number, by, reason in database.prepared_rows(query, values)
    ]


def findings_of(property: str, stream: str, hand: str) -> list[CurrentFinding]:
    """Return the findings of a hand and the flags on it, by grade and number."""
    number = whole(hand[1:]) if hand[:1] == "#" else None
    condition, value = ("round = %s", hand) if number is None else ("number = %s AND round IS NULL", number)
    rows = database.rows(
        f"""SELECT id, number, code, grade, spot, wager, owed, moved, says, cite, slip FROM finding
            WHERE property = %s AND stream = %s AND {condition}""",
        [property, stream, value],
    )
    rows += _flags_of(property, stream, hand)
    return _with_verdicts(property, rows)


def findings_of_hands(
    property: str, names: Sequence[tuple[str, str]]
) -> dict[tuple[str, str], list[CurrentFinding]]:
    """Return the findings of these hands, given as (stream, hand), and the flags on them, in few queries."""
    query = """SELECT w.stream, w.hand, f.id, f.number, f.code, f.grade, f.spot, f.wager, f.owed, f.moved,
            f.says, f.cite, f.slip
        FROM unnest(%s::text[], %s::text[]) w (stream, hand) JOIN finding f ON f.property = %s
            AND f.stream = w.stream AND coalesce(f.round, '#' || f.number) = w.hand"""
    streams, hands = [stream for stream, _ in names], [hand for _, hand in names]
    rows = database.rows(query, [streams, hands, property])
    query = """SELECT g.stream, g.round FROM unnest(%s::text[], %s::text[]) w (stream, hand)
        JOIN flag g ON g.property = %s AND g.stream = w.stream AND g.round = w.hand GROUP BY 1, 2"""
    for stream, hand in database.rows(query, [streams, hands, property]):
        rows += [(stream, hand, *row) for row in _flags_of(property, stream, hand)]
    of = {row[2]: (row[0], row[1]) for row in rows}
    findings: dict[tuple[str, str], list[CurrentFinding]] = {}
    for finding in _with_verdicts(property, [row[2:] for row in rows]):
        findings.setdefault(of[finding.id], []).append(finding)
    return findings


def _with_verdicts(property: str, rows: Sequence[tuple[Any, ...]]) -> list[CurrentFinding]:
    """Return the findings of these rows with their verdicts, by grade and number."""
    verdicts = _verdicts(property, "finding", [row[0] for row in rows])
    findings = [
        CurrentFinding(
            id=id,
            number=number,
            code=code,
            grade=grade,
            spot=spot,
            wager=wager,
            owed=exact(owed),
            moved=exact(moved),
            says=says,
            cite=cite,
            slip=slip,
            verdicts=tuple(verdict for verdict in verdicts if verdict.finding == id),
        )
        for id, number, code, grade, spot, wager, owed, moved, says, cite, slip in rows
    ]
    return sorted(
        findings,
        key=lambda finding: (
            GRADES.index(finding.grade) if finding.grade in GRADES else 3,
            finding.number,
            finding.code,
            finding.spot or "",
        ),
    )


def latest(property: str, findings: Sequence[str]) -> dict[str, str]:
    """Return {finding: verdict} with the verdict that counts. A verdict that still needs a second signature
    does not count.
    """
    by_finding: dict[str, str] = {}
    for verdict in _verdicts(property, "finding", findings):
        if not verdict.lacks_second:
            by_finding.setdefault(verdict.finding, verdict.verdict)
    return by_finding


def withdrawn_of(property: str, uids: Sequence[str]) -> list[Withdrawn]:
    """Return the withdrawn findings about these facts."""
    rows = database.rows(
        "SELECT finding, position, at, rules, cause FROM withdrawn WHERE property = %s AND uid = ANY (%s)"
        " ORDER BY 2, 1",
        [property, list(uids)],
    )
    verdicts = _verdicts(property, "finding", [finding for finding, *_ in rows])
    return [
        Withdrawn(
            finding=id,
            position=position,
            at=at,
            rules=rules,
            cause=cause,
            verdicts=tuple(verdict for verdict in verdicts if verdict.finding == id),
        )
        for id, position, at, rules, cause in rows
    ]


class Given(NamedTuple):
    """A verdict.

    Attributes:
        counts: True if it is the latest verdict on its finding and was not withdrawn.
    """

    verdict: Verdict
    counts: bool


def at_positions(property: str, positions: Sequence[int]) -> list[Given]:
    """Return the verdicts that were recorded at these positions of the ledger."""
    query = f"""SELECT {", ".join(f"v.{name}" for name in Verdict._fields)}, v.verdict <> '{WITHDRAWN}'
            AND NOT EXISTS (SELECT FROM verdict l WHERE l.property = v.property AND l.finding = v.finding
                AND l.position > v.position)
        FROM verdict v WHERE v.property = %s AND v.position = ANY (%s) ORDER BY v.position"""
    rows = database.rows(query, [property, list(positions)])
    return [Given(Verdict._make(row[:-1]), row[-1]) for row in rows]


def _verdicts(property: str, column: str, values: Sequence[str]) -> list[Verdict]:
    if not values:
        return []
    query = f"""SELECT {", ".join(Verdict._fields)} FROM verdict WHERE property = %s AND {column} = ANY (%s)
        ORDER BY position DESC"""
    return database.records(Verdict, query, [property, list(values)])


def exact(text: str | None) -> int | str | None:
    """Return a stored amount in the form that facts use: an integer, or a fraction as text."""
    return text if text is None or "/" in text else int(text)

"""The boards read stored sums of findings and stored columns of verdicts. They equal the figures that a slow
computation reads from findings and facts. This is tested after verdicts and withdrawals in random order, and
after a reexamination.
"""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta
from fractions import Fraction
from random import Random
from typing import Any

from audit import database
from audit.facts import VerdictGiven, decode
from audit.findings import examine as findings
from audit.findings import save
from audit.ledger import intake
from audit.ledger.intake import Sender
from audit.ledger.store import read_kinds
from audit.queries import finding_counts
from audit.review import compare, projections
from tests.audit.floor import fact, line
from tests.casino.conftest import Cast
from tests.casino.nights import DAY, STREAM
from tests.casino.test_boards import two_tables

__all__ = ["two_tables"]
DAYS = tuple(DAY + timedelta(days=place) for place in range(3))
ALL = (DAY - timedelta(days=5), DAY + timedelta(days=400))
WHY = {"confirmed": "patron_action", "dismissed": "no_error", "escalated": "suspected_collusion"}


def verdicts_in_random_order(rng: Random, first: int, count: int) -> None:
    """Record random verdicts and withdrawals of four officers, each in a post of its own. The stored sums are
    updated after some of the posts and at the end.
    """
    ids = [id for (id,) in database.rows("SELECT id FROM finding ORDER BY id")]
    for place in range(first, first + count):
        verdict = rng.choice([*WHY, *WHY, "withdrawn"])
        fields: dict[str, Any] = {"finding": rng.choice(ids), "says": "so", "owed": None, "moved": None}
        fields |= {
            "code": fields["finding"].split(":")[1],
            "verdict": verdict,
            "note_sha256": None,
            "video": [],
        }
        fields |= {"by": f"v-{rng.randrange(101, 105)}", "savings": 0, "losses": 0, "recovered": 0}
        fields |= {"disposition": WHY[verdict]} if verdict in WHY else {}
        fields |= {"second": f"s-{rng.randrange(2)}"} if rng.random() < 0.3 else {}
        sent = fact(place, "verdict-given", "aurora/house", str(rng.choice(DAYS)), **fields)
        intake.post([line(sent)], Sender("desk"))
        if rng.random() < 0.3:
            projections.follow("aurora")
    projections.follow("aurora")


def codes_slowly() -> dict[tuple[str, str], list[Any]]:
    """Return the figures of each code and grade, counted from findings and verdicts one by one."""
    last: dict[str, str] = {}
    for *_, body in read_kinds("aurora", {"verdict-given"}):
        event = decode(body)
        assert isinstance(event, VerdictGiven)
        last[event.finding] = event.verdict
    hands: dict[tuple[str, str], set[Any]] = {}
    sums: dict[tuple[str, str], list[Any]] = {}
    query = "SELECT id, code, grade, stream, round, number, owed, moved FROM finding"
    for id, code, grade, stream, round, number, owed, moved in database.rows(query):
        row = sums.setdefault((code, grade), [0, 0, Counter(), Fraction(0), Fraction(0)])
        hands.setdefault((code, grade), set()).add((stream, projections.hand_of(round, number)))
        row[0] += 1
        row[1] = len(hands[code, grade])
        row[2][last.get(id, "")] += 1
        money = Fraction(0) if moved is None else Fraction(moved) - Fraction(owed or 0)
        row[3 if money > 0 else 4] += abs(money)
    return sums


def officers_slowly(begins: date, ends: date) -> tuple[dict[str, list[Any]], Counter[str]]:
    """Return the counts of verdicts for each officer and for each second reviewer, computed from the facts
    one by one.
    """
    at = dict(database.rows("SELECT position, recorded_at FROM fact WHERE property = 'aurora'"))
    facts = dict(database.rows("SELECT uid::text, recorded_at FROM fact WHERE property = 'aurora'"))
    given_verdicts = [(place, decode(body)) for place, _, _, body in read_kinds("aurora", {"verdict-given"})]
    counts: dict[str, list[Any]] = {}
    seconds: Counter[str] = Counter()
    decisions = ("confirmed", "dismissed")
    for place, verdict in given_verdicts:
        assert isinstance(verdict, VerdictGiven)
        if not begins <= verdict.day < ends:
            continue
        others = [(at_, other) for at_, other in given_verdicts if other.finding == verdict.finding]
        later = [other for at_, other in others if at_ > place and other.by != verdict.by]
        row = counts.setdefault(verdict.by, [Counter(), 0, []])
        row[0][verdict.verdict] += 1
        row[1] += verdict.verdict in decisions and any(
            other.verdict in decisions and other.verdict != verdict.verdict for other in later
        )
        if min(at_ for at_, _ in others) == place:
            waited = at[place] - facts[verdict.finding.partition(":")[0]]
            row[2].append(max(0, int(waited.total_seconds())))
        if verdict.second:
            seconds[verdict.second] += 1
    return counts, seconds


def assert_equals_slow() -> None:
    """Assert that the boards' figures equal the slow computation, and that the stored sums equal a replay."""
    fast = {
        (row.code, row.grade): [
            row.findings,
            row.hands,
            (row.confirmed, row.dismissed, row.escalated, row.open),
            row.gained,
            row.lost,
        ]
        for row in finding_counts.by_code("aurora", *ALL)
    }
    slow = {
        key: [
            count,
            hands,
            (v["confirmed"], v["dismissed"], v["escalated"], v[""] + v["withdrawn"]),
            up,
            down,
        ]
        for key, (count, hands, v, up, down) in codes_slowly().items()
    }
    assert fast == slow
    for begins, ends in (ALL, (DAYS[1], DAYS[2]), (DAYS[0], DAYS[2])):
        counts, seconds = officers_slowly(begins, ends)
        rows = finding_counts.by_officer("aurora", begins, ends)
        assert {
            row.officer: [
                row.confirmed,
                row.dismissed,
                row.escalated,
                row.withdrawn,
                row.overturned,
                row.first,
            ]
            for row in rows
        } == {
            officer: [
                *(verdicts[name] for name in ("confirmed", "dismissed", "escalated", "withdrawn")),
                overturned,
                len(waited),
            ]
            for officer, (verdicts, overturned, waited) in counts.items()
        }
        for row in rows:
            waited = sorted(counts[row.officer][2])
            middle = timedelta(seconds=waited[(len(waited) - 1) // 2]) if waited else None
            assert row.median == middle
        assert finding_counts.second_reviews("aurora", begins, ends) == dict(seconds)
    assert [str(fault) for fault in compare.compare("aurora").listed if not fault.explained] == []


def earlier_rules() -> None:
    """Change the stored findings, as if earlier rules had found them: two have other amounts, one is missing
    and one is additional.
    """
    rules = save.seal("aurora", STREAM, "earlier")
    database.execute("UPDATE examination SET rules = 'earlier', seal = %s WHERE stream = %s", [rules, STREAM])
    ids = "(SELECT id FROM finding WHERE stream = %s AND moved IS NOT NULL ORDER BY id OFFSET 2 LIMIT 2)"
    database.execute(f"UPDATE finding SET moved = moved || '/3', owed = '25/2' WHERE id IN {ids}", [STREAM])
    first = "(SELECT min(id) FROM finding WHERE stream = %s)"
    database.execute(f"DELETE FROM finding WHERE id = {first}", [STREAM])
    database.execute(
        f"""INSERT INTO finding (property, id, stream, number, uid, reader, round, code, grade, says, cite)
            SELECT property, replace(id, code, 'late-bet') || 'x', stream, number, uid, reader, round,
                'late-bet', 'procedure', says, cite FROM finding WHERE id = {first}""",
        [STREAM],
    )
    projections.queue_stream("aurora", STREAM)


def test_sums_follow_verdicts_withdrawals_and_a_reexamination(two_tables: Cast) -> None:
    rng = Random("sums")
    verdicts_in_random_order(rng, 700, 40)
    assert_equals_slow()
    findings.examine()  # the ledger has findings about officers that are not in the register
    assert_equals_slow()
    counts = finding_counts.by_code("aurora", *ALL)
    earlier_rules()
    assert finding_counts.by_code("aurora", *ALL) != counts
    assert_equals_slow()
    result = findings.reexamine()
    assert result.gained
    assert result.lost
    assert finding_counts.by_code("aurora", *ALL) == counts
    assert_equals_slow()
    verdicts_in_random_order(rng, 1100, 20)
    assert_equals_slow()


def test_a_changed_column_of_a_verdict_is_named(two_tables: Cast) -> None:
    verdicts_in_random_order(Random("named"), 700, 6)
    for column, change in (
        ("overturned", "NOT overturned"),
        ("seconds", "coalesce(seconds, 0) + 5"),
        ("day", "day + 1"),
    ):
        database.execute(
            f"UPDATE verdict SET {column} = {change} WHERE position = (SELECT min(position) FROM verdict)"
        )
        assert {(difference.table, difference.column) for difference in compare.compare("aurora").listed} == {
            ("verdict", column)
        }
        projections.rebuild("aurora")
        assert not compare.compare("aurora").listed

"""A gaming day of one sample table, from the first count to the last, without faults except for
planted ones.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, time, timedelta, tzinfo
from fractions import Fraction
from operator import itemgetter
from random import Random
from typing import Any

from casino.sample.tables.after_table import money_drafts
from casino.sample.tables.cage import Cage
from casino.sample.tables.drafts import PACIFIC, Draft, Stamp, draft, property_fact
from casino.sample.tables.play import Play, net_of
from casino.sample.tables.table import TABLES

SHIFTS = (("day", 6), ("swing", 14), ("grave", 22))
OFTEN = 0.05
"""The share of rounds that are voided. The same share of rounds is paused."""


class Day:
    """Builds the stream of one table from drafts. `facts` turns the drafts into facts. The same seed gives
    the same bytes.
    """

    def __init__(
        self,
        game: str,
        seed: int | str,
        *,
        property: str = "aurora",
        table: str = "",
        day: date = date(2026, 11, 27),
        house: bool = False,
        money: bool = False,
        shifts: int = 1,
        zone: tzinfo = PACIFIC,
        pit: str = "pit-1",
        **settings: Any,
    ) -> None:
        self.rng = Random(f"{game}/{seed}")
        self.table: Any = TABLES[game].drawn(self.rng, **settings)
        self.code = table or f"{self.table.letters}-01"
        self.property, self.day, self.zone, self.pit = property, day, zone, pit
        self.drafts: list[Draft] = self.table.drafts
        self.cage = Cage(self.rng, self.code, self.table.dealers) if house else None
        self.has_money = money
        self.money: list[Draft] = []
        """The property's facts about the money of this day, recorded after it (`after_table.py`)."""
        self.changes: list[tuple[Draft, Draft]] = []
        self.shifts = SHIFTS[:1] if shifts == 1 else SHIFTS[-shifts:] if shifts < 3 else SHIFTS
        self.before: list[dict[str, Any]] = []
        self.others: list[Day] = []
        """Days of other tables. All their facts are recorded after the facts of this day."""
        self.closing: list[Callable[[], None]] = []
        self.expected: list[tuple[Draft, dict[str, Any], bool]] = []
        self.cut: int | None = None
        self.last = False
        self.voids = self.pauses = OFTEN

    @property
    def bounds(self) -> dict[str, Any]:
        """Return the time at which each shift begins, as a field `shifts`. Return an empty dict if the day
        has one shift.
        """
        return (
            {"shifts": {name: self.instant(hour).isoformat() for name, hour in self.shifts}}
            if len(self.shifts) > 1
            else {}
        )

    def instant(self, hour: int) -> datetime:
        """Return the instant of an hour of the gaming day. An hour before six is in the next morning."""
        at = datetime.combine(self.day, time(hour % 24), self.zone)
        return at + timedelta(days=1) if hour % 24 < 6 else at

    def open(self) -> Draft:
        """Open the table: settings, shoe, dealer, opener."""
        opened: Draft = self.table.opened(**self.bounds)
        if not self.table.every_round:
            self.table.shuffle(self.cut)
        self.table.seated()
        if self.cage:
            self.cage.shift = self.shifts[0][0]
            self.drafts.append(self.cage.opener())
        return opened

    def honest(self, rounds: int = 1) -> None:
        """Play correct rounds, with voids, pauses and everything else that may come between rounds."""
        for _ in range(rounds):
            play = self.table.play()
            if self.rng.random() < self.voids:
                self._void(play)
            elif self.table.studio and self.rng.random() < self.pauses:
                self._pause(play)
            self.table.keep(play)
            self._between()

    def change_shift(self, name: str, hour: int) -> None:
        """Seat the next shift's dealer. If the table has a cage, also pull the drop box of the shift that
        ends.
        """
        if self.cage:
            self.drafts.append(self.cage.pull(shift=name))
        pulled = self.drafts[-1]
        self.table.seated(_at=self.instant(hour) + timedelta(seconds=self.rng.randint(1, 90)))
        self.changes.append((pulled, self.drafts[-1]))

    def close(self) -> None:
        """Close the day: pull the last drop box, count the tray, count the boxes."""
        if self.cage:
            self.drafts += self.cage.last_pulled()
            self.cage.deepen(self.drafts, [pulled for pulled, _ in self.changes])
            for pulled, seated in self.changes:
                self.cage.between(self.drafts, pulled, seated)
            self.drafts.append(self.cage.closer(self.drafts))
        self.drafts.append(draft("table-closed"))
        if self.cage:
            self.drafts += self.cage.counts()
            self.drafts.append(draft("day-closed", by="a-101"))
        if self.cage and self.has_money:
            own = Random(f"money/{self.property}/{self.code}/{self.day}")
            self.money = money_drafts(own, self.drafts, self.cage.markers, self.day, self.table.currency)
        for change in self.closing:
            change()

    def facts(self) -> list[dict[str, Any]]:
        """Return all posted facts, in order. Afterwards each draft has its uid."""
        names = {"shoe": self.table.shoe_name, "pit": self.pit, "cage": "cage-1", "count": "count-1"}
        names["stakes"] = f"{'studio' if self.table.studio else 'rfid'}-{self.table.shoe_name[5:]}"
        start = time(self.shifts[0][1]) if len(self.shifts) > 1 else time(12)
        stamp = Stamp(self.rng, f"{self.property}/{self.code}", self.day, start, self.zone, names)
        facts = self.before + stamp.facts(self.drafts)
        facts += [fact for other in self.others for fact in other.facts()]
        return facts + self._money_facts()

    def _money_facts(self) -> list[dict[str, Any]]:
        """Return the property's facts about the money of this day. Each draft gets its uid."""
        facts = []
        for number, fact in enumerate(sorted(self.money, key=itemgetter("_after")), len(self.before) + 1):
            fields = {name: value for name, value in fact.items() if name[0] != "_" and name != "kind"}
            day = self.day + timedelta(days=fact["_after"])
            facts.append(property_fact(self.rng, number, self.property, day, fact["kind"], fields))
            fact["uid"] = facts[-1]["uid"]
        return facts

    def expect(self, fact: Draft, code: str, optional: bool = False, **fields: Any) -> None:
        """Expect replay to report a finding with this code at that fact. If `optional` is true, the finding
        is allowed but not required.
        """
        if "round" in fact and "round" not in fields:
            fields["round"] = fact["round"]
        self.expected.append((fact, {"code": code} | fields, optional))

    def expect_undecided(self, play: Play) -> None:
        """Expect the findings at the end of a round that has no result and is not voided. Nothing is owed in
        such a round.
        """
        closed = play.one("round-closed")
        self.expect(closed, "void-required")
        for (spot, wager), moved in net_of(play, kept_as_lost=self.table.studio).items():
            self.expect(closed, "void-not-returned", spot=spot, wager=wager, owed=0, moved=moved)

    def findings(self, optional: bool = False) -> list[dict[str, Any]]:
        """Return the findings that replay must report on this day. If `optional` is true, return those that
        it may report. Call `facts` first.
        """
        expected = [finding(fact, fields) for fact, fields, may in self.expected if may == optional]
        return expected + self.notices() if optional else expected

    def notices(self) -> list[dict[str, Any]]:
        """Return the notices that replay must report on a day without faults. Call `facts` first."""
        return [finding(fact, fields) for day in (self, *self.others) for fact, fields in day.table.notices]

    def _void(self, play: Play) -> None:
        """Void a round at random, at the earliest after its first bet."""
        bets = play.all("bet", "bets")
        first = play.place(bets[0]) if bets else 1
        after = play.facts[self.rng.randint(first, len(play.facts) - 2)]
        if self.table.studio:
            paused = draft(
                "paused", play.name, reason="under investigation", by=self.rng.choice(self.table.supervisors)
            )
            play.put_after(after, paused)
            after = paused
        self.table.void(play, after)

    def _pause(self, play: Play) -> None:
        after = play.facts[self.rng.randint(1, len(play.facts) - 2)]
        by = self.rng.choice(self.table.supervisors)
        pair = [
            draft(kind, play.name, reason=reason, by=by)
            for kind, reason in (("paused", "card not seen"), ("resumed", "card shown again"))
        ]
        play.put_after(after, *pair)

    def _between(self) -> None:
        chance = self.rng.random()
        if chance < 0.05:
            self.table.seated()
        elif chance < 0.08:
            alarm = draft("alarm", device=self.table.shoe_name, text="card jam")
            self.drafts += [
                alarm,
                draft("alarm-answered", alarm=alarm, by=self.rng.choice(self.table.supervisors)),
            ]
        elif chance < 0.10:
            self._reopen()
        if self.cage:
            self._cage()

    def _reopen(self) -> None:
        """Open the table again between two rounds with new limits. The shoe continues, or a new one
        begins.
        """
        self.table.limits = {
            wager: (low, high - high // 10 // self.table.chip * self.table.chip)
            for wager, (low, high) in self.table.limits.items()
        }
        if not self.table.every_round and self.rng.random() < 0.5:
            self.table.opened(**self.bounds)
            self.table.shuffle()
        else:
            self.table.opened(continues=True, **self.bounds)

    def _cage(self) -> None:
        chance = self.rng.random()
        assert self.cage
        if chance < 0.30:
            self.drafts += self.cage.bought_chips()
        elif chance < 0.42:
            self.drafts.append(self.cage.slip("F"))
        elif chance < 0.50:
            self.drafts.append(self.cage.slip("C"))
        elif chance < 0.54:
            self.drafts.append(self.cage.voided(self.rng.choice("FC")))
        elif chance < 0.58:
            self.drafts += self.cage.marker_paid()


def finding(fact: Draft, fields: dict[str, Any]) -> dict[str, Any]:
    """Return a finding at that fact. The fact must already have its uid."""
    expected = {"code": fields["code"], "uid": fact["uid"]}
    return expected | {
        name: plain(value) for name, value in fields.items() if value is not None and name != "code"
    }


def plain(value: Any) -> Any:
    """Return a value as it is written in a finding: an exact amount as an integer, or as text if it is a
    fraction.
    """
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else f"{value.numerator}/{value.denominator}"
    return value


def played(game: str, seed: int | str, *, rounds: int = 40, **options: Any) -> Day:
    """Play a whole day without faults. Return the day while its facts are still drafts. The options are those
    of `honest_day`.
    """
    day = Day(game, seed, **options)
    day.open()
    for number, (name, hour) in enumerate(day.shifts):
        if number:
            day.change_shift(name, hour)
        day.honest(rounds // len(day.shifts) + (rounds % len(day.shifts) if not number else 0))
    day.close()
    return day


def honest_day(game: str, seed: int | str, *, rounds: int = 40, **options: Any) -> list[dict[str, Any]]:
    """Return the facts of a whole stream without faults.

    Options: `property`, `table`, `day`, `house` (True for slips, drop boxes and counts), `money` (True for
    the facts of `after_table.py`), `shifts` from 1 to 3, `zone`, `pit`, and any setting of the
    table: `edition` `pay_tables` `decks` `limits` `chip` `rounding` `currency` `readings`.
    """
    return played(game, seed, rounds=rounds, **options).facts()

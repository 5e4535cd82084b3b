"""One gaming day of one table in the sample house's month: three shifts of players with purses, dealers who
err, a cage that runs on.
"""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from functools import cache
from random import Random
from typing import Any

from .cage import tray
from .day import SHIFTS, Day
from .desk import Draft, draft
from .month_cage import Amiss, Left, MonthCage, Planned
from .planting import FAULTS, Plant
from .purses import Purses
from .staff import ACCOUNTANTS, GIVES, errs

VOIDS = 0.003
"""How many rounds are void."""
PLAYS = timedelta(minutes=12)
"""What a round and all around it take at most; as long before its end a shift begins no new one."""
TO_PLAYERS = ("overpaid", "paid-a-loser", "undertaken")
MISTAKES = {
    "wrong-settlement:": 12,
    "not-settled:": 4,
    "settled-twice:": 2,
    "no-such-bet:": 1,
    "corrected:": 2,
    "settled-too-soon": 1,
    "late-bet:new": 1,
    "bets-not-closed": 1,
    "too-few-shakes": 1,
    "not-announced": 1,
    "not-cleared": 1,
    "not-marked": 1,
}
"""What a dealer does wrong, by how a fault's name begins, and how often against the others."""


class MonthDay(Day):
    """Played by `play`; then `facts` gives what was posted, and `left` what the next day goes on from."""

    cage: MonthCage | None

    def __init__(
        self,
        game: str,
        seed: str,
        *,
        staff: tuple[str, ...],
        serials: dict[str, int],
        leaves: float,
        **options: Any,
    ) -> None:
        """`leaves`: how many players went for good in the night. `options` are those of a day and of its
        table.
        """
        super().__init__(game, seed, shifts=3, supervisors=staff, **options)
        self.leaves = leaves
        self.cage = (
            None
            if self.table.studio
            else MonthCage(Random(f"cage/{seed}"), self.code, self.table.dealers, staff, serials)
        )
        self.voids, self.pauses = VOIDS, VOIDS
        self.amiss, self.plan, self.left = Amiss(), Planned(), Left()
        self.made_up: int | None = None
        self.waits = False
        """The day before is not closed yet when this one is."""
        self.dealer = ""
        self.counted: Draft = {}

    def begin(self, left: Left, par: int, plan: Planned, amiss: Amiss, made_up: int | None = None) -> None:
        """What the day goes on from, and what is to happen in it. `made_up`: what the tray must hold when the
        day is over.
        """
        self.left, self.plan, self.amiss, self.made_up = left, plan, amiss, made_up
        self.purses = Purses(Random(f"purses/{self.code}/{self.day}"), dict(left.purses), self.leaves)
        if self.cage:
            self.cage.begin(left, par, amiss)

    def play(self, rounds: int) -> None:
        """The whole day; the rounds are spread over its shifts."""
        self.open()
        self._note(0)
        for number, (name, hour) in enumerate(SHIFTS):
            if number:
                since = len(self.drafts)
                self.change_shift(name, hour)
                self._note(since)
            if self.cage and not number:
                self.drafts += self.cage.paid_back()
            self._shift(number, rounds // 3 + (number < rounds % 3))
        self.close()
        if self.cage:
            self.left = self.cage.leaves(self.drafts, self.purses.held)

    def begun(self, rounds: int, pulled: bool) -> None:
        """The day as far as it has come: so many rounds, one after the other, a fill and a marker among them,
        and the table stays open.
        """
        self.open()
        self._note(0)
        for place in range(rounds):
            since = len(self.drafts)
            self.honest()
            self._note(since, ["F"] if place == 1 else ["M"] if place == 2 else ["B"] if not place else [])
        if self.cage and pulled:
            self.drafts.append(self.cage.pull())

    def shift_bounds(self, number: int) -> tuple[datetime, datetime]:
        """When a shift begins and ends, as instants; one of them may have nine hours, or seven."""
        hours = [hour for _, hour in SHIFTS] + [SHIFTS[0][1] + 24]
        begins, ends = (self.instant(hour) for hour in hours[number : number + 2])
        return begins.astimezone(UTC), ends.astimezone(UTC)

    def instant(self, hour: int) -> datetime:
        """The gaming day's hour; those of the next morning are before six, or from thirty on."""
        at = datetime.combine(self.day, time(hour % 24), self.zone)
        return at + timedelta(days=1) if hour % 24 < 6 or hour >= 24 else at

    def close(self) -> None:
        """As any day, and accounting closes it also at a studio; the last box may be counted only when the
        next day is over.
        """
        super().close()
        if not self.cage:
            self.drafts.append(draft("day-closed"))
        for closed in (each for each in self.drafts if each["kind"] == "day-closed"):
            closed["by"] = self.rng.choice(ACCOUNTANTS)
            if self.waits:
                closed["reason"] = "a box of the day before is counted tomorrow"
        if self.cage and self.amiss.late:
            self.counted = next(fact for fact in reversed(self.drafts) if fact["kind"] == "drop-counted")
            self.counted["_at"] = self.instant(30) + timedelta(hours=28)

    @property
    def late(self) -> str:
        """The uid of the fact that came only when the next day was over, as everything behind it; empty where
        none did.
        """
        uid: str = self.counted.get("uid", "")
        return uid

    def _shift(self, number: int, rounds: int) -> None:
        begins, ends = self.shift_bounds(number)
        slot = (ends - begins - 2 * PLAYS) / max(rounds, 1)
        slips = self._slips(number, rounds)
        if self.amiss.bought_in == SHIFTS[number][0]:
            slips.setdefault(0, []).append("B")
        for place in range(rounds):
            since = len(self.drafts)
            self._round(dead=self.amiss.void and number == 1 and not place)
            self.drafts[since]["_at"] = begins + PLAYS / 4 + slot * (place + self.rng.uniform(0, 0.6))
            self._note(since, slips.get(place, []))
        if self.made_up is not None and number == 2 and self.cage:
            self._make_up(self.made_up)

    def _round(self, dead: bool = False) -> None:
        """An honest round, unless its dealer errs or it is declared dead."""
        if dead:
            play = self.table.play()
            self._void(play)
            self.table.keep(play)
        elif self.rng.random() < errs(self.dealer):
            mistake(self.table.game, self.dealer in GIVES, self.rng).act(self)
        else:
            self.honest()

    def _cage(self) -> None:
        """Slips come as planned, and chips are bought by whoever needs some."""

    def _slips(self, number: int, rounds: int) -> dict[int, list[str]]:
        """After which rounds of this shift which slips are written: all that are planned, spread over the
        three shifts.
        """
        if not self.cage:
            return {}
        rng = Random(f"{self.code}/{self.day}/slips")
        kept = 1 if self.made_up is not None else 0
        letters = (
            "F" * (self.plan.fills - kept)
            + "C" * (self.plan.credits - kept)
            + "M" * self.plan.markers
            + "V" * self.plan.voided
        )
        after: dict[int, list[str]] = {}
        for letter in letters:
            shift, place = rng.randrange(3), rng.random()
            if shift == number:
                after.setdefault(int(place * rounds), []).append(letter)
        return after

    def _note(self, since: int, letters: list[str] | None = None) -> None:
        """What came since then is known: who deals, who had to buy chips before it, and what the tray holds;
        then slips are written.
        """
        played = self.drafts[since:]
        self.dealer = next(
            (each["dealer"] for each in reversed(played) if each["kind"] == "dealer-seated"), self.dealer
        )
        if not self.cage:
            return
        # An opener is no movement: what the tray holds is known before it is counted.
        self.cage.holds += tray(each for each in played if each["kind"] != "opener-counted")
        bought = [self.cage.buys(*each) for each in self.purses.buys(played)]
        for letter in letters or []:
            if letter == "M":
                bought += self.cage.on_credit(str(self.rng.randint(1, 6)))
            elif letter == "B":
                bought.append(self.cage.buys("1", 50_000, "cash"))
            else:
                self.drafts.append(self.cage.torn() if letter == "V" else self.cage.moves(letter))
        if bought:
            if "_at" in self.drafts[since]:
                bought[0]["_at"] = self.drafts[since].pop("_at")
            self.drafts[since:since] = bought

    def _make_up(self, amount: int) -> None:
        """The last fill and the last credit leave in the tray what the next morning is to find there."""
        assert self.cage
        off = amount - tray(self.drafts)
        self.drafts.append(self.cage.moved("F", max(off, 0) + 200_000))
        self.drafts.append(self.cage.moved("C", max(-off, 0) + 200_000))


@cache
def listed(game: str, begins: str, ends: tuple[str, ...] = ("",)) -> list[Plant]:
    """The faults of these names that are made at one table's felt and need no setting of their own."""
    made = [plant for plant in FAULTS[game].values() if not (plant.opening or plant.house or plant.settings)]
    return [plant for plant in made if plant.name.startswith(begins) and plant.name.endswith(ends)]


def mistake(game: str, gives: bool, rng: Random) -> Plant:
    """One of those that can be made at this game. Who `gives` errs only in favour of the players."""
    if gives:
        return rng.choice(listed(game, "wrong-settlement:", TO_PLAYERS))
    there = {name: often for name, often in MISTAKES.items() if listed(game, name)}
    (name,) = rng.choices(list(there), list(there.values()))
    return rng.choice(listed(game, name))

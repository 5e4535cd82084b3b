"""One gaming day of one table in the sample property's month: three shifts of players with purses, dealers
with errors, and a cage with continuous serials.
"""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from functools import cache
from random import Random
from typing import Any

from .cage import tray
from .day import SHIFTS, Day
from .desk import Draft, draft
from .month_cage import DayEnd, Irregularities, MonthCage, SlipPlan
from .planting import FAULTS, Plant
from .purses import Purses
from .staff import ACCOUNTANTS, GIVES, error_rate

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
        """Prepare a day.

        Args:
            game: The game's code.
            seed: The seed of the day.
            staff: The pit's supervisors.
            serials: The last number used of each series.
            leaves: The share of players who left for good in the night.
            options: Those of a day and of its table.
        """
        super().__init__(game, seed, shifts=3, supervisors=staff, **options)
        self.leaves = leaves
        self.cage = (
            None
            if self.table.studio
            else MonthCage(Random(f"cage/{seed}"), self.code, self.table.dealers, staff, serials)
        )
        self.voids, self.pauses = VOIDS, VOIDS
        self.amiss, self.plan, self.left = Irregularities(), SlipPlan(), DayEnd()
        self.made_up: int | None = None
        self.waits = False
        """The day before is not closed yet when this one is."""
        self.dealer = ""
        self.counted: Draft = {}

    def begin(
        self, left: DayEnd, par: int, plan: SlipPlan, amiss: Irregularities, made_up: int | None = None
    ) -> None:
        """Begin the day from what the last one left, with a plan. `made_up` is what the tray must hold at the
        end of the day.
        """
        self.left, self.plan, self.amiss, self.made_up = left, plan, amiss, made_up
        self.purses = Purses(Random(f"purses/{self.code}/{self.day}"), dict(left.purses), self.leaves)
        if self.cage:
            self.cage.begin(left, par, amiss)

    def play(self, rounds: int) -> None:
        """Play the whole day, with the rounds spread over its shifts."""
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
        """Play the first part of the day: this number of rounds, with a fill and a marker between them; the
        table stays open.
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
        """Return when a shift begins and ends; one may have nine hours, or seven."""
        hours = [hour for _, hour in SHIFTS] + [SHIFTS[0][1] + 24]
        begins, ends = (self.instant(hour) for hour in hours[number : number + 2])
        return begins.astimezone(UTC), ends.astimezone(UTC)

    def instant(self, hour: int) -> datetime:
        """Return the instant of an hour of the gaming day; hours of the next morning are below six, or from
        thirty on.
        """
        at = datetime.combine(self.day, time(hour % 24), self.zone)
        return at + timedelta(days=1) if hour % 24 < 6 or hour >= 24 else at

    def close(self) -> None:
        """Close the day like any other, also with the accounting of a studio; the last box may be counted
        after the end of the next day.
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
        """Return the uid of the first fact that was recorded only after the end of the next day; empty text
        if none is late.
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
        """Play a correct round, except for the errors of its dealer or a declaration as void."""
        if dead:
            play = self.table.play()
            self._void(play)
            self.table.keep(play)
        elif self.rng.random() < error_rate(self.dealer):
            mistake(self.table.game, self.dealer in GIVES, self.rng).act(self)
        else:
            self.honest()

    def _cage(self) -> None:
        """Record slips as planned, and purchases by players without chips."""

    def _slips(self, number: int, rounds: int) -> dict[int, list[str]]:
        """Return which slips are written after which rounds of this shift: all planned slips, spread over the
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
        """Process what was drafted since then: the dealer, the players who had to buy chips before it, and
        the contents of the tray; then write slips.
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
        """Adjust the last fill and the last credit to leave in the tray what the next morning is to find
        there.
        """
        assert self.cage
        off = amount - tray(self.drafts)
        self.drafts.append(self.cage.moved("F", max(off, 0) + 200_000))
        self.drafts.append(self.cage.moved("C", max(-off, 0) + 200_000))


@cache
def listed(game: str, begins: str, ends: tuple[str, ...] = ("",)) -> list[Plant]:
    """Return the faults of these names that happen at one table and need no setting of their own."""
    made = [plant for plant in FAULTS[game].values() if not (plant.opening or plant.house or plant.settings)]
    return [plant for plant in made if plant.name.startswith(begins) and plant.name.endswith(ends)]


def mistake(game: str, gives: bool, rng: Random) -> Plant:
    """Choose a fault that is possible at this game. With `gives`, only those in favor of the players."""
    if gives:
        return rng.choice(listed(game, "wrong-settlement:", TO_PLAYERS))
    there = {name: often for name, often in MISTAKES.items() if listed(game, name)}
    (name,) = rng.choices(list(there), list(there.values()))
    return rng.choice(listed(game, name))

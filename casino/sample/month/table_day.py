"""One gaming day of one table in the sample property's month: three shifts, players who carry chips from day
to day, dealers who make errors, and a cage with consecutive serials.
"""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from functools import cache
from random import Random
from typing import Any

from casino.sample.faults.planting import FAULTS, Plant
from casino.sample.month.cage import DayEnd, Irregularities, MonthCage, SlipPlan
from casino.sample.month.purses import Purses
from casino.sample.tables.cage import tray
from casino.sample.tables.day import SHIFTS, Day
from casino.sample.tables.drafts import Draft, draft
from casino.sample.tables.staff import ACCOUNTANTS, GIVES, error_rate

VOIDS = 0.003
"""The share of rounds that are voided. The same share of rounds is paused."""
PLAYS = timedelta(minutes=12)
"""The longest time that a round and everything around it can take. If less than this time is left in a shift,
no further round begins.
"""
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
"""For each error that a dealer makes: the beginning of the fault's name, and how often it is chosen relative
to the other errors.
"""


class MonthDay(Day):
    """A gaming day of one table. Call `play` first. After this, `facts` returns the posted facts, and `left`
    is the state from which the next day continues.
    """

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
            serials: The last serial used in each series of slips.
            leaves: The share of players who leave for good in the night before.
            options: Options of `Day` and settings of its table.
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
        """True if the previous day is still open when this day is closed."""
        self.dealer = ""
        self.counted: Draft = {}

    def begin(
        self,
        left: DayEnd,
        par: int,
        plan: SlipPlan,
        irregularities: Irregularities,
        made_up: int | None = None,
    ) -> None:
        """Begin the day from the state that the previous day left, with a plan of slips. If `made_up` is
        given, the tray must hold this amount at the end of the day.
        """
        self.left, self.plan, self.amiss, self.made_up = left, plan, irregularities, made_up
        self.purses = Purses(Random(f"purses/{self.code}/{self.day}"), dict(left.purses), self.leaves)
        if self.cage:
            self.cage.begin(left, par, irregularities)

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
        """Play the first part of the day: `rounds` rounds, with a buy-in, a fill and a marker between them.
        The table stays open. If `pulled` is true, pull the first drop box at the end.
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
        """Return when a shift begins and ends, in UTC. A shift lasts nine or seven hours when
        clocks change.
        """
        hours = [hour for _, hour in SHIFTS] + [SHIFTS[0][1] + 24]
        begins, ends = (self.instant(hour) for hour in hours[number : number + 2])
        return begins.astimezone(UTC), ends.astimezone(UTC)

    def instant(self, hour: int) -> datetime:
        """Return the instant of an hour of the gaming day. An hour below six, or of 24 and more, is in the
        next morning.
        """
        at = datetime.combine(self.day, time(hour % 24), self.zone)
        return at + timedelta(days=1) if hour % 24 < 6 or hour >= 24 else at

    def close(self) -> None:
        """Close the day. At a live-dealer table, accounting also closes it. The last drop box may be counted
        only after the end of the next day.
        """
        super().close()
        if not self.cage:
            self.drafts.append(draft("day-closed"))
        for closed in (fact for fact in self.drafts if fact["kind"] == "day-closed"):
            closed["by"] = self.rng.choice(ACCOUNTANTS)
            if self.waits:
                closed["reason"] = "a box of the day before is counted tomorrow"
        if self.cage and self.amiss.late:
            self.counted = next(fact for fact in reversed(self.drafts) if fact["kind"] == "drop-counted")
            self.counted["_at"] = self.instant(30) + timedelta(hours=28)

    @property
    def late(self) -> str:
        """Return the uid of the first fact that was recorded only after the end of the next day, or empty
        text.
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
        """Play a round, in which the dealer may make an error. If `dead` is true, play a correct round and
        void it.
        """
        if dead:
            play = self.table.play()
            self._void(play)
            self.table.keep(play)
        elif self.rng.random() < error_rate(self.dealer):
            mistake(self.table.game, self.dealer in GIVES, self.rng).act(self)
        else:
            self.honest()

    def _cage(self) -> None:
        """Do nothing. `Day` adds slips at random here, but in the month `_note` adds the planned slips."""

    def _slips(self, number: int, rounds: int) -> dict[int, list[str]]:
        """Return the letters of the slips to write after each round of this shift. All planned slips are
        spread over the three shifts.
        """
        if not self.cage:
            return {}
        rng = Random(f"{self.code}/{self.day}/slips")
        reserved = 1 if self.made_up is not None else 0
        letters = (
            "F" * (self.plan.fills - reserved)
            + "C" * (self.plan.credits - reserved)
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
        """Update the dealer, the players' chips and the tray from the drafts that begin at index `since`.
        Then draft the slips whose letters are in `letters`.
        """
        played = self.drafts[since:]
        self.dealer = next(
            (fact["dealer"] for fact in reversed(played) if fact["kind"] == "dealer-seated"), self.dealer
        )
        if not self.cage:
            return
        # An opener moves nothing: it counts chips that are already included.
        self.cage.holds += tray(fact for fact in played if fact["kind"] != "opener-counted")
        bought = [self.cage.buys(*purchase) for purchase in self.purses.buys(played)]
        for letter in letters or []:
            if letter == "M":
                bought += self.cage.on_credit(str(self.rng.randint(1, 6)))
            elif letter == "B":
                bought.append(self.cage.buys("1", 50_000, "cash"))
            else:
                self.drafts.append(self.cage.voided_fill() if letter == "V" else self.cage.moves(letter))
        if bought:
            if "_at" in self.drafts[since]:
                bought[0]["_at"] = self.drafts[since].pop("_at")
            self.drafts[since:since] = bought

    def _make_up(self, amount: int) -> None:
        """Add a last fill and a last credit, which bring the tray to this amount."""
        assert self.cage
        off = amount - tray(self.drafts)
        self.drafts.append(self.cage.moved("F", max(off, 0) + 200_000))
        self.drafts.append(self.cage.moved("C", max(-off, 0) + 200_000))


@cache
def listed(game: str, begins: str, ends: tuple[str, ...] = ("",)) -> list[Plant]:
    """Return the game's faults whose names begin with `begins` and end with one of `ends`. Leave out faults
    that need an opening, a cage or settings of their own.
    """
    plants = [
        plant for plant in FAULTS[game].values() if not (plant.opening or plant.house or plant.settings)
    ]
    return [plant for plant in plants if plant.name.startswith(begins) and plant.name.endswith(ends)]


def mistake(game: str, gives: bool, rng: Random) -> Plant:
    """Choose an error that is possible at this game. If `gives` is true, choose only among errors in favor of
    the players.
    """
    if gives:
        return rng.choice(listed(game, "wrong-settlement:", TO_PLAYERS))
    available = {name: weight for name, weight in MISTAKES.items() if listed(game, name)}
    (name,) = rng.choices(list(available), list(available.values()))
    return rng.choice(listed(game, name))

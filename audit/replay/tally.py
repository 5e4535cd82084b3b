"""Count each amount of a stream in a row of its tally. Play is counted by shift, hour, dealer, wager and pay
table, and cage facts are counted by kind.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from audit import facts as f
from audit.replay.boxes import Boxes
from audit.replay.marker_chips import OnMarkers
from audit.replay.recounts import Recounts
from audit.replay.results import Cage, CageKey, Play, Tally, Tray, Voided, plain
from audit.replay.slips import Slip
from audit.replay.voids import came_late
from games.kit import events as e
from games.kit.amounts import Exact
from games.kit.events import Event, kind_of
from games.kit.line import Line
from games.kit.round import Key, Round
from games.kit.table import Table

VOIDED = {"fill-sent": "fill-voided", "credit-sent": "credit-voided", "marker-issued": "marker-voided"}
"""{kind of slip: kind of cage row in which the amount of voided slips is counted}."""
SPOILT = "slip-voided"
"""The kind of the tally row in which a voided number without a slip is counted. The paper of the slip was
spoilt or lost.
"""


class Tallying:
    """Add facts to a stream's tally. Rows are looked up once for each round, not for each fact."""

    def __init__(
        self, tally: Tally, slips: dict[str, Slip], boxes: Boxes, recounts: Recounts, on_markers: OnMarkers
    ) -> None:
        """Prepare to add facts to this tally.

        Args:
            recounts: counts without a recount, and recounts without a count.
            on_markers: chips that return to the tray if their marker is voided.
        """
        self.tally, self.slips, self.boxes, self.recounts, self.on_markers = (
            tally,
            slips,
            boxes,
            recounts,
            on_markers,
        )
        self.under: dict[str, list[Slip]] = defaultdict(list)
        """For each serial: its slips, one for each kind and currency."""
        for name, slip in slips.items():
            self.under[serial_of(name)].append(slip)

    def rows(
        self,
        opened: e.TableOpened | None,
        event: Event,
        dealer: str,
        opening: int,
        shift: str | None = None,
    ) -> Callable[[str, str], Play]:
        """Return a function that finds the tally row of a wager and a price class (the condition on which the
        odds of the wager depend, or an empty text). A missing row is created.

        Args:
            event: the fact that opened the round, or a fact that moved money outside a round.
            opening: the ordinal of the table's opening, from 1.
            shift: the shift of the fact. If it is None, it is computed from the time of the fact.
        """
        currency, pay_tables = (opened.currency, opened.pay_tables) if opened is not None else ("", {})
        shift = shift_of(opened, event.at) if shift is None else shift
        hour, rows = hour_of(event.at), self.tally.play

        def row(wager: str, price_class: str) -> Play:
            key = (currency, shift, hour, dealer, wager, pay_tables.get(wager, ""), price_class, opening)
            play = rows.get(key)
            if play is None:
                play = rows[key] = Play()
            return play

        return row

    def play(self, opened: e.TableOpened | None, event: Event) -> None:
        """Record the shift in which a round was opened or chips were bought, because cash may have been
        dropped in it.
        """
        self.boxes.play(shift_of(opened, event.at))

    def voided(
        self,
        opened: e.TableOpened | None,
        round: Round,
        number: int,
        dealer: str,
        settled: Mapping[Key, tuple[Exact | None, int]],
    ) -> None:
        """Store each wager of a voided round with the amount that was owed on it when the round was voided.
        For a round that was cancelled after its close, store the amount that was owed at the close.

        Args:
            number: the number of the round's first fact.
            settled: for each wager, the amount owed on it at the end of the round, and the amount moved.
        """
        worth = round.worth if round.voided is not None else {key: owed for key, (owed, _) in settled.items()}
        place = (shift_of(opened, round.opened.at), hour_of(round.opened.at), dealer, round.table.currency)
        for key in dict.fromkeys((*round.lines, *worth)):
            line, owed = round.lines.get(key), worth.get(key)
            stake = line.stake if line is not None else 0
            if stake or owed:
                refunded = line.refunded if line is not None else 0
                self.tally.voids.append(
                    Voided(number, round.name, *place, *key, stake, refunded, plain(owed))
                )

    def player(self, currency: str, line: Line, line_count: int) -> None:
        """Add a wager of a round to the sums of the player who placed it."""
        row = self.player_row(currency, line.player or "", line.wager)
        row.rounds += 1
        row.add(line, line_count)

    def player_row(self, currency: str, player: str, wager: str) -> Play:
        """Return the row of a player's sums on one wager."""
        key, rows = (currency, player, wager), self.tally.players
        row = rows.get(key)
        if row is None:
            row = rows[key] = Play()
        return row

    def cage(self, event: Event, table: Table | None) -> None:
        """Add a fact of the cage or the count room to the tally."""
        if isinstance(event, f.SlipVoided):
            self.void(event, table)
            self.take_back(event, table)
            return
        if isinstance(event, f.OpenerCounted | f.CloserCounted):
            self.count(event, table)
            return
        if isinstance(event, f.FillSent | f.CreditSent | f.MarkerIssued | f.MarkerPaid):
            self.send(event, table)
        elif isinstance(event, f.BoxPulled):
            self.boxes.pull(event.box, event.shift, currency_of(table))
        elif isinstance(event, f.DropCounted):
            self.boxes.count(event.box, event.shift, currency_of(table))
        elif isinstance(event, f.ChipsBought):
            self.play(table.opened if table is not None else None, event)
        shift = self.shift(event, table)
        self.add_cage(
            (self.currency(event, shift, table), shift, kind_of(event)), getattr(event, "amount", 0)
        )
        if isinstance(event, f.MarkerIssued | f.ChipsBought):
            if isinstance(event, f.ChipsBought) and event.tender == "marker":
                self.on_markers.buy(currency_of(table), event.amount)
            self.take_back(event, table)

    def take_back(self, event: Event, table: Table | None) -> None:
        """Subtract the chips of a voided marker from the chips bought. Called when the marker becomes
        void.
        """
        for currency in list(self.on_markers.bought):
            if back := self.on_markers.newly_back(self.slips.values(), currency):
                self.tally.cage.setdefault(
                    (currency, self.shift(event, table), "chips-bought"), Cage()
                ).amount -= back

    def send(
        self, event: f.FillSent | f.CreditSent | f.MarkerIssued | f.MarkerPaid, table: Table | None
    ) -> None:
        """Add the amount of a slip. If the slip was voided before it was recorded (`audit.replay.voids`),
        also count the amount as voided.
        """
        slip, kind = self.slip(event, table), kind_of(event)
        slip.amount += event.amount
        slip.number += 1
        if kind in VOIDED and any(came_late(event.at, known.voided_at) for known in self.under[event.slip]):
            slip.voided += event.amount
            self.add_cage((slip.currency, self.shift(event, table), VOIDED[kind]), event.amount)
        slip.stands = slip.standing > 0

    def void(self, event: f.SlipVoided, table: Table | None) -> None:
        """Mark the slips with this serial as void, and count the amount of each under the kind in VOIDED. If
        no slip has the serial, store the voided serial without an amount.
        """
        known = [slip for slip in self.under[event.slip] if slip.kind in VOIDED]
        for slip in known:
            if slip.stands:
                self.add_cage((slip.currency, self.shift(event, table), VOIDED[slip.kind]), slip.standing)
                slip.stands, slip.voided = False, slip.amount
        if not known:
            known = [
                next((slip for slip in self.under[event.slip] if slip.kind == SPOILT), None)
                or self.slip(event, table)
            ]
            known[0].number += 1
        for slip in known:
            slip.voided_at = max(slip.voided_at or event.at, event.at)

    def count(self, event: f.OpenerCounted | f.CloserCounted, table: Table | None) -> None:
        """Add a counted tray. If it was counted again, the last count replaces the previous one."""
        kind, currency, shift = kind_of(event), currency_of(table), self.shift(event, table)
        if isinstance(event, f.OpenerCounted):
            self.boxes.open(shift)
        tray, trays = (kind, currency, shift, event.amount), self.tally.trays
        if counted_again(trays, tray):
            self.tally.cage[currency, shift, kind].amount += event.amount - trays[-1][3]
            trays[-1] = tray
        else:
            self.add_cage((currency, shift, kind), event.amount)
            trays.append(tray)

    def slip(
        self,
        event: f.FillSent | f.CreditSent | f.MarkerIssued | f.MarkerPaid | f.SlipVoided,
        table: Table | None,
    ) -> Slip:
        """Return the slip with the serial and the kind of a fact, in the currency of the table. Create the
        slip if it does not exist.
        """
        kind, currency = kind_of(event), currency_of(table)
        name = f"{kind} {currency}\0{event.slip}"
        slip = self.slips.get(name)
        if slip is None:
            slip = self.slips[name] = Slip(
                kind, 0, not isinstance(event, f.SlipVoided), currency, self.shift(event, table)
            )
            self.under[event.slip].append(slip)
        return slip

    def add_cage(self, key: CageKey, amount: int) -> None:
        """Count one fact and its amount under this key."""
        row = self.tally.cage.setdefault(key, Cage())
        row.number += 1
        row.amount += amount

    def currency(self, event: Event, shift: str, table: Table | None) -> str:
        """Return the currency in which a fact is counted. For a box and its counts, this is the currency in
        which the box was pulled, even if the table has changed its currency since. For any other fact, it is
        the table's currency.
        """
        if isinstance(event, f.BoxPulled | f.DropCounted | f.CountVerified):
            return self.boxes.currencies.get((event.box, shift), currency_of(table))
        return currency_of(table)

    def shift(self, event: Event, table: Table | None) -> str:
        """Return the shift of a fact. A box, its drop and both counts belong to the shift in which the box
        was pulled; any other fact belongs to the shift of its clock.
        """
        if isinstance(event, f.BoxPulled | f.DropCounted):
            if isinstance(event, f.DropCounted):
                self.recounts.other(event)
            return event.shift
        if isinstance(event, f.CountVerified):
            of = self.recounts.other(event)
            known = (event.shift, of.shift if of is not None else None, self.boxes.shifts.get(event.box))
            if (shift := next((shift for shift in known if shift is not None), None)) is not None:
                return shift
        return shift_of(table.opened if table is not None else None, event.at)


def serial_of(name: str) -> str:
    """Return the serial in a slip's key, which is the part after a NUL. No recorded text contains a NUL."""
    return name.rpartition("\0")[2]


def currency_of(table: Table | None) -> str:
    """Return the currency in which the table is open, or an empty text if it was never opened."""
    return table.currency if table is not None else ""


def counted_again(trays: Sequence[Tray], tray: Tray) -> bool:
    """Return True if a tray is counted once more: an opener after an opener, or a closer after a closer, of
    one currency and shift.
    """
    return bool(trays) and trays[-1][:3] == tray[:3]


def shift_of(opened: e.TableOpened | None, at: datetime) -> str:
    """Return the shift of an instant. An instant before the first shift begins belongs to the first shift.

    A table without shifts has one shift with an empty name.
    """
    return "" if opened is None or not opened.shifts else shift_at(opened.shifts, at)


def shift_at(shifts: Mapping[str, datetime], at: datetime) -> str:
    """Return the shift of an instant, given when each shift begins. Return an empty text if there are no
    shifts.
    """
    ordered = sorted((begins, name) for name, begins in shifts.items())
    return next(
        (name for begins, name in reversed(ordered) if begins <= at), ordered[0][1] if ordered else ""
    )


def hour_of(at: datetime) -> str:
    """Return the hour of an instant by the table's clock, with its offset: `2026-11-27T12-08:00`. If a clock
    change repeats an hour, the two hours differ in the offset.
    """
    return at.isoformat(timespec="hours")

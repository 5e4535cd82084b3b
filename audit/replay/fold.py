"""The table fold: one pass over a stream yields its findings and its tally.

Pure: no database, no clock. It reads one table's gaming day from its start, or continues from a state between
two rounds. For the same facts and rules the result is always the same. Every list of facts has a result and
does not raise an exception.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct

from audit import facts as f
from audit.replay import interruptions
from audit.replay.checks import STREAM_CHECKS, Seen, StreamCheck
from audit.replay.ended_rounds import EndedRound, added_to, ended_round
from audit.replay.fold_state import SourceSeen, State, read_state, write_state
from audit.replay.hold_attribution import Dividing
from audit.replay.interruptions import BY_PEOPLE
from audit.replay.learned import Learned
from audit.replay.results import Finding, Play, Tally, count
from audit.replay.results import in_order as in_order
from audit.replay.stream_answer import StreamAnswer
from audit.replay.tally import currency_of, shift_of
from games import GAMES
from games.kit import citations as c
from games.kit import events as e
from games.kit.amounts import Exact
from games.kit.events import Event, kind_of
from games.kit.line import Line
from games.kit.round import Round
from games.kit.shoe import Shoe
from games.kit.table import ROUND_KINDS, Table


class NeedsWholeDay(Exception):
    """Raised if a correction names a round from before the stored state. The stream must then be folded from
    its start.
    """


class Fold(StreamAnswer):
    """The fold of one stream. `findings` and `tally` are its result. `rested` is the number of the last fact
    that was recorded between two rounds.
    """

    def __init__(
        self, stream: str, saved: bytes | None = None, learned: Iterable[Event] | None = None
    ) -> None:
        """Start reading a stream.

        Args:
            saved: a state that `keep` returned between two rounds. Without it, the stream is read from its
                start.
            learned: the corrected readings and cancelled rounds of the whole stream. All facts are judged
                with them.
        """
        super().__init__(stream, read_state(saved) if saved is not None else State())
        self.learned = Learned(learned or ())
        if learned is not None and self.state.learned != self.learned.uids:
            if saved is not None:
                raise NeedsWholeDay(stream)
            self.state.learned = self.learned.uids
        self.rested = self.number
        self.sources = self.state.sources
        self.checks = [check(self.state.checks.get(check.name)) for check in STREAM_CHECKS]
        self.names = set(self.state.names)
        self.checks_of: dict[type[Event], list[StreamCheck]] = {}
        for check in self.checks:
            for kind in check.kinds:
                self.checks_of.setdefault(kind, []).append(check)
        self.acts = self._acts()
        self.play_alone = ROUND_KINDS.difference(self.checks_of, self.acts)
        """The kinds of fact about play that only the table handles: no check reads them, and no method of the
        fold handles them. These are all kinds of play except a few rare ones.
        """
        self.cage_kinds = frozenset(f.AT_THE_CAGE)
        self.dividing: Dividing | None = None
        self.rounds: list[EndedRound] | None = None
        """The rounds that ended since the start of this reading, or None if the caller does not need them."""
        if self.state.opened is not None:
            self.table = self.make_table(self.state.opened, self.state.shoe)
            self.found.clear()

    def _acts(self) -> dict[type[Event], Callable[[Event], None]]:
        """Return {kind of fact: method of the fold that handles it}. It has no kinds that only the table
        handles.
        """
        return {
            e.TableOpened: self.open_table,
            e.TableClosed: self.close_table,
            e.RoundOpened: self.open_round,
            e.Shuffled: self.shuffle,
            e.CutCardShown: self.show_cut_card,
            e.DealerSeated: self.seat,
            e.Corrected: self.correct,
            f.DayClosed: self.close_day,
            e.ReadCorrected: self.correct_reading,
            e.RoundCancelled: self.cancel_round,
            **dict.fromkeys(interruptions.KINDS, self.interrupt),
        }

    def keep(self) -> bytes | None:
        """Return the state between two rounds, from which a later reading can continue.

        Return None if a sum exceeds 64 bits, which happens only with absurd amounts. In this case the stream
        is read from its start each time.
        """
        assert not self.in_round, "a state can be stored only between two rounds"
        state = self.state
        state.number = self.number
        if self.table is not None:
            state.shoe = self.table.shoe
        state.names = sorted(self.names)
        try:
            state.checks = {check.name: check.keep() for check in self.checks}
            return write_state(state)
        except OverflowError:
            return None

    # -- reading -----------------------------------------------------------------------------------

    def take(self, number: int, event: Event) -> None:
        """Read the next fact of the stream."""
        self.number = number
        if self.learned.readings:
            event = self.learned.read(event)
        if self.in_round:
            self.trail.append(event)
        kind, source, at, n = type(event), event.source, event.at, event.n
        last_seen = self.sources.get(source)
        if last_seen is None:
            last_seen = self.sources[source] = SourceSeen()
        elif at < last_seen.at:  # type: ignore[operator]
            says = f"{source} gives {at.isoformat()}, {last_seen.at - at} before its previous fact."  # type: ignore[operator]
            self.find("clock-backwards", event, says)
        last_seen.at = at
        if n is not None and n > last_seen.n and (kind not in BY_PEOPLE or self.reports(event)):
            if n != last_seen.n + 1:
                missing = n - last_seen.n - 1
                lost = f"{missing} fact{' is' if missing == 1 else 's are'} missing"
                self.find("feed-gap", event, f"{source} counts {n} after {last_seen.n}: {lost}.")
                if self.table is not None:
                    self.table.shoe.unseen = True
            last_seen.n = n
        if event.contradicts:
            self.contradicted(event, event.contradicts)
        if kind in self.play_alone:
            if self.table is not None:
                self.table.play(event)
        else:
            self.fold_other(kind, event)
        if self.found:
            self.gather(event)
        if not self.in_round:
            self.rested = number

    def reports(self, event: Event) -> bool:
        """Return True if the table's equipment reports facts of this kind."""
        return self.table is not None and kind_of(event) in self.table.sees

    def fold_other(self, kind: type[Event], event: Event) -> None:
        """Handle a fact of the table, the cage or the count room that is not play. Also handle a fact of play
        that a check judges.
        """
        if kind in ROUND_KINDS and self.table is not None:
            self.table.play(event)
        act = self.acts.get(kind)
        if act is not None:
            act(event)
        if kind in self.cage_kinds:
            self.tallying.cage(event, self.table)
        for check in self.checks_of.get(kind, ()):
            self.found.extend(check.see(event, self.seen()))

    def seen(self) -> Seen:
        """Return the data that a check gets in addition to the fact."""
        table, state = self.table, self.state
        sees, has_tray = (
            (table.sees, not table.game.live_dealer) if table is not None else (frozenset[str](), True)
        )
        return Seen(
            self.tray(), state.slips, currency_of(table), sees, state.tray, state.tally, state.began, has_tray
        )

    # -- table and rounds --------------------------------------------------------------------------

    def make_table(self, opened: e.TableOpened, shoe: Shoe | None) -> Table | None:
        """Return the table with these settings. Return None if this release does not have the game."""
        game = GAMES.get(opened.game)
        if game is None:
            return None
        table = Table(game, opened, shoe, self.found, self)
        table.names, table.book, table.lost = self.names, self.book, self.state.lost
        self.dividing = Dividing(table)
        return table

    def open_table(self, event: Event) -> None:
        """Apply the settings with which the table is opened, either for the first time or again between
        rounds.

        The shoe is new unless the opening continues the previous one.
        """
        assert isinstance(event, e.TableOpened)
        before = self.table
        if before is not None:
            before.leave_open(event)
        goes_on = (
            event.continues
            and before is not None
            and before.opened.game == event.game
            and before.opened.decks == event.decks
        )
        self.state.opened, self.state.open = event, True
        self.state.boxes.begun.update(event.shifts or {})
        self.table = self.make_table(event, before.shoe if before is not None and goes_on else None)
        if self.table is not None:
            self.table.shoe.begin(before.shoe if before is not None else None, event.continues)
        self.state.settings.append(
            (self.number, event.game, list(event.sees), event.edition, event.decks, dict(event.readings))
        )

    def close_table(self, event: Event) -> None:
        if self.table is not None:
            self.table.leave_open(event)
        self.state.open, self.state.paused = False, ""

    def close_day(self, event: Event) -> None:
        if self.table is not None:
            self.table.leave_open(event)
            for name in self.state.cancelled:
                self.table.not_brought_back(name, event)

    def open_round(self, event: Event) -> None:
        table = self.table
        if table is None:
            return
        self.found.extend(interruptions.not_over(self.state, table.sees, event))
        table.leave_open(event)
        if not self.state.open:
            says = "A round was opened at a table that is closed."
            table.find("out-of-order", event, says, cite=c.reference("table-closed"))
        if table.currency not in self.state.began:
            self.state.began[table.currency] = event.at.isoformat()
        table.open_round(event, self.number)

    def begin_round(self, round: Round, event: Event) -> None:
        """Mark a round as open, and collect its facts in `trail` from this fact on."""
        self.in_round = True
        self.trail, self.trail_start = round.trail, self.number
        self.trail.append(event)

    def shuffle(self, event: Event) -> None:
        if self.table is not None:
            self.table.shuffle(event)  # type: ignore[arg-type]  # the kind is the key by which it was called

    def show_cut_card(self, event: Event) -> None:
        if self.table is not None:
            self.table.show_cut_card(event)  # type: ignore[arg-type]  # as above

    def seat(self, event: Event) -> None:
        assert isinstance(event, e.DealerSeated)
        self.state.dealer, self.state.supervisor = event.dealer, event.supervisor

    def correct(self, event: Event) -> None:
        table = self.table
        if table is None or not isinstance(event, e.Corrected):
            return
        table.correct(event)
        currency = self.played_in.get(event.round, table.currency)
        self.bring(currency, -event.amount)
        self.tallying.add_cage((currency, self.tallying.shift(event, table), "corrected"), event.amount)

    def correct_reading(self, event: Event) -> None:
        """Apply the correction of a card or roll that was read wrongly. Report a notice with both values, and
        a finding if the correction was not made during a pause of its round.
        """
        if isinstance(event, e.ReadCorrected) and self.table is not None:
            self.table.read_again(event, self.learned.misread.get(event.of))

    def cancel_round(self, event: Event) -> None:
        assert isinstance(event, e.RoundCancelled)
        if self.table is not None:
            if self.table.round is not None and self.table.round.name == event.round:
                self.learned.cancelled_too_soon(event.round)
            if self.table.cancel(event):
                self.state.cancelled.append(event.round)

    def recall(self, round: str) -> None:
        """Raise NeedsWholeDay for a round that was over before the stored state. The state does not contain
        the amounts owed on its wagers.
        """
        raise NeedsWholeDay(round)

    def interrupt(self, event: Event) -> None:
        interruptions.note(self.state, event, in_round=self.in_round)

    def end_round(self, round: Round, event: Event) -> None:
        """End a round: add its wagers and its findings to the tally."""
        self.gather(event)
        self.in_round = False
        opened, shift = self.state.opened, shift_of(self.state.opened, round.opened.at)
        row_of = self.tallying.rows(opened, round.opened, self.state.dealer, len(self.state.settings), shift)
        self.tallying.boxes.play(shift)
        head = row_of("", "")
        head.rounds += 1
        settled, divide, to_tray = self.book[round.name].lines, self.divide, 0
        void = int(round.voided is not None or self.learned.cancels(round))
        head.voided += void
        if void:
            self.tallying.voided(self.state.opened, round, self.trail_start, self.state.dealer, settled)
        rows: dict[str, Play] = {}
        before: list[tuple[Play, tuple[int, int, int, int, int]]] = []
        unsettled = len([line for line in round.lines.values() if line.stake + line.pulled != line.refunded])
        for key, line in round.lines.items():
            row = rows.get(line.wager)
            if row is None:
                row = rows[line.wager] = row_of(line.wager, round.price_class(line.wager))
                before.append((row, row.sums()))
                row.rounds += 1
                row.voided += void
            row.add(line, unsettled)
            divide(row, round, line, settled[key][0])
            to_tray += line.to_tray
            if line.player is not None:
                self.tallying.player(round.table.currency, line, unsettled)
        self.bring(round.table.currency, to_tray)
        self.played_in[round.name] = round.table.currency
        count(self.of_round, rows, head, void=round.voided is not None)
        self.of_round.clear()
        if self.rounds is not None:
            sums = added_to(before)
            start, state = self.trail_start, self.state
            self.rounds.append(ended_round(round, event, start, state, shift, settled, sums, bool(void)))

    def divide(self, row: Play, round: Round, line: Line, owed: Exact | None) -> None:
        """Attribute the amount owed on a wager, and the cost of the player's decision, to the causes of the
        hold.
        """
        assert self.dividing is not None, "a round can end only at a table"
        self.dividing.add(row, round, line, owed)


class Outcome(Struct):
    """The result of folding a whole stream."""

    findings: list[Finding]
    tally: Tally


def replay(facts: Iterable[Event], stream: str = "") -> Outcome:
    """Fold a stream's facts in order, numbered from 1, and return the result.

    `stream` defaults to the stream that the first fact names.
    """
    fold: Fold | None = None
    facts = list(facts)
    learned = [event for event in facts if isinstance(event, e.ReadCorrected | e.RoundCancelled)]
    for number, event in enumerate(facts, 1):
        fold = fold or Fold(stream or f"{event.table}/{event.day.isoformat()}", learned=learned)
        fold.take(number, event)
    if fold is None:
        return Outcome([], Tally())
    return Outcome(in_order(fold.findings.values()), fold.tally)

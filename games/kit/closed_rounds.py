"""Money that moves outside the open round: corrections of closed rounds, and payments that name a round that
is not open.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

from games.kit import citations
from games.kit import events as e
from games.kit.amounts import size
from games.kit.betting import Key
from games.kit.breach import Breach
from games.kit.events import Event
from games.kit.game import Game
from games.kit.money import moves_of
from games.kit.phrases import capital, clause
from games.kit.round import Round
from games.kit.rules import RuleHit
from games.kit.settlement import Settlement, SettlementJudge, slip_of
from games.kit.signatures import not_by_two


class ClosedRound(NamedTuple):
    """A closed round: the amount owed and the amount that moved on each wager, whether the round was void,
    and its players if they are known.
    """

    lines: dict[Key, Settlement]
    players: dict[Key, str]
    void: bool


class StreamListener(Protocol):
    """The methods that a table calls when a round begins or ends, and when money moves outside a round."""

    def begin_round(self, round: Round, event: Event) -> None:
        """Handle the beginning of a round, caused by this fact."""

    def end_round(self, round: Round, event: Event) -> None:
        """Handle the end of a round, caused by this fact. All breaches of the round have been recorded."""

    def recall(self, round: str) -> None:
        """Load the amount owed and the amount that moved on each wager of this closed round. Raise an error
        if this data is no longer available.
        """

    def moved_outside(self, event: Event, spot: str, wager: str, signed: int, player: str | None) -> None:
        """Handle money that moved to the player (positive) or from the player (negative) while its round was
        not open.
        """


class ClosedRounds(SettlementJudge):
    """A table with its closed rounds. It judges facts that name a round which is already closed."""

    __slots__ = ("book", "early_corrections", "listener", "names", "round")

    def __init__(
        self, game: Game, opened: e.TableOpened, breaches: list[Breach], listener: StreamListener
    ) -> None:
        super().__init__(game, opened, breaches)
        self.listener = listener
        self.round: Round | None = None
        self.names: set[str] = set()
        self.book: dict[str, ClosedRound] = {}
        self.early_corrections: list[e.Corrected] = []
        """Corrections that name the round that is still open. They are judged when it is closed."""

    def enter(self, round: Round) -> None:
        """Store a round that is over. For each wager, store the amount owed and the amount that moved."""
        players = (
            {key: line.player for key, line in round.lines.items() if line.player is not None}
            if round.seats
            else {}
        )
        lines = {key: self.settlement(round, line) for key, line in round.lines.items()}
        closed = self.book[round.name] = ClosedRound(lines, players, round.voided is not None)
        for event in self.early_corrections:
            self.judge_correction(event, closed)
        self.early_corrections.clear()

    # -- facts that name a round that is not open ----------------------------------------------------

    def misplaced(self, event: Event) -> None:
        """Report a fact that does not name the open round. If it moved money, judge the amount and count it
        in the tray.
        """
        open_is = f"the open round is {self.round.name}" if self.round else "no round is open"
        names = f"names the round {event.round}" if event.round is not None else "names no round"
        moves = moves_of(event)
        counts_rounds = event.round is not None or "round-opened" in self.sees
        """False if the table does not report rounds. Then its facts do not name a round."""
        if not moves:
            if counts_rounds:
                says = f"{capital(clause(event, self.say))}; the fact {names}, and {open_is}."
                self.find("out-of-order", event, says, cite=citations.ENVELOPE)
            return
        closed = self.closed(event.round)
        statement = "returned on" if isinstance(event, e.Return) else "paid on"
        for spot, wager, signed in moves:
            way = statement if signed > 0 else "taken from"
            move = f"{self.say(abs(signed))} was {way} {wager} of spot {spot}"
            judged = self.judge_late(event, closed, spot, wager, signed, capital(move))
            says = f"{capital(move)}; the fact {names}, and {open_is}."
            moved = None if judged else signed
            if counts_rounds:
                self.find(
                    "out-of-order", event, says, cite=citations.ENVELOPE, spot=spot, wager=wager, moved=moved
                )
            self.listener.moved_outside(
                event, spot, wager, signed, closed.players.get((spot, wager)) if closed else None
            )

    def closed(self, name: str | None) -> ClosedRound | None:
        """Return the closed round of this name; None if no closed round has it."""
        if name is None or name not in self.names or (self.round is not None and name == self.round.name):
            return None
        if name not in self.book:
            self.listener.recall(name)
        return self.book.get(name)

    def judge_late(
        self, event: Event, closed: ClosedRound | None, spot: str, wager: str, signed: int, move: str
    ) -> bool:
        """Judge money that moved when its round was not open. Return True if a finding states the amount."""
        if closed is None or (spot, wager) not in closed.lines:
            says = f"{move}, where no bet lay."
            self.find(
                "no-such-bet", event, says, spot=spot, wager=wager, moved=signed, cite=citations.PAYOUT_RIGHT
            )
            return "no-such-bet" in self.always
        owed, before = closed.lines[spot, wager]
        total = before + signed
        closed.lines[spot, wager] = owed, total
        if owed is None or owed == total:
            return False
        code = (
            "void-not-returned"
            if closed.void
            else "settled-twice"
            if owed and before == owed
            else "wrong-settlement"
        )
        slip = slip_of(owed, total) if code == "wrong-settlement" else None
        says = (
            f"{move} after the round {event.round} had been closed: {self.signed(owed)} was owed,"
            f" {self.signed(before)} had moved; now {self.signed(total)} has moved."
        )
        self.find(code, event, says, spot=spot, wager=wager, owed=owed, moved=total, slip=slip)
        return code in self.always

    # -- rounds that are cancelled --------------------------------------------------------------------

    def cancel(self, event: e.RoundCancelled) -> bool:
        """Cancel a round after it was closed. From then on nothing is owed on any of its wagers.

        Return True if the round is cancelled by this fact. A round that was void before stays as it is.
        """
        cite = citations.reference("round-cancelled")
        subject = f"The round {event.round} was cancelled"
        if self.round is not None:
            self.find(
                "out-of-order", event, f"{subject} while the round {self.round.name} was open.", cite=cite
            )
        closed = self.closed(event.round)
        if closed is None:
            self.find(
                "out-of-order",
                event,
                f"{subject}, and no round of this name has been closed at this table.",
                cite=cite,
            )
        elif closed.void:
            self.find("out-of-order", event, f"{subject}, and it was void already.", cite=cite)
        else:
            lines: dict[Key, Settlement] = {key: (0, moved) for key, (_, moved) in closed.lines.items()}
            self.book[event.round] = ClosedRound(lines, closed.players, void=True)
            return True
        return False

    def not_brought_back(self, name: str, event: Event) -> None:
        """Report each wager of a cancelled round whose money has not come back when the day is closed."""
        closed = self.closed(name)
        cite = self.game.always["void-not-returned"].cite
        for (spot, wager), (_, moved) in closed.lines.items() if closed is not None else ():
            if moved:
                way = (
                    f"{self.say(moved)} is still with the player"
                    if moved > 0
                    else f"{self.say(-moved)} is still with the casino"
                )
                says = (
                    f"The round {name} was cancelled: nothing is owed on {wager} of spot {spot}, and {way}."
                )
                self.record(
                    "void-not-returned", cite, event, RuleHit(says, event, spot, wager, 0, moved), round=name
                )

    # -- corrections ---------------------------------------------------------------------------------

    def correct(self, event: e.Corrected) -> None:
        """Judge a later correction of a settlement. The finding about the settlement remains, even if the
        correction is right.
        """
        if signer := not_by_two(event.by, event.second):
            self.find(
                "corrected-unsigned",
                event,
                f"The correction is signed by {signer} alone; a second person signs it too.",
            )
        open_round, cite = self.round, citations.reference("corrected")
        subject = (
            f"The correction of {self.signed(event.amount)} on {event.wager} of spot {event.spot}, round"
            f" {event.round},"
        )
        if open_round is not None:
            self.find(
                "out-of-order",
                event,
                f"{subject} was recorded while the round {open_round.name} was open.",
                cite=cite,
            )
            if event.round == open_round.name:
                self.early_corrections.append(event)
                return
        closed = self.closed(event.round)
        if closed is not None:
            self.judge_correction(event, closed)
            return
        if open_round is None and "round-opened" in self.sees:
            self.find(
                "out-of-order",
                event,
                f"{subject} names a round that has not been closed at this table.",
                cite=cite,
            )
        self.find(
            "no-such-bet",
            event,
            f"{subject} was made where no bet lay.",
            moved=event.amount,
            cite=citations.PAYOUT_RIGHT,
        )

    def judge_correction(self, event: e.Corrected, closed: ClosedRound) -> None:
        """Report a correction that increased the difference between the moved and the owed amount, or changed
        the sign of this difference.
        """
        owed, before = closed.lines.get((event.spot, event.wager), (0, 0))
        total = before + event.amount
        closed.lines[event.spot, event.wager] = owed, total
        if owed is None:
            return
        difference_before, difference = before - owed, total - owed
        overshoots = difference_before > 0 > difference or difference_before < 0 < difference
        if size(difference) > size(difference_before) or overshoots:
            result = "beyond what was owed" if overshoots else "further from what was owed"
            says = (
                f"Round {event.round}, spot {event.spot}, {event.wager}: {self.signed(owed)} was owed,"
                f" {self.signed(before)} had moved; after the correction {self.signed(total)} has moved,"
                " which is"
                f" {result}."
            )
            self.find("corrected-beyond-owed", event, says, owed=owed, moved=total)

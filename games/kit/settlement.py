"""Settlement: the amount owed to each spot on each wager, compared with the amount that moved."""

from __future__ import annotations

from games.kit import events as e
from games.kit.amounts import Exact, size
from games.kit.breach import Breach
from games.kit.breach_recorder import BreachRecorder
from games.kit.diagnosis import likeliest_cause
from games.kit.events import Event
from games.kit.game import Game
from games.kit.line import Line
from games.kit.odds import Odds, rounded
from games.kit.round import Round
from games.kit.rules import RuleHit

Settlement = tuple[Exact | None, int]
"""The amount that a line was owed (None if it cannot be judged), and the total amount that moved on it."""


class SettlementJudge(BreachRecorder):
    """The table settings on which payments depend, and the judgment of each spot and wager."""

    __slots__ = ("answers", "chip", "edition", "game", "opened", "rounding")

    def __init__(self, game: Game, opened: e.TableOpened, breaches: list[Breach]) -> None:
        super().__init__(game, opened, breaches)
        self.game, self.opened, self.chip = game, opened, opened.chip
        self.edition = game.editions.get(opened.edition)
        self.answers = {question: game.answer(question, opened.readings) for question in game.options}
        """The property's value of each option of the game."""
        self.rounding = self.answers["rounding"]

    def price(self, round: Round, line: Line) -> None:
        """Compute the amount owed to a spot on a wager, by the game's settlement function and the table's
        rounding. Store it on the line.
        """
        if not line.offered:
            line.owed, line.why = 0, "Nothing is owed on a wager that is not offered."
            line.cite = self.game.always["no-such-wager"].cite
            return
        if "bet" not in self.sees or "wrong-settlement" not in self.always:
            return
        odds = self.game.settlements[line.wager](round, line)
        if odds is not None:
            at_risk = line.at_risk
            line.owed = owed = odds.owed(at_risk)
            if self.rounding != "exact":
                line.owed = rounded(owed, at_risk, self.rounding, self.chip)
                if line.owed != owed:
                    line.rounding = owed - line.owed
            line.why, line.cite = odds.why, odds.cite

    def amount(self, odds: Odds, line: Line) -> Exact:
        """Return the amount that these odds owe on the stake, rounded once as the table's option `rounding`
        says.
        """
        owed = odds.owed(line.at_risk)
        return owed if self.rounding == "exact" else rounded(owed, line.at_risk, self.rounding, self.chip)

    def settles(self, owed: Exact) -> bool:
        """Return True if the table reports the kind of fact by which this amount would move."""
        if owed == 0:
            return "pay" in self.sees or "take" in self.sees
        return ("pay" if owed > 0 else "take") in self.sees

    def judges(self, owed: Exact, moved: int) -> bool:
        """Return True if the table reports enough to judge the difference between the owed and the moved
        amount. It must report the kind of fact that would move the owed amount, or the kind that could
        correct the moved amount.

        The moved amount is always recorded. If too much moved, chips may have been taken without a report. If
        too little moved, chips may have been paid without a report.
        """
        return self.settles(owed) or ("take" if moved > owed else "pay") in self.sees

    def settle(self, round: Round, line: Line, event: Event) -> None:
        """Judge one spot and wager: compare the amount that moved with the amount owed. If an amount is owed
        and nothing moved, this is reported too.
        """
        if not (line.stake or line.at_risk):
            return
        if not round.decided(line.spot, line.wager):
            self.leave_undecided(round, line, event)
            return
        line.judged = True
        owed, moved = line.owed if line.priced else round.owed(line), line.moved
        if owed is None or moved == owed or not self.judges(owed, moved):
            return
        head = f"Spot {line.spot}, {line.wager}: {self.signed(owed)} is owed on {self.say(line.at_risk)}"
        if line.touch is None:
            says = f"{head}, and nothing moved. {line.why}{round.evidence(line)}"
            self.find(
                "not-settled",
                event,
                says,
                spot=line.spot,
                wager=line.wager,
                owed=owed,
                moved=0,
                cite=line.cite,
            )
            return
        slip = slip_of(owed, moved)
        cause = self.cause(round, line, owed)
        explanation = f"{line.why}{round.evidence(line)}{cause}"
        says = (
            f"{head}, {self.signed(moved)} moved ({slip.replace('-', ' ')}, {self.say(size(moved - owed))})."
            f" {explanation}"
        )
        self.find(
            "wrong-settlement",
            line.touch,
            says,
            spot=line.spot,
            wager=line.wager,
            owed=owed,
            moved=moved,
            slip=slip,
            cite=line.cite,
        )

    def cause(self, round: Round, line: Line, owed: Exact) -> str:
        """Return the sentence with the most likely cause of a wrong settlement. It is empty if another
        finding explains the settlement.
        """
        if self.is_explained(round, line):
            return ""
        likely = self.game.likely_mistakes.get(line.wager)
        mistakes = likely(round, line) if likely is not None else ()
        return likeliest_cause(
            round, line, owed, ((mistake.says, self.amount(mistake.odds, line)) for mistake in mistakes)
        )

    def is_explained(self, round: Round, line: Line) -> bool:
        """Return True if another finding of the round, about this spot and wager or the whole table, explains
        why a wrong amount moved.
        """
        about_line = any(
            name == round.name and spot in ("", line.spot) and wager in ("", line.wager)
            for name, spot, wager in self.explaining
        )
        return about_line or round.explains(line)

    def leave_undecided(self, round: Round, line: Line, event: Event) -> None:
        """Judge a wager that was not decided when the round ended. Nothing is owed on it, so no money should
        have moved.

        At a table with a layout, a stake that did not move is still in front of its player. At a live-dealer
        table the studio holds it until it is returned.
        """
        if line.at_risk == 0 or round.outcome_unread() or not self.judges_undecided:
            return
        line.undecided, line.judged = True, False
        round.unresolved = round.unresolved or (line.offered and bool(line.stake or line.moved))
        lying = line.lying
        if self.game.live_dealer:
            line.kept = lying
        line.refunded = line.returned - line.beyond + lying - line.kept
        moved = line.moved + line.repeated - line.kept
        if moved == 0:
            return
        movement = self.left_over(line.kept, moved + line.kept, moved)
        says = f"{round.undecided_because()} Nothing is owed on {line.wager} of spot {line.spot}: {movement}."
        cite = self.game.always["void-not-returned"].cite
        self.record("void-not-returned", cite, event, RuleHit(says, event, line.spot, line.wager, 0, moved))

    def left_over(self, held_stake: int, paid: int, moved: int) -> str:
        """Return the clause that says what was not brought back on an undecided wager: the stake that the
        studio kept, the amount that was paid, or both.
        """
        if held_stake and paid > 0:
            return f"the stake of {self.say(held_stake)} was not returned, and {self.say(paid)} was paid"
        if moved > 0:
            return f"{self.say(moved)} was paid and not taken back"
        if held_stake == -moved:
            return f"the stake of {self.say(held_stake)} was not returned"
        return f"{self.say(-moved)} was taken and not returned"

    @property
    def judges_undecided(self) -> bool:
        """Return True if the table reports the facts that decide wagers and the stakes that are returned. At
        other tables a wager may have been decided without a report.
        """
        returned = self.game.always["void-not-returned"].needs - {"void"}
        return "wrong-settlement" in self.always and returned <= self.sees

    def check_returned(self, round: Round, line: Line, event: Event) -> None:
        """Check that every stake of a void round was returned and that winnings were taken back.

        If too little was returned, the rest may have been returned without a report. If too much was returned
        or paid, the excess may have been taken back without a report.
        """
        line.refunded, line.kept = line.returned - line.beyond, line.lying
        if line.restored != line.stake:
            due, returned = self.say(line.stake) if line.stake else "nothing", self.signed(line.restored)
            says = (
                f"The round is void: spot {line.spot} must have {due} of {line.wager} back and got"
                f" {returned}."
            )
            if disconnection := round.not_placed((line.spot, line.wager)):
                says = f"{disconnection}. {says}"
            rule = self.game.always["void-not-returned"]
            too_much = line.restored > line.stake and self.sees >= {"bet", "take"}
            if too_much or rule.code in self.always:
                hit = RuleHit(says, event, line.spot, line.wager, line.stake, line.restored)
                self.record(rule.code, rule.cite, event, hit)
            if line.paid_instead and line.touch is not None:
                paid = (
                    f"{self.say(line.paid_instead)} was paid on {line.wager} of spot {line.spot} after the"
                    " round had been voided"
                )
                cite = self.game.always["void-not-returned"].cite
                says = f"{paid}; a stake is given back with a return, not with a payment."
                self.find(
                    "out-of-order",
                    line.touch,
                    says,
                    spot=line.spot,
                    wager=line.wager,
                    moved=line.paid_instead,
                    cite=cite,
                )

    def settlement(self, round: Round, line: Line) -> Settlement:
        """Return the amount owed to a spot on a wager and the amount that moved. Later corrections are
        compared with these amounts.
        """
        if line.judged and line.priced and round.voided is None:
            return (
                line.owed,
                line.moved + line.repeated + line.astray,
            )  # the usual case, which needs no further call of the game
        if round.voided is not None:
            return line.stake, line.restored
        if line.undecided:
            return 0, line.total - line.kept
        if line.at_risk == 0:
            return 0, line.total
        owed = round.owed(line) if round.decided(line.spot, line.wager) and not round.undecided() else None
        return owed, line.total


def slip_of(owed: Exact, moved: int) -> str:
    """Return the kind of a wrong settlement, for example `underpaid`, from the owed amount and the moved
    amount.
    """
    if owed == 0:
        return "push-moved"
    if owed > 0:
        return "took-a-winner" if moved < 0 else "underpaid" if moved < owed else "overpaid"
    return "paid-a-loser" if moved > 0 else "undertaken" if moved > owed else "overtaken"

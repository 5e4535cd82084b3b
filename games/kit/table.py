"""A table in play: its settings, its shoe, the open round, and the breaches recorded so far.

The table judges the rules that all games share. The package of each game judges the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from games.kit import citations, read_corrections
from games.kit import events as e
from games.kit.breach import Breach, place_of
from games.kit.cards import PIP
from games.kit.closed_rounds import StreamListener
from games.kit.events import Announce, Deal, Event, RoundClosed, kind_of
from games.kit.feed import CITE_RESULT, CODE, declared_otherwise, unread_card
from games.kit.game import Game
from games.kit.phrases import capital, clause
from games.kit.round import OPEN, Round
from games.kit.rules import AppliedRule, Rule, RuleHit, reported_kinds
from games.kit.shoe import Shoe
from games.kit.shoe_checks import check_order, decks
from games.kit.table_shoe import TableShoe

EFFECTS: dict[type[Event], str] = {
    e.Bet: "bet",
    e.Bets: "bets",
    e.Unbet: "unbet",
    e.NoMoreBets: "no_more_bets",
    e.Shake: "shake",
    e.Roll: "roll",
    e.Announce: "announce",
    e.Mark: "mark",
    e.Choose: "choose",
    e.Pull: "pull",
    e.Deal: "deal",
    e.Burn: "burn",
    e.Take: "take",
    e.Pay: "pay",
    e.Settled: "settled",
    e.Clear: "clear",
    e.Void: "void",
    e.Return: "return_",
    e.Paused: "pause",
    e.Resumed: "resume",
    e.PlayerLost: "player_lost",
    e.PlayerBack: "player_back",
}
"""For each kind of fact: the name of the round's method that applies its effect."""

ROUND_KINDS: frozenset[type[Event]] = frozenset(EFFECTS) | {e.RoundClosed}
"""Kinds of fact that belong to the open round."""

HARMLESS_BETWEEN_ROUNDS: frozenset[type[Event]] = frozenset(
    {e.Burn, e.Paused, e.Resumed, e.PlayerLost, e.PlayerBack, e.Announce}
)
"""Kinds of fact that are accepted between rounds if they name no round."""

OPTIONAL_PLAY: frozenset[type[Event]] = frozenset({e.Shake, e.Roll, e.Mark, e.Choose, e.Pull, e.Burn})
"""Kinds of fact about play that only some games have."""

_AFTER_VOID = frozenset({e.Take, e.Pay, e.Settled, e.Return, e.Void, e.PlayerLost, e.PlayerBack})
_COUNTS_WHEN_VOID = frozenset({e.Bet, e.Bets})
"""Kinds of fact that take effect even in a void round, because a stake that is bet there must be returned
too.
"""
_DEAD = frozenset({e.Bet, e.Bets, e.Unbet, e.Deal, e.Burn, e.Roll, e.Choose, e.Pull})
_PLAY_ON = frozenset(
    {
        e.Bet,
        e.Bets,
        e.Unbet,
        e.NoMoreBets,
        e.Deal,
        e.Burn,
        e.Roll,
        e.Take,
        e.Pay,
        e.Settled,
        e.Return,
        e.Choose,
        e.Pull,
    }
)

HAND_CODES = frozenset({"wrong-card-count", "void-required"})
"""Codes of rules about hands. They do not apply to a round in which no hand was dealt."""

NO_RULES: tuple[AppliedRule, ...] = ()
Plan = tuple[Callable[..., None], tuple[AppliedRule, ...]]
"""How a kind of fact is judged: the rules that are applied first, and the method that then applies its effect
to the round.
"""


class Table(TableShoe):
    """The table of one stream, as it was opened by its last `table-opened`."""

    __slots__ = (
        "declared",
        "every_wager",
        "known",
        "limits",
        "money_rules",
        "pays",
        "plans",
        "words",
    )

    def __init__(
        self,
        game: Game,
        opened: e.TableOpened,
        shoe: Shoe | None,
        breaches: list[Breach],
        listener: StreamListener,
    ) -> None:
        """Open a table.

        Args:
            game: the game that is played.
            opened: the fact with the settings.
            shoe: the previous shoe, which continues if the opening says `continues`.
            breaches: the list to which breaches are appended.
            listener: is called when rounds begin and end.
        """
        super().__init__(game, opened, shoe, breaches, listener)
        self.known = frozenset(game.wagers)
        self.pays = {
            wager: tables.get(opened.pay_tables.get(wager, "")) for wager, tables in game.pay_tables.items()
        }
        self.limits: dict[str, tuple[int, int | None]] = dict(opened.limits)
        self.every_wager = self.limits.get("*", (0, None))
        """The limits of wagers that have no limits of their own."""
        self.declared: list[e.Announce] = []
        """Declared results of the open round that list cards."""
        self.money_rules = game.money_rules(self.sees)
        self.words = {
            moment.removeprefix("say "): rules
            for moment, rules in self.rules.items()
            if isinstance(moment, str)
        }
        missing = OPTIONAL_PLAY - game.plays
        self.plans: dict[type[Event], Plan] = {
            kind: (getattr(game.round, name), self.rules.get(kind, NO_RULES))
            for kind, name in EFFECTS.items()
            if kind not in missing
        }
        self.check_opening(game, opened)

    def check_opening(self, game: Game, opened: e.TableOpened) -> None:
        """Report a wrong number of decks, and pay tables that have never been approved."""
        if opened.decks != game.decks and (game.decks is not None or opened.decks < 1):
            self.find(
                "wrong-decks",
                opened,
                f"The table opened with {decks(opened.decks)}; this game is dealt from"
                f" {game.decks or 'one or more'}.",
            )
        for wager, names in game.never_approved.items():
            name = opened.pay_tables.get(wager, "")
            if name in names:
                self.find(
                    "pay-table-not-approved",
                    opened,
                    f"The pay table {name} for {wager} was never approved.",
                    wager=wager,
                )

    # -- facts -------------------------------------------------------------------------------------

    def play(self, event: Event) -> None:
        """Judge a fact of the open round by the game's rules, then apply its effect."""
        round, kind = self.round, type(event)
        plan = self.plans.get(kind)
        if plan is None and kind is not RoundClosed:
            says = f"{capital(clause(event, self.say))}; this game has no such step."
            self.find("unknown-kind-of-play", event, says, cite=citations.reference(kind_of(event)))
            self.pass_by(event)
            return
        if round is None or event.round != round.name:
            round = self.stray(event)
            if round is None:
                return
        if plan is None:
            round.closing(event)
            self.end_round(event)
            return
        if kind is Deal and not self.game.has_place(event.to):  # type: ignore[attr-defined]
            says = f"{capital(clause(event, self.say))}; this game has no such place for a card."
            self.find("unknown-kind-of-play", event, says, cite=citations.reference("deal"))
            self.pass_by(event)
            return
        if round.stopped and not self.while_stopped(round, event):
            return
        effect, rules = plan
        if kind is Announce:
            rules = self.words.get(event.what, NO_RULES)  # type: ignore[attr-defined]
            if event.declared_cards is not None:  # type: ignore[attr-defined]
                self.declared.append(event)  # type: ignore[arg-type]
        for judge, rule in rules:
            result = judge(round, event)
            if result is not None:
                self.record_hits(rule, event, result)
        effect(round, event)

    def stray(self, event: Event) -> Round | None:
        """Judge a fact that does not name the open round, and return None. If the table does not report
        `round-opened` and the fact names a new round, open this round and return it.
        """
        if "round-opened" not in self.sees and event.round is not None and event.round not in self.names:
            self.open_round(event, 0)
            return self.round
        if event.round is None and self.round is None and type(event) in HARMLESS_BETWEEN_ROUNDS:
            if isinstance(event, e.Burn):
                self.shoe.draw(event.card if event.card in PIP else None)
                if event.raw_text is not None:
                    self.find("card-not-read", event, unread_card(event))
            elif isinstance(event, e.PlayerLost):
                self.lost[event.spot] = ""
            elif isinstance(event, e.PlayerBack):
                self.lost.pop(event.spot, None)
            return None
        self.misplaced(event)
        self.pass_by(event)
        return None

    def pass_by(self, event: Event) -> None:
        """Count the card of a fact that has no effect on the round. The card has left the shoe."""
        if isinstance(event, (e.Deal, e.Burn)):
            self.shoe.unplaced += 1

    def while_stopped(self, round: Round, event: Event) -> bool:
        """Return True if the fact takes effect although the round is void or paused. Report a fact that is
        not allowed then.
        """
        kind = type(event)
        if round.voided is not None:
            if kind in _DEAD:
                says = f"{capital(clause(event, self.say))} after the round had been voided."
                self.find(
                    "out-of-order",
                    event,
                    says,
                    before=round.voided,
                    cite=self.game.always["void-not-returned"].cite,
                )
                self.pass_by(event)
            return kind in _AFTER_VOID or kind in _COUNTS_WHEN_VOID
        if kind in _PLAY_ON and round.paused is not None:
            says = f"{capital(clause(event, self.say))} while the round was paused."
            self.find("out-of-order", event, says, before=round.paused, cite=self.game.pauses)
        return True

    def read_again(self, event: e.ReadCorrected, misread: Event | None) -> None:
        """Judge the correction of a card or roll in the open round. Report both values. If the round was not
        paused, report this too.
        """
        cite, round = citations.reference("read-corrected"), self.round
        if misread is None:
            subject = "card" if event.card is not None else "roll"
            says = (
                f"A {subject} was corrected, and {event.of} is no {subject} that was recorded before at"
                " this table."
            )
            self.find("out-of-order", event, says, cite=cite)
            return
        says = read_corrections.sentence(misread, event)
        self.record(read_corrections.CODE, cite, event, RuleHit(says, event, place_of(misread)[0], ""))
        if round is None or misread.round != round.name:
            self.find("out-of-order", event, f"{says} Its round {misread.round} is not open.", cite=cite)
        elif self.game.live_dealer and round.paused is None:
            self.find("out-of-order", event, f"{says} The round had not been paused.", cite=self.game.pauses)

    def open_round(self, event: Event, number: int) -> None:
        """Open a round. If the previous round is still open, end it first."""
        self.leave_open(event)
        if event.round in self.names:
            says = f"A round {event.round} has been played before in this stream."
            self.find("out-of-order", event, says, cite=citations.reference("round-opened"))
        self.shoe.begin_round()
        self.names.add(event.round or "")
        self.round = self.game.round(self, event, number)
        self.listener.begin_round(self.round, event)

    def leave_open(self, event: Event) -> None:
        """End a round that was not closed, and report the missing `round-closed` at this fact."""
        if self.round is not None:
            says = f"The round {self.round.name} was never closed; then {clause(event, self.say)}."
            self.find("round-left-open", event, says, round=self.round.name)
            self.end_round(event)

    def end_round(self, event: Event) -> None:
        """End the open round. Report missing facts, and judge the money that moved."""
        round = self.round
        assert round is not None
        self.ending = round.name
        self.totals(round)
        if round.voided is not None:
            for line in round.lines.values():
                self.check_returned(round, line, event)
        else:
            self.settle_all(round, event)
        unplayed = type(event) is not RoundClosed and round.unplayed()
        if round.unresolved and not unplayed:
            self.find(
                "void-required",
                event,
                f"{round.undecided_because()} The round was not voided.",
                spot="",
                wager="",
            )
        for judge, rule in self.rules.get(RoundClosed, NO_RULES):
            if unplayed and rule.code in HAND_CODES:
                # No hand was dealt in the round, so the missing `round-closed` is the only finding.
                continue
            if round.voided is None or rule.also_when_void:
                result = judge(round, event)
                if result is not None:
                    self.record_hits(rule, event, result)
        if self.declared:
            self.compare_declared(round)
        shoe = self.shoe
        if len(shoe.order) + len(shoe.cards) >= shoe.look:
            check_order(self, shoe, round)
        if round.shuffles:
            self.shuffles_done(round)
        self.ending = ""
        self.enter(round)
        self.round = None
        self.listener.end_round(round, event)

    def compare_declared(self, round: Round) -> None:
        """Compare the cards that a feed's results list with the cards of the round."""
        for declared in self.declared:
            for hit in declared_otherwise(declared, round.trail):
                self.record(CODE, CITE_RESULT, declared, hit)
        self.declared = []

    def settle_all(self, round: Round, event: Event) -> None:
        """Judge every spot and wager of a round that was not voided."""
        if round.undecided():
            for line in round.lines.values():
                line.judged = False
                self.leave_undecided(round, line, event)
            return
        if self.game.payments:
            round.payments()
        for line in round.lines.values():
            if not line.judged:
                self.settle(round, line, event)

    # -- checks at the end of every round -----------------------------------------------------------------

    def totals(self, round: Round) -> None:
        """Report stakes that are outside the limits. The total of a spot and wager is judged at its last bet,
        and includes late bets. Also report spots that the table does not have.
        """
        limits, every = self.limits, self.every_wager
        for spot, lines in round.spots.items():
            first: Event | None = None
            for line in lines:
                stake = line.stake + line.pulled
                if stake == 0 or line.last is None:
                    continue
                first = first or line.first
                low, high = limits.get(line.wager, every)
                if stake < low:
                    if round.voided is not None and round.window(spot, line.wager) == OPEN:
                        continue  # the player could still have bet more
                    says = f"Spot {spot} bet {self.say(stake)} on {line.wager}; the least is {self.say(low)}."
                    self.find("below-minimum", line.last, says, spot=spot, wager=line.wager)
                elif high is not None and stake > high:
                    says = f"Spot {spot} bet {self.say(stake)} on {line.wager}; the most is {self.say(high)}."
                    self.find("above-maximum", line.last, says, spot=spot, wager=line.wager)
            if first is not None and self.opened.spots and not self.has_spot(spot):
                number = self.opened.spots
                has = f"{number} spot{'' if number == 1 else 's'}"
                says = f"There was a bet on spot {spot}; the table has {has}."
                self.find("too-many-spots", first, says, spot=spot)

    def has_spot(self, spot: str) -> bool:
        """Return True if the table has this betting position. If `spots` is 0, it has every position."""
        spots = self.opened.spots
        return spots == 0 or (spot.isascii() and spot.isdigit() and len(spot) < 4 and 1 <= int(spot) <= spots)


def coverage(game: Game, sees: Iterable[str]) -> list[tuple[Rule, bool]]:
    """Return every rule of the game, each with True if it is applied to a table that reports these kinds of
    fact.
    """
    reported = reported_kinds(sees)
    return [(rule, rule.needs <= reported) for rule in game.every_rule()]

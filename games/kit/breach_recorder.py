"""Record breaches. Each has a sentence, the rule, and the fact that it points at. A note is added if clocks
contradict the order of facts.
"""

from __future__ import annotations

from collections.abc import Iterable

from games.kit import events as e
from games.kit import feed
from games.kit.amounts import Exact, say, size
from games.kit.breach import Breach, clocks_contradict, place_of
from games.kit.codes import GRADE
from games.kit.diagnosis import EXPLAINS
from games.kit.events import Event
from games.kit.game import Game
from games.kit.rule_needs import kinds_to_report
from games.kit.rules import Rule, RuleHit, reported_kinds


class BreachRecorder:
    """The rules by which a table is judged, and the list of breaches recorded so far."""

    __slots__ = ("always", "breaches", "currency", "ending", "explaining", "sees")

    def __init__(self, game: Game, opened: e.TableOpened, breaches: list[Breach]) -> None:
        self.currency = opened.currency
        self.sees = reported_kinds(opened.sees)
        self.always = {
            code: rule
            for code, rule in game.always.items()
            if kinds_to_report(rule.needs, rule.code) <= self.sees
        }
        self.breaches = breaches
        self.explaining: list[tuple[str | None, str, str]] = []
        """The round, spot and wager of findings in the latest round that can explain why a wrong amount
        moved.
        """
        self.ending = ""
        """The name of the round while its end is judged, otherwise empty. Findings made at this time belong
        to the round, even if they point at a later fact.
        """

    def find(
        self,
        code: str,
        event: Event,
        says: str,
        *,
        cite: str | None = None,
        spot: str | None = None,
        wager: str | None = None,
        owed: Exact | None = None,
        moved: Exact | None = None,
        slip: str | None = None,
        before: Event | None = None,
        after: Event | None = None,
        round: str | None = None,
    ) -> None:
        """Record that a fact breaks a rule that all games share. If the table does not report enough to judge
        the rule, do nothing.
        """
        rule = self.always.get(code)
        if rule is not None:
            hit = RuleHit(says, event, spot, wager, owed, moved, before, after)
            self.record(code, cite or rule.cite, event, hit, slip, round)

    def record_hits(self, rule: Rule, event: Event, result: str | RuleHit | Iterable[RuleHit]) -> None:
        """Record the breaches that a rule function of a game returned for a fact."""
        if isinstance(result, str):
            result = RuleHit(result)
        for hit in (result,) if isinstance(result, RuleHit) else result:
            self.record(rule.code, hit.cite or rule.cite, event, hit)
            declared = hit.at or event
            if (
                rule.code == "announced-wrong"
                and isinstance(declared, e.Announce)
                and declared.declared_cards is not None
            ):
                # The cards that the feed lists with a result contradict the result itself.
                self.record(feed.CODE, feed.CITE_RESULT, declared, hit)

    def record(
        self,
        code: str,
        cite: str,
        judged: Event,
        hit: RuleHit,
        slip: str | None = None,
        round: str | None = None,
    ) -> None:
        """Record a breach with its fact, spot and wager. If clocks contradict the order of its facts, add a
        note and grade it `notice`.
        """
        event = hit.at or judged
        place = place_of(event)
        spot = place[0] if hit.spot is None else hit.spot
        wager = place[1] if hit.wager is None else hit.wager
        clocks = (
            clocks_contradict(hit.before, event)
            if hit.before
            else clocks_contradict(event, hit.after)
            if hit.after
            else ""
        )
        if code in EXPLAINS:
            if self.explaining and self.explaining[0][0] != event.round:
                self.explaining.clear()
            self.explaining.append((event.round, spot, wager))
        self.breaches.append(
            Breach(
                code=code,
                event=event,
                says=hit.says + clocks,
                cite=cite,
                grade="notice" if clocks else GRADE[code],
                round=round or self.ending or event.round,
                spot=spot,
                wager=wager,
                owed=hit.owed,
                moved=hit.moved,
                slip=slip,
            )
        )

    def say(self, amount: Exact) -> str:
        """Format an amount in the table's currency, for a sentence."""
        return say(amount, self.currency)

    def signed(self, amount: Exact) -> str:
        """Format an amount with its sign, for a sentence. An amount that goes to the player is positive."""
        return "nothing" if amount == 0 else f"{'+' if amount > 0 else '−'}{self.say(size(amount))}"

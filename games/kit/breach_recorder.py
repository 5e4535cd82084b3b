"""The record of what a table finds: sentence, rule, fact pointed at, and the clocks if they contradict it."""

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
from games.kit.rule_needs import absent
from games.kit.rules import Rule, RuleHit, reported_kinds


class BreachRecorder:
    """The rules that a table is judged by, and the breaches that were found."""

    __slots__ = ("always", "breaches", "currency", "ending", "explaining", "sees")

    def __init__(self, game: Game, opened: e.TableOpened, breaches: list[Breach]) -> None:
        self.currency = opened.currency
        self.sees = reported_kinds(opened.sees)
        self.always = {
            code: rule for code, rule in game.always.items() if absent(rule.needs, rule.code) <= self.sees
        }
        self.breaches = breaches
        self.explaining: list[tuple[str | None, str, str]] = []
        """Round, spot and wager of each finding of the latest round that explains why another amount was
        moved.
        """
        self.ending = ""
        """The round that is ending: findings at its end belong to it, even if a later fact proves them."""

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
        """Record that a fact breaks a common rule, if the table sees enough to judge it."""
        rule = self.always.get(code)
        if rule is not None:
            hit = RuleHit(says, event, spot, wager, owed, moved, before, after)
            self.record(code, cite or rule.cite, event, hit, slip, round)

    def record_hits(self, rule: Rule, event: Event, result: str | RuleHit | Iterable[RuleHit]) -> None:
        """Record what a rule of the game returned for a fact."""
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
                # The cards that the feed lists contradict its own result.
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
        """Record a breach with its fact, spot and wager, and with the clocks if they contradict the order."""
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
        """Return an amount in the table's currency, for a sentence."""
        return say(amount, self.currency)

    def signed(self, amount: Exact) -> str:
        """Return an amount with its sign from the player's side, for a sentence."""
        return "nothing" if amount == 0 else f"{'+' if amount > 0 else '−'}{self.say(size(amount))}"

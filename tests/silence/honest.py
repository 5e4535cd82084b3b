"""The list of changes that are not faults (honest.toml), and the entries that apply to a change."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from casino.sample.tables.casino_over_under import BASE, total, wins
from tests.silence import opinion
from tests.silence.changes import WAGERS, Fact
from tests.silence.opinion import read, settled_rightly
from tests.silence.trying import NO_AMOUNT, Part, Tried

LIVE = frozenset({"andar_bahar", "teen_patti", "bet_on_teen_patti", "lucky_7"})
Condition = Callable[[Part, Fact, Fact, Sequence[Fact]], bool]
"""A function that returns True if a condition of honest.toml is met. Its arguments are the round before the
change, the changed fact, a second fact, and all facts of the changed round. If the change concerns two facts,
the second fact is the other one. Otherwise it is the changed fact as it is after the change.
"""


class Entry(NamedTuple):
    """One entry of honest.toml."""

    sort: str
    games: str | list[str]
    how: list[str]
    first: list[str]
    second: list[str]
    field: list[str]
    when: str
    reason: str

    def of(self, game: str) -> bool:
        """Return True if the entry applies to this game."""
        if isinstance(self.games, list):
            return game in self.games
        return self.games == "all" or (self.games == "live") == (game in LIVE)


def entries() -> list[Entry]:
    """Return all entries of honest.toml in their order."""
    sections = tomllib.loads((Path(__file__).parent / "honest.toml").read_text())
    return [
        Entry(
            sort,
            entry["games"],
            entry.get("how", []),
            entry.get("first", entry.get("facts", [])),
            entry.get("second", []),
            entry.get("field", [""]),
            entry.get("when", ""),
            entry["reason"],
        )
        for sort, listed in sections.items()
        for entry in listed
    ]


def names(fact: Fact) -> set[str]:
    """Return the names by which honest.toml may refer to a fact: its kind, its kind with its wager,
    announcement or choice, or `any`.
    """
    kind = str(fact["kind"])
    return {"any", kind, *(f"{kind} {fact[of]}" for of in ("wager", "what", "choice") if fact.get(of))}


def on_the_list(tried: Tried, listed: Sequence[Entry]) -> set[int] | None:
    """Return the indexes of the entries of honest.toml that allow a change, or None if no entry allows it."""
    change, part = tried.change, tried.part
    round = part.of(change.facts)
    if change.how in ("swap", "move"):
        passed = passed_by(part, change.fact, change.facts)
        places = [place_of(listed, "either_order", part, change.fact, other, round) for other in passed]
        return None if not places or None in places else {place for place in places if place is not None}
    sort = "no_amount" if tried.result == NO_AMOUNT else "change"
    became = change.became if isinstance(change.became, dict) else change.fact
    for place, entry in enumerate(listed):
        fits = (
            entry.sort == sort
            and entry.of(part.game)
            and change.how in entry.how
            and names(change.fact) & set(entry.first)
        )
        if fits and change.field in entry.field and holds(entry.when, part, change.fact, became, round):
            return {place}
    return None


def passed_by(part: Part, fact: Fact, facts: Sequence[Fact]) -> list[Fact]:
    """Return the facts that a moved fact has passed: it was before them and is now after them, or the
    reverse.
    """
    before = part.facts.index(fact)
    place_now = list(facts).index(fact)
    was = {other["uid"] for other in part.facts[:before]}
    return [
        other
        for place, other in enumerate(facts)
        if other is not fact and (other["uid"] in was) != (place < place_now)
    ]


def place_of(
    listed: Sequence[Entry], sort: str, part: Part, moved: Fact, other: Fact, round: Sequence[Fact]
) -> int | None:
    """Return the index of the entry of honest.toml that allows these two facts to come in either order, or
    None if no entry allows it.
    """
    for place, entry in enumerate(listed):
        if entry.sort != sort or not entry.of(part.game):
            continue
        for first, second in ((moved, other), (other, moved)):
            named = names(first) & set(entry.first) and names(second) & set(entry.second)
            if named and holds(entry.when, part, first, second, round):
                return place
    return None


def holds(names: str, part: Part, fact: Fact, other: Fact, round: Sequence[Fact]) -> bool:
    """Return True if all these conditions of an entry are met, or if `names` is empty."""
    return not names or all(CONDITIONS[name](part, fact, other, round) for name in names.split())


def place_in(round: Sequence[Fact], **fields: Any) -> int | None:
    """Return the index of the first fact of the round with these values."""
    return next(
        (
            place
            for place, fact in enumerate(round)
            if all(fact.get(name) == value for name, value in fields.items())
        ),
        None,
    )


def same_spot(part: Part, fact: Fact, other: Fact, round: Sequence[Fact]) -> bool:
    """Return True if both facts have the same spot."""
    return fact.get("spot") == other.get("spot")


def other_spot(part: Part, fact: Fact, other: Fact, round: Sequence[Fact]) -> bool:
    """Return True if the facts have different spots."""
    return fact.get("spot") != other.get("spot", other.get("to"))


def rightly(part: Part, fact: Fact, other: Fact, round: Sequence[Fact]) -> bool:
    """Return True if every wager of the changed round is settled correctly according to the second
    opinion.
    """
    return settled_rightly(part.facts[0], round)


def both_bonus_or_neither(part: Part, fact: Fact, other: Fact, round: Sequence[Fact]) -> bool:
    """Return True if both facts are about the bonus, or neither is."""
    return (fact.get("wager") == "bonus") == (other.get("wager") == "bonus")


def not_its_main(part: Part, fact: Fact, other: Fact, round: Sequence[Fact]) -> bool:
    """Return False if one fact is about the ante and the other about the bonus of the same spot. Return True
    in all other cases.
    """
    return fact.get("spot") != other.get("spot") or {fact.get("wager"), other.get("wager")} != {
        "ante",
        "bonus",
    }


def same_place(part: Part, fact: Fact, other: Fact, round: Sequence[Fact]) -> bool:
    """Return True if both cards are dealt to the same hand."""
    return fact.get("to") == other.get("to")


def before_the_roll(part: Part, fact: Fact, other: Fact, round: Sequence[Fact]) -> bool:
    """Return True if both facts come before the first roll."""
    roll = place_in(round, kind="roll")
    return roll is not None and all(round.index(end) < roll for end in (fact, other))


def before_own_card(part: Part, fact: Fact, other: Fact, round: Sequence[Fact]) -> bool:
    """Return True if the fact comes before the first card that is dealt to its spot."""
    card = place_in(round, kind="deal", to=fact.get("spot"))
    return card is not None and round.index(fact) < card


def after_own_card(part: Part, fact: Fact, other: Fact, round: Sequence[Fact]) -> bool:
    """Return True if the fact comes after the first card that is dealt to its spot, and before any spot gets
    its second card.
    """
    own = place_in(round, kind="deal", to=fact.get("spot"))
    dealt_to, second = set[str](), len(round)
    for place, dealt in enumerate(round):
        if dealt["kind"] == "deal":
            second = min(second, place) if dealt["to"] in dealt_to else second
            dealt_to.add(dealt["to"])
    return own is not None and own < round.index(fact) < second


def needs_no_word(part: Part, fact: Fact, other: Fact, round: Sequence[Fact]) -> bool:
    """Return True if the announcement is about an Over or Under wager that loses: step 6 requires
    announcements only for winners and bonuses.
    """
    hand = read(part.facts[0], part.of(part.facts))
    if not hand.judged or fact.get("wager") not in BASE or len(hand.cards.get(fact["spot"], ())) != 3:
        return False
    return not wins(str(fact["wager"]), total(hand.cards[fact["spot"]]))


def called_the_ante(part: Part, fact: Fact, other: Fact, round: Sequence[Fact]) -> bool:
    """Return True if the changed announcement names the ante and the original one named Over or Under."""
    return fact.get("wager") in BASE and other.get("wager") == "ante"


def withdrawn(part: Part, fact: Fact, other: Fact, round: Sequence[Fact]) -> bool:
    """Return True if the player withdraws this wager, so that nothing is settled on it."""
    return place_in(part.of(part.facts), kind="pull", spot=fact["spot"], wager=fact["wager"]) is not None


def voided(part: Part, fact: Fact, other: Fact, round: Sequence[Fact]) -> bool:
    """Return True if the changed round is void and all amounts that were laid or collected in it were
    returned.
    """
    return opinion.all_returned(round)


def after_the_void(part: Part, fact: Fact, other: Fact, round: Sequence[Fact]) -> bool:
    """Return True if the fact, or its copy, comes after the void, and all stakes were returned."""
    void = place_in(round, kind="void")
    copies = [place for place, other in enumerate(round) if other | {"uid": fact["uid"]} == fact]
    return void is not None and bool(copies) and copies[-1] > void and voided(part, fact, other, round)


def no_extra_card(part: Part, fact: Fact, other: Fact, round: Sequence[Fact]) -> bool:
    """Return True if no hand of the changed round has too many cards, and not too many dice were rolled or
    cards burned.
    """
    return opinion.no_extra_card(part.facts[0], round)


def allowed_stakes(part: Part, fact: Fact, other: Fact, round: Sequence[Fact]) -> bool:
    """Return True if the rules of Easy Over Under allow the stakes of the changed round."""
    return opinion.allowed_stakes(part.facts[0], round)


def pushes(part: Part, fact: Fact, other: Fact, round: Sequence[Fact]) -> bool:
    """Return True if two wagers both push: nothing was owed on them, and nothing moved. The first wager is
    that of the fact before the change. The second is that of the fact after the change.
    """
    known, opened = WAGERS[part.game], part.facts[0]
    return all(
        opinion.pushes(opened, facts, (bet["spot"], bet["wager"]), known)
        for bet, facts in ((fact, part.of(part.facts)), (other, round))
    )


CONDITIONS: dict[str, Condition] = {
    condition.__name__: condition
    for condition in (
        same_spot,
        other_spot,
        same_place,
        rightly,
        both_bonus_or_neither,
        not_its_main,
        before_the_roll,
        before_own_card,
        after_own_card,
        needs_no_word,
        called_the_ante,
        withdrawn,
        voided,
        after_the_void,
        no_extra_card,
        allowed_stakes,
        pushes,
    )
}
"""Conditions by the names that honest.toml uses."""

"""The cage and the count room of one sample table: tray, slips, drop box, closer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from random import Random

from casino.sample.tables.drafts import Draft, draft

CHIPS = (100_000, 50_000, 10_000, 2_500, 500, 100, 25, 5, 1)
NOTES = (10_000, 5_000, 2_000)
PAPERS = ("voucher", "marker")


def fewest_pieces(amount: int, denominations: tuple[int, ...] = CHIPS) -> dict[str, int]:
    """Return the fewest chips or notes that add up to the amount. Raises ValueError if the amount cannot be
    made up.
    """
    pieces: dict[str, int] = {}
    for denomination in denominations:
        count, amount = divmod(amount, denomination)
        if count:
            pieces[str(denomination)] = count
    if amount:
        raise ValueError(f"no chips or notes add up to the last {amount}")
    return pieces


def drop_count(pulled: Draft, bought: list[Draft], team: list[str], short: int = 0) -> Draft:
    """Return the fact `drop-counted` of a pulled box, computed from the purchases at its table.

    Args:
        short: the cash in minor units that the count team does not find.
    """
    tenders: Counter[str] = Counter()
    for fact in bought:
        tenders[fact["tender"]] += fact["amount"]
    cash, papers = tenders["cash"] - short, {kind: tenders[kind] for kind in PAPERS if tenders[kind]}
    counted = draft(
        "drop-counted",
        box=pulled["box"],
        shift=pulled["shift"],
        notes=fewest_pieces(cash, NOTES),
        amount=cash + sum(papers.values()),
        team=team,
    )
    return counted | ({"papers": papers} if papers else {})


class Cage:
    """The cage of one table. It creates the slips as drafts, and adds up the amounts that must be in the
    table's drop boxes.
    """

    def __init__(self, rng: Random, code: str, dealers: tuple[str, ...]) -> None:
        self.rng, self.dealers = rng, dealers
        self.series = code.replace("-", "")
        self.serials = {letter: rng.randint(100, 700) for letter in "FCM"}
        self.markers: list[tuple[str, str, int]] = []
        self.box = f"B-{rng.randint(10, 40)}"
        self.shift = "day"
        self.bought: list[Draft] = []
        self.pulled: list[tuple[Draft, list[Draft]]] = []

    def serial(self, letter: str) -> str:
        """Return the next serial of a series of slips: F for fills, C for credits, M for markers."""
        self.serials[letter] += 1
        return f"{letter}-{self.series}-{self.serials[letter]:06d}"

    def opener(self) -> Draft:
        """Return the count of the tray before the first round."""
        amount = self.rng.randint(20, 60) * 100_000 + self.rng.randint(0, 99) * 2_500
        return draft("opener-counted", chips=fewest_pieces(amount), amount=amount, **self._two())

    def slip(self, letter: str = "F") -> Draft:
        """Return a fill or a credit with four signatures, or sometimes five."""
        rng = self.rng
        amount = rng.randint(1, 40) * 10_000
        fact = draft(
            "fill-sent" if letter == "F" else "credit-sent",
            slip=self.serial(letter),
            chips=fewest_pieces(amount),
            amount=amount,
        )
        fact |= {"requested_by": f"s-{rng.randint(101, 110)}", "sent_by": f"c-{rng.randint(1, 9)}"}
        fact |= {"carried_by": f"g-{rng.randint(1, 9)}", "received_by": rng.choice(self.dealers)}
        if rng.random() < 0.3:
            fact["verified_by"] = f"s-{rng.randint(111, 120)}"
        return fact

    def voided(self, letter: str = "F", slip: str | None = None) -> Draft:
        """Return a voided slip. Its serial is used, but no chips move."""
        return draft(
            "slip-voided", slip=slip or self.serial(letter), reason="wrong amount", **self._two(cashier=True)
        )

    def bought_chips(self, tender: str | None = None) -> list[Draft]:
        """Return the facts of a buy-in. If the player pays by marker, the marker comes first."""
        rng = self.rng
        tender = tender or rng.choice(("cash", "cash", "cash", "voucher", "marker"))
        amount, spot = rng.randint(1, 30) * 10_000, str(rng.randint(1, 6))
        facts = [draft("chips-bought", spot=spot, amount=amount, tender=tender)]
        self.bought.append(facts[0])
        if tender == "marker":
            slip, player = self.serial("M"), f"p-{rng.randint(70_000, 70_099)}"
            self.markers.append((slip, player, amount))
            facts.insert(
                0,
                draft(
                    "marker-issued", slip=slip, player=player, amount=amount, by=f"s-{rng.randint(101, 110)}"
                ),
            )
        return facts

    def marker_paid(self) -> list[Draft]:
        """Return the redemption of the oldest open marker at the cage."""
        if not self.markers:
            return []
        slip, player, amount = self.markers.pop(0)
        return [
            draft("marker-paid", slip=slip, player=player, amount=amount, by=f"c-{self.rng.randint(1, 9)}")
        ]

    def pull(self, shift: str = "") -> Draft:
        """Return the fact `box-pulled` for the drop box of the shift that ends. Another box replaces it for
        the next shift.
        """
        by, second = f"g-{self.rng.randint(1, 9)}", f"s-{self.rng.randint(101, 110)}"
        fact = draft("box-pulled", box=self.box, shift=self.shift, by=by, second=second)
        self.pulled.append((fact, self.bought))
        self.box, self.bought, self.shift = f"B-{int(self.box[2:]) + 50}", [], shift or self.shift
        return fact

    def last_pulled(self) -> list[Draft]:
        """Return the fact that pulls the last drop box when the table closes."""
        return [self.pull()]

    def counts(self) -> list[Draft]:
        """Return a count and a recount of every drop box."""
        facts = []
        for pulled, bought in self.pulled:
            team = [f"n-{number}" for number in self.rng.sample(range(1, 9), 3)]
            counted = drop_count(pulled, bought, team)
            verified = draft("count-verified", box=pulled["box"], amount=counted["amount"], by="n-9")
            facts += [counted, verified]
        return facts

    def deepen(self, drafts: list[Draft], ends: Iterable[Draft]) -> None:
        """Increase the opener of a tray that players would otherwise have emptied by the end of a shift or
        day.
        """
        opener = next(fact for fact in drafts if fact["kind"] == "opener-counted")
        if (missing := -min(tray(drafts), *(tray(until(drafts, end)) for end in ends), 0)) > 0:
            opener["amount"] += missing + 2_000_000 - missing % 100_000
            opener["chips"] = fewest_pieces(opener["amount"])

    def closer(self, drafts: Iterable[Draft]) -> Draft:
        """Return the closer: a count of exactly the amount that the tray should hold after the facts in
        `drafts`.
        """
        amount = tray(drafts)
        return draft("closer-counted", chips=fewest_pieces(amount), amount=amount, **self._two())

    def between(self, drafts: list[Draft], pulled: Draft, seated: Draft) -> None:
        """Insert two counts of the tray between two shifts: the closer before the next dealer sits down, and
        the opener afterwards.
        """
        closer = self.closer(until(drafts, pulled))
        opener = draft("opener-counted", chips=closer["chips"], amount=closer["amount"], **self._two())
        drafts.insert(index_of(drafts, seated) + 1, opener)
        drafts.insert(index_of(drafts, pulled) + 1, closer)

    def _two(self, cashier: bool = False) -> dict[str, str]:
        by = f"c-{self.rng.randint(1, 9)}" if cashier else self.rng.choice(self.dealers)
        return {"by": by, "second": f"s-{self.rng.randint(101, 110)}"}


def index_of(drafts: list[Draft], draft_: Draft) -> int:
    """Return the index of this draft, compared by identity because another draft may be equal to it."""
    return next(place for place, other in enumerate(drafts) if other is draft_)


def until(drafts: list[Draft], last: Draft) -> list[Draft]:
    """Return the drafts up to and including the draft `last`."""
    return drafts[: index_of(drafts, last) + 1]


SIGNS = {"fill-sent": 1, "credit-sent": -1, "chips-bought": -1, "take": 1, "pay": -1, "corrected": -1}


def tray(drafts: Iterable[Draft]) -> int:
    """Return the amount in the tray after these facts, in minor units. A voided slip moved no chips, and a
    returned stake counts only as far as it had been taken.
    """
    facts = list(drafts)
    slips = {fact["slip"] for fact in facts if fact["kind"] == "slip-voided"}
    amount, void = 0, False
    taken_stakes: dict[tuple[str, str], int] = {}
    for fact in facts:
        kind = fact["kind"]
        if kind == "round-opened":
            taken_stakes, void = {}, False
        void = void or kind == "void"
        if kind == "opener-counted":
            amount = fact["amount"]
        if kind in SIGNS and fact.get("slip") not in slips:
            amount += SIGNS[kind] * fact["amount"]
        if kind == "settled":
            amount += sum(entry[2] for entry in fact["taken"]) - sum(entry[2] for entry in fact["paid"])
        key = (fact.get("spot", ""), fact.get("wager", ""))
        if kind == "take" and not void:
            taken_stakes[key] = taken_stakes.get(key, 0) + fact["amount"]
        if kind == "return" and void:
            back = min(taken_stakes.get(key, 0), fact["amount"])
            taken_stakes[key] = taken_stakes.get(key, 0) - back
            amount -= back
    return amount

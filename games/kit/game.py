"""The shape of a game: its manual's wagers, pay tables, editions, rules and settlements as data and
functions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from msgspec import Struct

from games.kit import citations as c
from games.kit.amounts import Exact
from games.kit.diagnosis import Mistake
from games.kit.events import Burn, Event
from games.kit.odds import Odds
from games.kit.present import MOVES, absent, asked_at
from games.kit.question import Question

if TYPE_CHECKING:
    from games.kit.certificate import Certificate
    from games.kit.round import Round


class Said(NamedTuple):
    """What a rule has to say where more than the sentence is known.

    `at` is the fact pointed at (absent: the one judged). `before` was recorded before it and `after`
    after it: the other half of a finding about order. Spot and wager are those of the fact unless given.
    `cite` is the clause of this cause, if it is narrower than the rule's own.
    """

    says: str
    at: Event | None = None
    spot: str | None = None
    wager: str | None = None
    owed: Exact | None = None
    moved: Exact | None = None
    before: Event | None = None
    after: Event | None = None
    cite: str | None = None


Finds = str | Said | Iterable[Said] | None
"""Nothing where the rule is kept; a sentence, or more, where it is broken."""

Moment = type[Event] | str
"""When a rule is asked: at a kind of fact, or at MONEY."""

Judge = TypeVar("Judge", bound=Callable[..., Finds])
Settlement = TypeVar("Settlement", bound=Callable[..., Odds | None])
Slips = TypeVar("Slips", bound=Callable[..., Iterator[Mistake]])

ROUNDING = ("exact", "house", "player")
"""How an owed amount that is no multiple of the smallest chip is settled; every game leaves it open."""


class Rule(Struct, frozen=True, kw_only=True):
    """One rule of the manual: what it finds, where it stands, and the kinds of fact that it speaks of or
    cannot do without.
    """

    code: str
    cite: str
    needs: frozenset[str]
    """Which of them a table must report is said by `present.absent`: a fact that is there is judged whatever
    the table reports.
    """
    says: str
    judge: Callable[..., Finds] | None = None
    though_void: bool = False
    """Asked at the end of a void round too: it ended duties and settlement, not what players may bet or the
    studio say.
    """
    present: frozenset[str] = frozenset()
    """Of the kinds that it needs, those of the facts by which it is broken, besides what its code says."""


Asked = tuple[Callable[..., Finds], Rule]
"""A rule's function, and the rule."""


class Source(NamedTuple):
    """The document that a game is built from."""

    short: str
    title: str
    dated: str
    headings: tuple[str, ...]
    """What a citation of it may begin with: the short name and a heading, with a space behind it where rules
    or steps are numbered.
    """


MONEY = "money"
"""Rules of this moment judge each amount that moves: (round, fact, line, signed amount)."""


def word(what: str) -> str:
    """The moment at which the dealer says this: an `announce` of that `what`."""
    return f"say {what}"


_ALWAYS: dict[str, tuple[str, str]] = {
    # code: (kinds it cannot do without, where it stands unless the game's manual says it)
    "unknown-kind-of-play": ("", c.ENVELOPE),
    "out-of-order": ("round-opened", c.ENVELOPE),
    "no-such-wager": ("bet", c.reference("bet")),
    "late-bet": ("bet", c.BETS_AND_LIMITS),
    "late-unbet": ("unbet", c.BETS_AND_LIMITS),
    "no-such-bet": ("bet", c.PAYOUT_RIGHT),
    "below-minimum": ("bet", c.BETS_AND_LIMITS),
    "above-maximum": ("bet", c.BETS_AND_LIMITS),
    "too-many-spots": ("bet", c.BETS_AND_LIMITS),
    "bets-not-closed": ("no-more-bets deal", c.BETS_AND_LIMITS),
    "card-not-read": ("deal", c.reference("deal")),
    "impossible-card": ("", c.CARDS_COMPLETE),
    "duplicate-card": ("deal shuffled", c.CARDS_COMPLETE),
    "not-shuffled": ("deal shuffled", c.CARDS_SHUFFLED),
    "dealt-past-cut": ("deal shuffled cut-card-shown", c.CARDS_SHUFFLED),
    "cut-differs": ("deal shuffled cut-card-shown", c.CARDS_COMPLETE),
    "shoe-overrun": ("deal shuffled", c.CARDS_COMPLETE),
    "wrong-decks": ("", c.CARDS_COMPLETE),
    "pay-table-not-approved": ("", c.PAY_TABLE_APPROVED),
    "void-without-reason": ("void", c.VOID_SIGNED),
    "void-not-signed": ("void", c.VOID_SIGNED),
    "void-not-returned": ("void return bet", c.STAKES_RETURNED),
    "void-required": ("void bet", c.STAKES_RETURNED),
    "corrected-unsigned": ("corrected", c.CORRECTION_SIGNED),
    "corrected-beyond-owed": ("corrected bet", c.GOODWILL),
    "round-left-open": ("round-opened round-closed", c.reference("round-closed")),
}
_WITHIN_A_ROUND = {code: ("deal", _ALWAYS[code][1]) for code in ("duplicate-card", "shoe-overrun")}
"""A deck that is shuffled every round needs no shuffle to be seen: its cards are counted within the round."""
_OUTCOME_CODES = ("void-required",)
"""Besides those, what cannot be judged where the deciding events are not seen."""
PAST_CUT_COUNTED = "dealt-past-cut, by the count of cards"
"""The rule that finds `dealt-past-cut` where the cut card was not shown; it needs no cut card to be seen."""
CUT_DEPTH = "cut-depth"
"""Under this name a game cites what its manual says about the part of the shoe that may be dealt."""
MISDEAL = "misdeal"
"""Under this name a game cites what its manual says about the cards after a wrong number of cards was dealt.
"""
_MONEY_CODES = ("wrong-settlement", "not-settled", "settled-twice", "settled-too-soon")


class Game:
    """A manual made executable. Everything that it prints is data here; what it demands are functions."""

    cut_within: Fraction | None = None
    """The part of the shoe that may be dealt, if the manual names one."""

    def __init__(
        self,
        *,
        code: str,
        source: Source,
        round: type[Round],
        live_dealer: bool,
        wagers: Iterable[str],
        editions: Mapping[str, Any],
        pay_tables: Mapping[str, Mapping[str, Any]],
        decks: int | None,
        every_round: bool,
        has_place: Callable[[str], bool],
        plays: Iterable[type[Event]],
        decided_by: str,
        cites: Mapping[str, str],
        needs: Mapping[str, str] | None = None,
        questions: tuple[Question, ...] = (),
        contradictions: tuple[str, ...] = (),
        readings: Mapping[str, tuple[str, ...]] | None = None,
        payments: Mapping[str, str] | None = None,
        never_approved: Mapping[str, tuple[str, ...]] | None = None,
        waves: bool = True,
    ) -> None:
        """`plays`: the kinds of fact beyond the common ones that this game has.

        `readings`: question to answers, the first of which is the default. `payments`: what is paid without a
        bet of
        its own, and the wager on whose stake it is owed. `never_approved`: pay tables that no regulator has
        let in, by wager.
        `waves`: whether the dealer closes the betting before the cards; at a game without a wave something
        else closes it.

        `questions`: what the manual leaves open; `contradictions`: what it says in two ways. `decided_by`:
        kinds without which no
        settlement is judged. `cites`: where the manual says what the kit judges. `needs`: kinds that such a
        rule needs here.
        """
        self.code, self.source, self.round, self.live_dealer = code, source, round, live_dealer
        self.wagers = tuple(wagers)
        self.editions, self.pay_tables = (
            dict(editions),
            {wager: dict(tables) for wager, tables in pay_tables.items()},
        )
        self.decks, self.every_round, self.has_place = decks, every_round, has_place
        self.plays = frozenset(plays)
        self.questions, self.contradictions = questions, contradictions
        self.module = round.__module__.removesuffix(".hands")  # its file, or its package
        self.readings = {**(readings or {}), "rounding": ROUNDING}
        self.payments, self.never_approved, self.cites = (
            dict(payments or {}),
            dict(never_approved or {}),
            dict(cites),
        )
        self.settlements: dict[str, Callable[..., Odds | None]] = {}
        self.slips: dict[str, Callable[..., Iterator[Mistake]]] = {}
        self.certificate: Certificate | None = None
        """The exact odds of its wagers, where the game's `odds` name their spaces."""
        self.rules: list[tuple[Rule, frozenset[Moment]]] = []
        self.always: dict[str, Rule] = self._common_rules(decided_by, cites, needs or {})
        if not waves:
            del self.always["bets-not-closed"]

    @property
    def lost(self) -> str:
        """Return the citation of what becomes of the bets of a player who has lost the connection."""
        return self.cites.get("player-lost", c.reference("player-lost"))

    @property
    def pauses(self) -> str:
        """Where it stands that a round is paused, and then goes on or is void. At a felt table the manual
        asks for no pause.
        """
        return self.always["void-not-returned"].cite if self.live_dealer else c.PAUSE_KEPT

    @property
    def shuffling(self) -> str:
        """Where it stands when the cards are shuffled."""
        return self.cites.get("shuffled", self.always["not-shuffled"].cite)

    def _common_rules(
        self, decided_by: str, cites: Mapping[str, str], needs: Mapping[str, str]
    ) -> dict[str, Rule]:
        common = (
            dict(_ALWAYS)
            | (_WITHIN_A_ROUND if self.every_round else {})
            | dict.fromkeys(_MONEY_CODES, (f"bet {decided_by}", c.PAYOUT_RIGHT))
        )
        for code in _OUTCOME_CODES:
            kinds, cite = common[code]
            common[code] = (f"{kinds} {decided_by}", cite)
        if not self.never_approved:
            del common["pay-table-not-approved"]  # what the register says is judged with the registers
        if (
            Burn in self.plays
        ):  # where cards are burned too, all cards are seen only by a table that sees them
            common["cut-differs"] = (f"{common['cut-differs'][0]} burn", common["cut-differs"][1])
        rules = {
            code: Rule(
                code=code,
                cite=cites.get(code, cite),
                needs=frozenset(f"{kinds} {needs.get(code, '')}".split()),
                says=code.replace("-", " "),
            )
            for code, (kinds, cite) in common.items()
        }
        past = rules["dealt-past-cut"]
        if self.every_round:
            del rules[
                "dealt-past-cut"
            ]  # there is no cut card to come to: the deck is whole again before the next round
        else:
            needs_cards = frozenset({"deal", "shuffled"})
            rules[PAST_CUT_COUNTED] = Rule(
                code=past.code, cite=past.cite, needs=needs_cards, says=PAST_CUT_COUNTED.replace("-", " ")
            )
        return rules

    def settles(self, *wagers: str) -> Callable[[Settlement], Settlement]:
        """Name the wagers that a settlement function decides: (round, line) to its odds.

        None: it cannot be judged (a card or die that could not be, or was not read).
        """

        def keep(settlement: Settlement) -> Settlement:
            self.settlements.update(dict.fromkeys(wagers, settlement))
            return settlement

        return keep

    def mistakes(self, *wagers: str) -> Callable[[Slips], Slips]:
        """Name the wagers on which a dealer goes wrong like this: (round, line) to each mistake, the
        likeliest first.
        """

        def keep(slips: Slips) -> Slips:
            self.slips.update(dict.fromkeys(wagers, slips))
            return slips

        return keep

    def answer(self, question: str, given: Mapping[str, str]) -> str:
        """The property's answer to an open question; the default where it gave none, or none that is known."""
        known = self.readings[question]
        return given[question] if given.get(question) in known else known[0]

    def rule(
        self,
        code: str,
        *,
        on: Moment | tuple[Moment, ...],
        needs: str,
        cite: str,
        though_void: bool = False,
        present: str = "",
    ) -> Callable[[Judge], Judge]:
        """Name the code, the moment and the citation of a rule function; its docstring is the rule as the
        floor says it.

        `on`: the kinds of fact, before they take effect, or MONEY. The function gets (round, fact); on
        MONEY (round, fact, line, signed amount); on a kind between rounds (table, fact).
        `present`: kinds of those that it needs which are there whenever it is broken, besides the one at
        which it is asked.
        """
        moments = on if isinstance(on, tuple) else (on,)

        def keep(judge: Judge) -> Judge:
            says = " ".join((judge.__doc__ or "").split())
            kinds, there = frozenset(needs.split()), frozenset(present.split())
            rule = Rule(
                code=code,
                cite=cite,
                needs=kinds,
                says=says,
                judge=judge,
                though_void=though_void,
                present=there,
            )
            self.rules.append((rule, frozenset(moments)))
            return judge

        return keep

    def rules_for(self, sees: frozenset[str]) -> dict[Moment, tuple[Asked, ...]]:
        """The game's own rules that a table can be judged by, for each moment; made once for each set of
        `sees`.
        """
        chosen: dict[Moment, list[Asked]] = {}
        for rule, moments in self.rules:
            for moment in moments:
                if absent(rule.needs, rule.code, rule.present | asked_at(moment)) <= sees:
                    chosen.setdefault(moment, []).append((rule.judge or kept, rule))
        return {moment: tuple(rules) for moment, rules in chosen.items()}

    def money_rules(self, sees: frozenset[str]) -> dict[type[Event], tuple[Asked, ...]]:
        """Return the game's rules of MONEY that a table can be judged by, for each kind by which money moves."""
        rules = [rule for rule, moments in self.rules if MONEY in moments]
        return {
            kind: tuple(
                (rule.judge or kept, rule)
                for rule in rules
                if absent(rule.needs, rule.code, rule.present | there) <= sees
            )
            for kind, there in MOVES.items()
        }

    def every_rule(self) -> list[Rule]:
        """All that a table of this game can be judged by, the common rules first."""
        return [*self.always.values(), *(rule for rule, _ in self.rules)]


def kept(*facts: object) -> Finds:
    """A rule that nothing breaks."""
    return None


def sight(sees: Iterable[str]) -> frozenset[str]:
    """The kinds that a table's equipment reports; a batch counts as the single facts it stands for (rounds.md
    28).
    """
    kinds = set(sees)
    if "bets" in kinds:
        kinds = kinds - {"bets"} | {"bet"}
    if "settled" in kinds:
        kinds = kinds - {"settled"} | {"take", "pay"}
    return frozenset(kinds)

"""A vendor's messages become a table's gaming day: rounds are opened, the table is opened before them, every fact has its uid.

It goes on from what the ledger holds of the stream, so that the same file, or a later one that repeats messages, records
nothing twice. The table is opened once; when a later file brings kinds that were not seen before, it is opened again,
between two rounds, and sees what came until now.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

from msgspec import to_builtins

from audit import facts as f
from audit import store
from audit.facts import canonical
from casino.importing import Conflict, Fact, Misused, Told
from casino.importing.gaming_day import DayOf, gaming_days
from casino.importing.stamp import uid_of
from games.kit.events import kind_of

BEFORE_A_ROUND = ("shuffled",)
"""Kinds that come before the round whose name the vendor already gives them."""


class Draft(NamedTuple):
    """A fact before it has its uid and its day."""

    line: int
    at: datetime
    kind: str
    round: str
    """The round that the message speaks of."""
    fields: dict[str, Any]
    message: Any
    """What tells this message from another: the uid is made of it."""


class Recorded:
    """What the ledger holds of one stream."""

    def __init__(self, property: str, stream: str, source: str) -> None:
        self.uids: set[str] = set()
        self.rounds: set[str] = set()
        self.kinds: set[str] = set()
        """Kinds that this source has brought: cage and count post beside it, and the table does not see what they do."""
        self.open: str | None = None
        self.opened: f.TableOpened | None = None
        self.openings: dict[str, bytes] = {}
        """uid to the whole body of each table-opened."""
        for row in store.read_stream(property, stream):
            event = f.decode(row.body)
            self.uids.add(event.uid)
            if event.source == source:
                self.kinds.add(kind_of(event))
            if isinstance(event, f.TableOpened):
                self.opened = event
                self.openings[event.uid] = row.body
            elif isinstance(event, f.RoundOpened):
                self.open = event.round
                self.rounds.add(event.round or "")
            elif isinstance(event, f.RoundClosed) and event.round == self.open:
                self.open = None


class Dated(NamedTuple):
    """A draft whose gaming day is known."""

    draft: Draft
    day: date


class TableDays:
    """One file of one table, made into facts of its gaming days."""

    def __init__(self, told: Told, settings: dict[str, Any], source: str, day_of: DayOf | None = None) -> None:
        """`settings`: the fields of table-opened but `edition`, `currency` and `sees`. `source`: the name of the feed."""
        assert told.table is not None
        self.told, self.settings, self.source, self.table = told, settings, source, told.table
        self.property = told.table.split("/")[0]
        self.day_of = day_of or gaming_days(self.property)
        self.streams: dict[date, Recorded] = {}
        self.days: dict[str, date] = {}

    def facts(self, drafts: Sequence[Draft]) -> Iterator[Fact]:
        """The facts of the file in its order. Raises Misused without an edition, Conflict where the stream was opened otherwise."""
        dated = list(self._dated(drafts))
        for day in dict.fromkeys(each.day for each in dated):
            self._check(day)
        place = {day: _Place(self, day, [each.draft for each in dated if each.day == day]) for day in {each.day for each in dated}}
        for draft, day in dated:
            yield from place[day].facts(draft)

    def recorded(self, day: date) -> Recorded:
        """What the ledger holds of the table's day."""
        if day not in self.streams:
            self.streams[day] = Recorded(self.property, f"{self.table}/{day.isoformat()}", self.source)
        return self.streams[day]

    def _dated(self, drafts: Iterable[Draft]) -> Iterator[Dated]:
        """Every draft with its day, and a round-opened before the first of each round. A round stays in the day in which it was opened."""
        waiting: list[Draft] = []
        for draft in drafts:
            if draft.kind in BEFORE_A_ROUND:
                waiting.append(draft)
                continue
            opening = [] if draft.round in self.days else [self._opening(draft)]
            day = self.days[draft.round]
            yield from self._shuffles(waiting, draft.round, day)
            waiting.clear()
            yield from (Dated(each, day) for each in (*opening, draft) if each is not None)
        yield from self._shuffles(waiting, "", date.min)

    def _shuffles(self, waiting: Iterable[Draft], round: str, day: date) -> Iterator[Dated]:
        """What came before a round is of the round's day, also when midnight lies between."""
        return (Dated(each, day if each.round == round else self.day_of(each.at)) for each in waiting)

    def _opening(self, first: Draft) -> Draft | None:
        """The round-opened of a new round; None where an earlier file has opened the round by another message."""
        today = self.day_of(first.at)
        draft = Draft(first.line, first.at, "round-opened", first.round, {}, None)
        for day in (today, today - timedelta(days=1)):
            if first.round in self.recorded(day).rounds:
                self.days[first.round] = day
                return draft if self.uid(draft) in self.recorded(day).uids else None
        self.days[first.round] = today
        return draft

    def uid(self, draft: Draft) -> str:
        """The draft's uid. Neither day nor zone is in it: a message is the same message by whatever clock it is read."""
        return uid_of(draft.at, self.table, draft.kind, draft.round, draft.message)

    def _check(self, day: date) -> None:
        """Whether the stream can be opened, or was opened with what is asked for now."""
        opened = self.recorded(day).opened
        if opened is None:
            if self.told.edition is None:
                raise Misused(f"{self.table}/{day.isoformat()} is not open yet: give --edition, by whose rules it was dealt")
            return
        stands = f"{self.table}/{day.isoformat()} was opened with"
        if self.told.edition not in (None, opened.edition):
            raise Conflict(
                f"{stands} edition {opened.edition} and is replayed under it for ever, not under {self.told.edition};"
                " import the file as another table to see it so"
            )
        if self.told.currency != opened.currency:
            raise Conflict(f"{stands} currency {opened.currency}, not {self.told.currency}: give --currency {opened.currency}")

    def body(self, draft: Draft, day: date, uid: str) -> bytes:
        """The fact as JSON."""
        fact: dict[str, Any] = {"uid": uid, "table": self.table, "day": day.isoformat(), "kind": draft.kind}
        fact |= {"at": draft.at.isoformat(timespec="milliseconds"), "source": self.source}
        if draft.kind not in (*BEFORE_A_ROUND, "table-opened"):
            fact["round"] = draft.round
        return canonical(fact | draft.fields)


class _Place:
    """One stream while the file is written into it: where the table is opened, and whether a round is open."""

    def __init__(self, days: TableDays, day: date, drafts: Sequence[Draft]) -> None:
        self.days, self.day, self.recorded = days, day, days.recorded(day)
        self.open = self.recorded.open
        came = {"table-opened", *(draft.kind for draft in drafts)}
        opened = self.recorded.opened
        stands = set(opened.sees) if opened is not None else set()
        first = drafts[0]
        # an opening that this very file has made before is sent again: it counts as already recorded, like all the rest
        alone, whole = self._table_opened(first, came), self._table_opened(first, came | self.recorded.kinds | stands)
        sent = [body for each in (alone, whole) if (body := self.recorded.openings.get(days.uid(each))) is not None]
        self.first = sent[:1] if opened is not None else [days.body(alone, day, days.uid(alone))]
        self.due = whole if opened is not None and not (came | self.recorded.kinds) <= stands and not sent else None

    def _table_opened(self, first: Draft, sees: set[str]) -> Draft:
        told, opened = self.days.told, self.recorded.opened
        if opened is None:
            fields = self.days.settings | {"edition": told.edition, "currency": told.currency, "sees": sorted(sees)}
        else:
            kept = to_builtins(opened)
            fields = {name: kept[name] for name in (*self.days.settings, "edition", "currency")} | {"sees": sorted(sees), "continues": True}
        message = {name: value for name, value in fields.items() if name != "continues"}
        return Draft(first.line, first.at, "table-opened", "", fields, message)

    def facts(self, draft: Draft) -> Iterator[Fact]:
        """The draft as a fact, and before it the table-opened that is due."""
        for opening in self.first:
            yield Fact(draft.line, opening)
        self.first = []
        uid = self.days.uid(draft)
        if uid not in self.recorded.uids:
            if self.due is not None and (self.open is None or draft.kind in ("round-opened", *BEFORE_A_ROUND)):
                yield Fact(draft.line, self.days.body(self.due._replace(at=draft.at), self.day, self.days.uid(self.due)))
                self.due = None
            if draft.kind == "round-opened":
                self.open = draft.round
            elif draft.kind == "round-closed" and draft.round == self.open:
                self.open = None
        yield Fact(draft.line, self.days.body(draft, self.day, uid))

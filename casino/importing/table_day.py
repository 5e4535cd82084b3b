"""Convert a vendor's messages to the facts of a table's gaming day. The table is opened before its rounds,
and every fact gets a uid.

The conversion continues from the facts already in the ledger, so the same file, or a later one with the same
messages, records nothing twice. The table is opened once. The profile, not the file, says which kinds of
event the source reports, and the opening names them. If a source reports more kinds than the table was opened
with, the table is opened again between two rounds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from typing import Any, NamedTuple

from msgspec import to_builtins

from audit.facts import canonical
from casino.importing import Conflict, Fact, ImportOptions, Refusal, UsageError
from casino.importing.delivery import BEFORE_A_ROUND, Draft, Key, RecordedDay, key_of, meaning_differs
from casino.reference.derived_uid import uid_of
from casino.reference.gaming_day import DayOf, gaming_days


class Dated(NamedTuple):
    """A draft with its gaming day."""

    draft: Draft
    day: date


class TableDays:
    """Converts the messages of one file about one table to facts of its gaming days."""

    def __init__(
        self,
        options: ImportOptions,
        settings: dict[str, Any],
        source: str,
        sees: Iterable[str],
        day_of: DayOf | None = None,
    ) -> None:
        """Prepare to convert the messages of a feed.

        Args:
            options: The options of the import.
            settings: The fields of table-opened except `edition`, `currency` and `sees`.
            source: The name of the feed.
            sees: The kinds that the source reports, independent of the file. Rules about missing facts depend
                on them.
            day_of: Returns the gaming day of an instant; by default, that of the property.
        """
        assert options.table is not None
        self.sees = frozenset(sees)
        self.options, self.settings, self.source, self.table = options, settings, source, options.table
        self.property = options.table.split("/")[0]
        self.day_of = day_of or gaming_days(self.property)
        self.streams: dict[date, RecordedDay] = {}
        self.days: dict[str, date] = {}

    def facts(self, drafts: Sequence[Draft]) -> Iterator[Fact | Refusal]:
        """Yield the facts of the file in the order of the file. Raise UsageError if no edition is given, and
        Conflict if the stream was opened with other settings.
        """
        dated = list(self._dated(drafts))
        for day in dict.fromkeys(item.day for item in dated):
            self._check(day)
        place = {
            day: _Place(self, day, [item.draft for item in dated if item.day == day])
            for day in {item.day for item in dated}
        }
        for draft, day in dated:
            yield from place[day].facts(draft)

    def recorded(self, day: date) -> RecordedDay:
        """Return the recorded facts of the table's day."""
        if day not in self.streams:
            self.streams[day] = RecordedDay(self.property, f"{self.table}/{day.isoformat()}", self.source)
        return self.streams[day]

    def _dated(self, drafts: Iterable[Draft]) -> Iterator[Dated]:
        """Yield every draft with its gaming day, and a draft of `round-opened` before the first draft of each
        round. A round belongs to the day on which it was opened.
        """
        waiting: list[Draft] = []
        for draft in drafts:
            if draft.kind in BEFORE_A_ROUND:
                waiting.append(draft)
                continue
            opening = [] if draft.round in self.days else [self._opening(draft)]
            day = self.days[draft.round]
            yield from self._shuffles(waiting, draft.round, day)
            waiting.clear()
            yield from (Dated(item, day) for item in (*opening, draft) if item is not None)
        yield from self._shuffles(waiting, "", date.min)

    def _shuffles(self, waiting: Iterable[Draft], round: str, day: date) -> Iterator[Dated]:
        """Yield the waiting drafts, which come before a round (such as shuffles), with their gaming days.
        Drafts that name this round get `day`, the gaming day of the round. All others get the gaming day of
        their own timestamps.
        """
        return (Dated(item, day if item.round == round else self.day_of(item.at)) for item in waiting)

    def _opening(self, first: Draft) -> Draft | None:
        """Return a draft of the fact `round-opened` of a new round. Return None if an earlier file has
        already opened the round with another message.
        """
        today = self.day_of(first.at)
        draft = Draft(first.line, first.at, "round-opened", first.round, {})
        for day in (today, today - timedelta(days=1)):
            if first.round in self.recorded(day).rounds:
                self.days[first.round] = day
                return draft if self.uid(draft) in self.recorded(day).uids else None
        self.days[first.round] = today
        return draft

    def uid(self, draft: Draft) -> str:
        """Return the uid of a draft. It depends only on what identifies the message at its provider, and not
        on the message's other contents.
        """
        if draft.kind == "round-opened":
            return uid_of(draft.at, self.table, draft.kind, draft.round, None)
        return uid_of(draft.at, self.table, draft.kind, draft.round, [draft.place, draft.ordinal])

    def _check(self, day: date) -> None:
        """Raise UsageError or Conflict if the stream cannot be opened, or was opened with other settings."""
        opened = self.recorded(day).opened
        if opened is None:
            if self.options.edition is None:
                raise UsageError(
                    f"{self.table}/{day.isoformat()} is not open yet: give --edition, the edition of"
                    " the manual by which it was dealt"
                )
            return
        begins = f"{self.table}/{day.isoformat()} was opened with"
        if self.options.edition not in (None, opened.edition):
            raise Conflict(
                f"{begins} edition {opened.edition} and is always replayed under it, not under"
                f" {self.options.edition}; to see the result of that edition, import the file as another"
                " table"
            )
        if self.options.currency != opened.currency:
            raise Conflict(
                f"{begins} currency {opened.currency}, not {self.options.currency}: give --currency"
                f" {opened.currency}"
            )

    def body(self, draft: Draft, day: date, uid: str) -> bytes:
        """Return the fact of this draft as JSON."""
        fact: dict[str, Any] = {"uid": uid, "table": self.table, "day": day.isoformat(), "kind": draft.kind}
        fact |= {"at": draft.at.isoformat(timespec="milliseconds"), "source": self.source}
        if draft.kind not in (*BEFORE_A_ROUND, "table-opened"):
            fact["round"] = draft.round
        return canonical(fact | draft.fields)


class _Place:
    """Converts the drafts of one stream. It remembers whether the table must still be opened, and which round
    is open.
    """

    def __init__(self, days: TableDays, day: date, drafts: Sequence[Draft]) -> None:
        self.days, self.day, self.recorded = days, day, days.recorded(day)
        self.open = self.recorded.open
        self.keys = {key_of(draft) for draft in drafts}
        self.sent: dict[Key, tuple[int, bytes]] = {}
        """For each message of this file so far: its line and its body."""
        opened, first = self.recorded.opened, drafts[0]
        in_force = frozenset(opened.sees) if opened is not None else frozenset[str]()
        uid, body = self._table_opened(first, days.sees)
        # If an earlier import of this file recorded the opening, it is sent again and counts as recorded,
        # like the other facts.
        known_opening = self.recorded.openings.get(uid)
        self.first = [body] if opened is None else [known_opening] if known_opening is not None else []
        self.due = opened is not None and not days.sees <= in_force
        self.sees = days.sees | in_force

    def _table_opened(self, first: Draft, sees: Iterable[str]) -> tuple[str, bytes]:
        """Return the uid and the body of the fact `table-opened` that precedes this draft."""
        options, opened = self.days.options, self.recorded.opened
        if opened is None:
            fields = self.days.settings | {
                "edition": options.edition,
                "currency": options.currency,
                "sees": sorted(sees),
            }
        else:
            in_force = to_builtins(opened)
            fields = {name: in_force[name] for name in (*self.days.settings, "edition", "currency")} | {
                "sees": sorted(sees),
                "continues": True,
            }
        fields_now = {name: value for name, value in fields.items() if name != "continues"}
        uid = uid_of(first.at, self.days.table, "table-opened", "", fields_now)
        return uid, self.days.body(Draft(first.line, first.at, "table-opened", "", fields), self.day, uid)

    def facts(self, draft: Draft) -> Iterator[Fact | Refusal]:
        """Yield the draft as a fact. If an opening of the table is due, yield it first. If the same message
        was already delivered with another meaning, yield a refusal.
        """
        for opening in self.first:
            yield Fact(draft.line, opening)
        self.first = []
        key, body = key_of(draft), self.days.body(draft, self.day, self.days.uid(draft))
        if (recorded := self.recorded.find(draft)) is not None:
            differ = meaning_differs(recorded, body)
            yield Refusal(draft.line, f"{_named(draft)} {differ}") if differ else Fact(draft.line, recorded)
        elif key in self.sent:
            line, before = self.sent[key]
            differ = meaning_differs(before, body)
            yield (
                Refusal(draft.line, f"{_named(draft)} {differ} (line {line})")
                if differ
                else Fact(draft.line, before)
            )
        elif other_body := self.recorded.moved_card(draft, self.keys):
            yield Refusal(draft.line, f"{_named(draft)} {meaning_differs(other_body, body)}")
        else:
            self.sent[key] = draft.line, body
            yield from self._fresh(draft, body)

    def _fresh(self, draft: Draft, body: bytes) -> Iterator[Fact]:
        if self.due and (self.open is None or draft.kind in ("round-opened", *BEFORE_A_ROUND)):
            self.due = False
            yield Fact(draft.line, self._table_opened(draft, self.sees)[1])
        if draft.kind == "round-opened":
            self.open = draft.round
        elif draft.kind == "round-closed" and draft.round == self.open:
            self.open = None
        yield Fact(draft.line, body)


def _named(draft: Draft) -> str:
    place = f" to {draft.place}" if draft.kind == "deal" else f" on {draft.place}" if draft.place else ""
    return (
        f"{draft.kind}{place} of round {draft.round}, {draft.at.isoformat(timespec='milliseconds')}: the"
        " message came before and"
    )

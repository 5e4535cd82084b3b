"""Copy the registers from the ledger into tables. The tables can be rebuilt from the ledger at any time.

A person who is named in a register gets a row for a name and a password. Rebuilding preserves these rows,
because names and passwords are not in the ledger.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise

from django.db import connection, transaction

from audit import database
from audit import facts as f
from audit.ledger import store
from audit.models import Head
from casino.accounts.services import end_sessions
from casino.models import ALWAYS, FOREVER, Entry, Person, Property, Standing
from casino.reference.registers import find_departed
from games.kit.events import Event

LETTERS = 200
"""Maximum length of the name of a register or key, which is the limit of the index. Entries with longer names
are not copied to the tables.
"""


def sync_registers(property: str | None = None) -> int:
    """Copy the new entries of a property, by default of all properties, to the tables. Return the number of
    new entries.
    """
    heads = Head.objects.all() if property is None else Head.objects.filter(property=property)
    known = dict(Property.objects.values_list("code", "position"))
    people: set[str] = set()
    behind = [
        (code, position)
        for code, position in heads.values_list("property", "position")
        if known.get(code) != position
    ]
    count = sum(_follow(code, position, people) for code, position in behind)
    _show_out(people)
    return count


def rebuild() -> int:
    """Delete the contents of the tables and build them again from all entries. Return the number of
    entries.
    """
    with transaction.atomic():
        for model in (Standing, Entry, Property):
            model.objects.all().delete()
        return sync_registers()


def load_registers_as_of(property: str) -> None:
    """Load the registers into a temporary table of this connection, as they were at the ledger position that
    `audit.findings.as_of` has set.

    If the connection reads a replica, load nothing, because its tables are read as they are. Raise
    NeedsPrimary if the replica's ledger has register entries that are not in its tables yet.
    """
    if not database.reads_primary():
        position = Property.objects.filter(code=property).values_list("position", flat=True).first()
        if next(_entries(property, position or 0), None) is not None:
            raise database.NeedsPrimary(f"new register entries of {property} must be copied first")
        return
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE TEMP TABLE casino_standing (LIKE public.casino_standing INCLUDING ALL) ON COMMIT DROP"
        )
    entries: dict[tuple[str, str], list[Entry]] = {}
    for entry in _entries(property, 0):
        entries.setdefault((entry.register, entry.key), []).append(entry)
    Standing.objects.bulk_create(row for of in entries.values() for row in periods_in_force(of))


def _show_out(people: set[str]) -> None:
    """End all sessions and revoke all tokens of the people in `people` who have left."""
    if people and (departed := find_departed(people)):
        end_sessions(departed)


@transaction.atomic
def _follow(code: str, upto: int, people: set[str]) -> int:
    """Copy new entries of one property to the tables, up to the ledger position `upto`. Return their number,
    and add the people whom they name to `people`.
    """
    Property.objects.get_or_create(code=code)
    row = Property.objects.select_for_update().get(
        code=code
    )  # only one process at a time projects a property
    if row.position >= upto:
        return 0
    new = list(_entries(code, row.position))
    last = max(upto, *(entry.position for entry in new)) if new else upto
    named = {entry.key for entry in new if entry.register == "people"}
    people |= named
    _show_out(named)  # people who return after leaving do not get their old tokens back
    Entry.objects.bulk_create(new)
    for register, key in dict.fromkeys((entry.register, entry.key) for entry in new):
        entries = list(Entry.objects.filter(property=code, register=register, key=key).order_by("position"))
        Standing.objects.filter(property=code, register=register, key=key).delete()
        Standing.objects.bulk_create(periods_in_force(entries))
    Person.objects.bulk_create(
        [_person(entry.key) for entry in new if entry.register == "people"], ignore_conflicts=True
    )
    for entry in new:
        row.name = row.name if (name := name_in(entry)) is None else name
    row.position = last
    row.save()
    return len(new)


def periods_in_force(entries: list[Entry]) -> Iterator[Standing]:
    """Yield the periods in which the entries of one key are in force.

    On each day, the last entry whose days include that day is in force. An entry with a null value deletes
    the key.

    Args:
        entries: all entries of the key in the order of commit.
    """
    bounds = sorted({bound for entry in entries for bound in (entry.begins, entry.ends)})
    held: list[tuple[Entry, Standing]] = []
    for begins, ends in pairwise(bounds):
        entry = next(
            (entry for entry in reversed(entries) if entry.begins <= begins and ends <= entry.ends), None
        )
        if entry is None or entry.value is None:
            continue
        if held and held[-1][0] is entry and held[-1][1].ends == begins:
            held[-1][1].ends = ends
            continue
        row = Standing(
            property=entry.property,
            register=entry.register,
            key=entry.key,
            value=entry.value,
            begins=begins,
            ends=ends,
        )
        row.uid, row.by, row.second = entry.uid, entry.by, entry.second
        held.append((entry, row))
    yield from (row for _, row in held)


def name_in(entry: Entry) -> str | None:
    """Return the name of the property in an entry of the register `property`, or None for any other entry."""
    value = entry.value if entry.register == "property" else None
    name = value.get("name") if isinstance(value, dict) else None
    return name if isinstance(name, str) else None


def entries_until(property: str, position: int) -> Iterator[Entry]:
    """Yield the register entries that were recorded up to a ledger position, as unsaved `Entry` objects."""
    entries = _entries(property, 0, f.decode_or_none)
    return (entry for entry in entries if entry.position <= position)


def _entries(
    property: str, after: int, decode: Callable[[bytes], Event | None] = f.decode
) -> Iterator[Entry]:
    """Yield the register entries that were recorded after a ledger position, as unsaved `Entry` objects in
    the order of commit.
    """
    for position, _, _, body in store.read_kinds(property, {"register-set"}, after):
        fact = decode(body)
        if isinstance(fact, f.RegisterSet) and max(len(fact.register), len(fact.key)) <= LETTERS:
            yield _entry(property, position, fact)


def may_set_register(lines: Iterable[bytes]) -> bool:
    """Return True if one of the posted lines may be a register entry. The tables of the registers must then
    be updated.
    """
    return any(b'"register-set"' in line for line in lines)


def _entry(property: str, position: int, fact: f.RegisterSet) -> Entry:
    return Entry(
        property=property,
        position=position,
        uid=fact.uid,
        register=fact.register,
        key=fact.key,
        value=fact.value,
        begins=fact.from_ or ALWAYS,
        ends=fact.to or FOREVER,
        by=fact.by,
        second=fact.second,
    )


def _person(id: str) -> Person:
    person = Person(id=id)
    person.set_unusable_password()
    return person

"""The values of register entries: one type for each register.

These types define how entries are validated, the fields of forms, the event reference and the OpenAPI schema.
A value may also have fields that its type does not name; only a threshold may not. Rules that a type cannot
express (about the words of a game, clock changes, and incompatible roles) are in
`audit/replay/register_values.py`.
"""

from __future__ import annotations

import re
from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType, ValidationError, convert, inspect

from audit.facts.account_value import AccountValue as AccountValue
from audit.facts.annotated_fields import NEEDED, inside, marked, needed
from audit.facts.pieces import Par
from audit.facts.pit_map import PitMap
from audit.facts.vocabulary import DEVICE_KINDS, ROLES
from games.kit import fields as t
from games.kit.fields import CLOSED, KNOWN, MINOR, counts, identifier, known, one_of

MOST_AHEAD = 86_400
"""The most seconds that a recorder's clock may be ahead of or behind the property's clock."""


Text = Annotated[str, Meta(pattern=r"\S")]
Role = Annotated[str, one_of("A role.", ROLES)]
TableCode = Annotated[Text, identifier("The code of a table, without the property.", "EOU-01")]
PublicKey = Annotated[
    str,
    needed("an Ed25519 key of 32 bytes in Base64", pattern=r"^[A-Za-z0-9+/]{43}=$"),
    Meta(description="An Ed25519 public key: 32 bytes in Base64.", examples=[f"{'11qYAYKxCrfVS' * 3}TyWQ="]),
]
Clock = Annotated[
    str, needed("a local time such as 06:00"), Meta(description="A local time.", examples=["06:00"])
]
MEANT = {"first": "before the clock is set back", "second": "after the clock is set back"}
ClockChange = Annotated[str, known("Which hour is meant on a day on which it occurs twice.", MEANT)]
Zone = Annotated[
    Text,
    Meta(
        description="The zone of the property's clock, as the IANA list names it.",
        examples=["America/Los_Angeles"],
    ),
]
Named = Annotated[str | list[str], Meta(description="One name, or a list of names.")]
NamedByName = dict[str, Named]
Readings = Annotated[NamedByName, Meta(description="The answers to each open question of the manual.")]
Whole = Annotated[int, Meta(ge=0, le=t.LIMIT)]
AtLeastOne = Annotated[int, Meta(ge=1, le=t.LIMIT)]


Roles = Annotated[
    list[Role], needed("a list of roles"), Meta(description="The roles of a person who has several.")
]
TablesAtOnce = Annotated[
    AtLeastOne, counts("tables", "How many tables a supervisor may have at the same time.", 2)
]


class PersonValue(Struct, frozen=True):
    """Register `people`, key: a staff ID. What a person may do."""

    role: Role | UnsetType = UNSET
    roles: Roles | UnsetType = UNSET
    tables: TablesAtOnce | None = None


class ApprovalValue(Struct, frozen=True, kw_only=True, rename={"from_": "from"}):
    """Register `approvals`, key: the letter. What a regulator's letter allows the property to play. Anything
    that the letter does not name is not restricted.
    """

    game: t.GameCode
    letter: Annotated[Text, Meta(description="The name of the letter.")]
    edition: Annotated[Named, Meta(description="The editions of the game's manual.")] | None = None
    pay_tables: Annotated[NamedByName, Meta(description="The pay tables of each wager.")] | None = None
    readings: Readings | None = None
    from_: Annotated[t.Day, Meta(description="The first day of the letter.")] | None = None
    to: Annotated[t.Day, Meta(description="The first day after the letter expired.")] | None = None
    regulator: Annotated[str, Meta(description="Who wrote the letter.")] = ""
    signed: Annotated[str, Meta(description="Who signed it, for whom and when.")] = ""
    conditions: Annotated[list[str], Meta(description="The letter's conditions, in its own words.")] = []


class PropertyValue(Struct, frozen=True):
    """Register `property`, key `*`. The name and currency of the property."""

    name: Annotated[Text, Meta(description="The name of the property.")] | None = None
    currency: Annotated[t.Currency, Meta(description="The currency of the property.")] | None = None


class DayBeginsValue(Struct, frozen=True):
    """Register `day-begins`, key `*`. When the gaming day begins."""

    time: Clock
    zone: Zone
    clock_change: ClockChange | None = None


class ShiftValue(Struct, frozen=True):
    """Register `shifts`, key: the shift. When the shift begins."""

    begins: Clock
    clock_change: ClockChange | None = None


class PitValue(Struct, frozen=True):
    """Register `pits`, key: the pit. The name of the pit, and the map of its tables."""

    title: Annotated[Text, Meta(description="What the pit is called.")] | None = None
    map: PitMap | UnsetType = UNSET


Decks = Annotated[Whole, counts("decks", "How many decks are in the shoe.", 6)]
Spots = Annotated[
    Whole, counts("betting positions", "How many betting positions there are; 0 means no limit.", 6)
]


class TableValue(Struct, frozen=True):
    """Register `tables`, key: the table's code. The table's pit and the settings with which it is opened, as
    in `table-opened`.
    """

    pit: Annotated[str, identifier("The pit.", "pit-1")] | None = None
    game: t.GameCode | None = None
    edition: t.Edition | None = None
    pay_tables: t.PayTables | UnsetType = UNSET
    decks: Decks | UnsetType = UNSET
    spots: Spots | UnsetType = UNSET
    limits: t.Limits | UnsetType = UNSET
    currency: t.Currency | UnsetType = UNSET
    chip: t.Chip | UnsetType = UNSET
    readings: t.Readings | UnsetType = UNSET
    sees: t.Sees | UnsetType = UNSET
    par: Par | UnsetType = UNSET


class ChipSetValue(Struct, frozen=True):
    """Register `chip-sets`, key: a currency. The denominations of its chips and notes."""

    chips: Annotated[list[t.Amount], Meta(description="What each chip is worth.")] = []
    notes: Annotated[list[t.Amount], Meta(description="What each note is worth.")] = []


Sum = Annotated[Whole, counts(MINOR, "A sum of money in the property's currency.", 50000)]
Points = Annotated[Whole, counts("percentage points", "A distance between two percentages.", 3)]
Confidence = Annotated[Whole, counts("percent", "90, 95 or 99.", 95)]
Weeks = Annotated[Whole, counts("weeks", "How many weeks.", 4)]
People = Annotated[AtLeastOne, counts("people", "How many people.", 2)]
Tables = Annotated[AtLeastOne, counts("tables", "How many tables.", 2)]
Days = Annotated[AtLeastOne, counts("gaming days", "How many gaming days.", 7)]
Minutes = Annotated[AtLeastOne, counts("minutes", "How many minutes.", 30)]


class ThresholdValue(Struct, frozen=True, forbid_unknown_fields=True):
    """Register `thresholds`, key: the requirement. The amount or number from which it applies. It has no
    other fields.
    """

    amount: Sum | UnsetType = UNSET
    points: Points | UnsetType = UNSET
    confidence: Confidence | UnsetType = UNSET
    weeks: Weeks | UnsetType = UNSET
    people: People | UnsetType = UNSET
    tables: Tables | UnsetType = UNSET
    days: Days | UnsetType = UNSET
    minutes: Minutes | UnsetType = UNSET
    duty: Annotated[Text, Meta(description="What must be done then, in words.")] | UnsetType = UNSET
    demand: Annotated[bool, Meta(description="True if it is required.")] | UnsetType = UNSET


Kinds = Annotated[
    list[Annotated[str, one_of("A kind of the property's stream.", DEVICE_KINDS)]],
    Meta(description="The kinds of the property's stream that it may post, about its tables."),
]
Keys = Annotated[list[PublicKey], Meta(max_length=4, description="Keys with which it may sign.")]


class DeviceValue(Struct, frozen=True):
    """Register `devices`, key: the device. The facts that the device may send."""

    tables: Annotated[
        list[TableCode], Meta(description="The tables for which it posts, or `*` for every table.")
    ] = []
    people: Annotated[bool, Meta(description="True if it may name people.")] = False
    house: Annotated[
        bool, Meta(description="True if it may post facts of the property's stream, of the kinds in `kinds`.")
    ] = False
    kinds: Kinds | None = None
    keys: Keys | None = None
    signs: Annotated[bool, Meta(description="True if it must sign its requests: its tokens are refused.")] = (
        False
    )


Link = Annotated[
    Text,
    Meta(
        description="The address of a clip on the recorder, with placeholders for its times.",
        examples=["https://vms.example/play?camera={camera}&from={start}&to={end}"],
    ),
]
VideoAddress = Annotated[
    Text,
    Meta(
        description="The address of a clip as MP4 or HLS, with placeholders for its times.",
        examples=["https://vms.example/{camera}/{start_unix}-{end_unix}.mp4"],
    ),
]
ClockAhead = Annotated[
    int,
    Meta(ge=-MOST_AHEAD, le=MOST_AHEAD),
    counts("seconds", "How far the recorder's clock is ahead of the property's clock.", 3),
]
OverwriteDays = Annotated[
    int,
    Meta(ge=1, le=3650),
    counts("days", "After how many days the recorder overwrites recordings that are not held.", 14),
]


class CameraValue(Struct, frozen=True):
    """Register `cameras`, key: the camera, by its id on the recorder."""

    tables: Annotated[list[TableCode], Meta(description="The tables that the camera shows.")] = []
    link: Link | UnsetType = UNSET
    stream: VideoAddress | UnsetType = UNSET
    clock_ahead: ClockAhead | UnsetType = UNSET
    overwrite_days: OverwriteDays | UnsetType = UNSET


class LogTypeValue(Struct, frozen=True):
    """Register `log-types`, key: the type. A type of entries in the daily log, or a change of a default
    type.
    """

    title: Annotated[Text, Meta(description="What the type is called.")] | UnsetType = UNSET
    used: Annotated[bool, Meta(description="False if the type is no longer offered.")] = True


class ProfileValue(Struct, frozen=True):
    """Register `profile`, key `*`. The jurisdiction's example that the property last adopted."""

    name: Annotated[Text, Meta(description="The name of the example.", examples=["nevada-like"])]


VALUES: dict[str, type[Struct]] = {
    "people": PersonValue,
    "approvals": ApprovalValue,
    "property": PropertyValue,
    "day-begins": DayBeginsValue,
    "shifts": ShiftValue,
    "pits": PitValue,
    "tables": TableValue,
    "chip-sets": ChipSetValue,
    "thresholds": ThresholdValue,
    "devices": DeviceValue,
    "cameras": CameraValue,
    "accounts": AccountValue,
    "log-types": LogTypeValue,
    "profile": ProfileValue,
}
"""For each register: the type of its values."""


def read(register: str, value: Any) -> Struct:
    """Return the value of an entry as its register's type. Raise ValueError with the message `field: reason`
    if it does not have that type or has a word that is not on its list.
    """
    shape = VALUES[register]
    try:
        entry: Struct = convert(value, shape)
    except ValidationError as error:
        raise ValueError(explain(shape, error)) from None
    for word in marked(shape, CLOSED, value):
        if word.text not in word.marks[KNOWN]:
            raise ValueError(f"{word.path}: {word.text!r} is not one of {', '.join(word.marks[KNOWN])}")
    return entry


_STEP = re.compile(r"\.([A-Za-z_]+)|\[")
_NAMED = re.compile(r"Object (missing required|contains unknown) field `([^`]*)`")


def explain(shape: type[Struct], error: ValidationError) -> str:
    """Return `field: reason`, which says what is wrong with a value.

    Args:
        error: the error of `convert`.
    """
    message, _, at = str(error).partition(" - at `")
    of = inspect.type_info(shape)
    assert isinstance(of, inspect.StructType)
    fields = {field.encode_name: field.type for field in of.fields}
    steps = _STEP.findall(at)
    named = _NAMED.match(message)
    if named is not None and named[1].startswith("contains"):
        return f"{named[2]}: unknown field; the fields are {', '.join(fields)}"
    if named is None and not steps:
        return f"it: an object with {', '.join(fields)} is needed"
    name, inner = (named[2], 0) if named is not None else (steps[0], len(steps) - 1)
    return f"{name}: {in_words(fields[name], inner)} is needed"


def in_words(type_: inspect.Type, inner: int = 0) -> str:
    """Return words that describe which value a type needs, for an error message.

    Args:
        inner: how many lists and objects contain the value.
    """
    match type_:
        case inspect.Metadata():
            marks = type_.extra or {}
            if not inner and NEEDED in marks:
                return str(marks[NEEDED])
            return in_words(type_.type, inner)
        case inspect.UnionType():
            return in_words(type_.types[0], inner)
        case inspect.ListType() | inspect.TupleType() | inspect.DictType() if inner:
            return in_words(inside(type_)[-1], inner - 1)
        case inspect.IntType():
            return f"a whole number from {type_.ge or 0:,} to {type_.le or t.LIMIT:,}"
        case inspect.LiteralType():
            return f"one of {', '.join(map(str, type_.values))}"
    return _IN_WORDS.get(type(type_), "another value")


_IN_WORDS: dict[type[inspect.Type], str] = {
    inspect.StrType: "a text",
    inspect.BoolType: "true or false",
    inspect.ListType: "a list",
    inspect.TupleType: "a list of two amounts, the least and the most,",
    inspect.DictType: "an object",
    inspect.DateType: "a date such as 2026-11-27",
}

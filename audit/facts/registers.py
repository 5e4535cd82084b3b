"""The values of register entries: the field `value` of a `register-set`, by register.

Only what cannot be understood is rejected: a word that is on no list, a field that no threshold has, limits
that are invalid. A value may have other fields, unless it is a threshold.
"""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from audit.facts.vocabulary import DEVICE_KINDS, ROLES
from games.kit import fields as t
from games.kit.fields import MINOR, counts, identifier, known, one_of

Role = Annotated[str, one_of("A role.", ROLES)]
TableCode = Annotated[str, identifier("The code of a table, without the property.", "EOU-01")]
Clock = Annotated[str, Meta(description="A local time.", examples=["06:00"])]
MEANT = {"first": "the hour before the clock is put back", "second": "the hour after it"}
ClockChange = Annotated[str, known("Which hour is meant on a day on which it comes twice.", MEANT)]
Named = Annotated[str | list[str], Meta(description="One name, or a list of names.")]


class Person(Struct, frozen=True):
    """Register `people`, key: a staff ID. What a person may do."""

    role: Role | None = None
    roles: Annotated[list[Role], Meta(description="The roles of a person who has several.")] | None = None
    tables: (
        Annotated[int, counts("tables", "How many tables a supervisor may have at the same time.", 2)] | None
    ) = None


class Approval(Struct, frozen=True, rename={"from_": "from"}):
    """Register `approvals`, key: the letter. What a regulator's letter lets the property play; what the
    letter does not name, it leaves open.
    """

    game: t.GameCode
    letter: Annotated[str, Meta(description="The name of the letter.")]
    edition: Annotated[Named, Meta(description="The editions of the game's manual.")] | None = None
    pay_tables: Annotated[dict[str, Named], Meta(description="The pay tables of each wager.")] | None = None
    readings: (
        Annotated[dict[str, Named], Meta(description="The answers to each open question of the manual.")]
        | None
    ) = None
    from_: Annotated[t.Day, Meta(description="The first day of the letter.")] | None = None
    to: Annotated[t.Day, Meta(description="The day on which the letter no longer holds.")] | None = None
    regulator: Annotated[str, Meta(description="Who wrote the letter.")] = ""
    signed: Annotated[str, Meta(description="Who signed it, for whom and when.")] = ""
    conditions: Annotated[list[str], Meta(description="The letter's conditions, in its own words.")] = []


class Property(Struct, frozen=True):
    """Register `property`, key `*`."""

    name: Annotated[str, Meta(description="The name of the property.")] | None = None
    currency: Annotated[t.Currency, Meta(description="The currency of the property.")] | None = None


class DayBegins(Struct, frozen=True):
    """Register `day-begins`, key `*`. When the gaming day begins."""

    time: Clock
    zone: Annotated[
        str,
        Meta(
            description="The zone of the property's clock, as the IANA list names it.",
            examples=["America/Los_Angeles"],
        ),
    ]
    clock_change: ClockChange | None = None


class Shift(Struct, frozen=True):
    """Register `shifts`, key: the shift. When the shift begins."""

    begins: Clock
    clock_change: ClockChange | None = None


class Pit(Struct, frozen=True):
    """Register `pits`, key: the pit."""

    title: Annotated[str, Meta(description="What the pit is called.")] | None = None


class Table(Struct, frozen=True):
    """Register `tables`, key: the table's code. The table's pit and the settings with which it is opened, as
    in `table-opened`.
    """

    pit: Annotated[str, identifier("The pit.", "pit-1")] | None = None
    game: t.GameCode | None = None
    edition: t.Edition | None = None
    pay_tables: t.PayTables | None = None
    decks: t.Decks | None = None
    spots: t.Spots | None = None
    limits: t.Limits | None = None
    currency: t.Currency | None = None
    chip: t.Chip | None = None
    readings: t.Readings | None = None
    sees: t.Sees | None = None


class ChipSet(Struct, frozen=True):
    """Register `chip-sets`, key: a currency. The denominations of its chips and notes."""

    chips: Annotated[list[t.Amount], Meta(description="What each chip is worth.")] = []
    notes: Annotated[list[t.Amount], Meta(description="What each note is worth.")] = []


class Threshold(Struct, frozen=True, forbid_unknown_fields=True):
    """Register `thresholds`, key: the requirement. The amount or number from which it applies. It has no
    other fields.
    """

    amount: (
        Annotated[
            int, Meta(ge=0, le=t.LIMIT), counts(MINOR, "A sum of money in the property's currency.", 50000)
        ]
        | None
    ) = None
    points: (
        Annotated[
            int, Meta(ge=0, le=t.LIMIT), counts("percentage points", "A distance between two percentages.", 3)
        ]
        | None
    ) = None
    confidence: Annotated[int, counts("percent", "90, 95 or 99.", 95)] | None = None
    weeks: Annotated[int, Meta(ge=0, le=t.LIMIT), counts("weeks", "How many weeks.", 4)] | None = None
    people: Annotated[int, Meta(ge=1, le=t.LIMIT), counts("people", "How many people.", 2)] | None = None
    tables: Annotated[int, Meta(ge=1, le=t.LIMIT), counts("tables", "How many tables.", 2)] | None = None
    days: Annotated[int, Meta(ge=1, le=t.LIMIT), counts("gaming days", "How many gaming days.", 7)] | None = (
        None
    )
    duty: Annotated[str, Meta(description="What is due, in words.")] | None = None
    demand: Annotated[bool, Meta(description="True if it is asked for.")] | None = None


class Device(Struct, frozen=True):
    """Register `devices`, key: the device. The facts that the device may send."""

    tables: Annotated[
        list[TableCode], Meta(description="The tables for which it posts, or `*` for every table.")
    ] = []
    people: Annotated[bool, Meta(description="True if it may name people.")] = False
    house: Annotated[
        bool, Meta(description="True if it may post facts of the property's stream, of the kinds in `kinds`.")
    ] = False
    kinds: (
        Annotated[
            list[Annotated[str, one_of("A kind of the property's stream.", DEVICE_KINDS)]],
            Meta(description="The kinds of the property's stream that it may post, about its tables."),
        ]
        | None
    ) = None


class Camera(Struct, frozen=True):
    """Register `cameras`, key: the camera, by its id on the recorder."""

    tables: Annotated[list[TableCode], Meta(description="The tables that the camera shows.")] = []


class Account(Struct, frozen=True):
    """Register `accounts`, key: the amount that is posted, for example `win` or `win/high_side`. The account
    to which it is posted.
    """

    number: Annotated[str, Meta(description="The number of the account.", examples=["1010"])]
    name: Annotated[
        str,
        Meta(
            description="The name of the account, with a colon before each part.",
            examples=["Cash:Count room"],
        ),
    ]
    type: Annotated[str, Meta(description="asset, liability, equity, income or expense.", examples=["asset"])]


class Profile(Struct, frozen=True):
    """Register `profile`, key `*`. The jurisdiction's example that the property last adopted."""

    name: Annotated[str, Meta(description="The name of the example.", examples=["nevada-like"])]


VALUES: dict[str, type[Struct]] = {
    "people": Person,
    "approvals": Approval,
    "property": Property,
    "day-begins": DayBegins,
    "shifts": Shift,
    "pits": Pit,
    "tables": Table,
    "chip-sets": ChipSet,
    "thresholds": Threshold,
    "devices": Device,
    "cameras": Camera,
    "accounts": Account,
    "profile": Profile,
}
"""Register to the type of its values."""


WHOLE_FROM = {"amount": 0, "points": 0, "confidence": 0, "weeks": 0, "people": 1, "tables": 1, "days": 1}
"""The minimum of each integer that a threshold may have."""


def check_threshold(value: Any) -> None:
    """Raise ValueError, `field: why`, for a threshold that has an unknown field, or a value of the wrong
    type.
    """
    if not isinstance(value, dict):
        raise ValueError('it: a threshold is an object, such as {"amount": 50000}')
    for name, said in value.items():
        if name not in Threshold.__struct_fields__:
            raise ValueError(
                f"{name}: a threshold has no such field; it has {', '.join(Threshold.__struct_fields__)}"
            )
        if name in WHOLE_FROM:
            least = WHOLE_FROM[name]
            if isinstance(said, bool) or not isinstance(said, int) or not least <= said <= t.LIMIT:
                raise ValueError(f"{name}: a whole number from {least} to {t.LIMIT:,} is needed")
        elif name == "demand" and not isinstance(said, bool):
            raise ValueError(f"{name}: true or false is needed")
        elif name == "duty" and not (isinstance(said, str) and said.strip()):
            raise ValueError(f"{name}: a text is needed")

"""Forms for the registers that describe the property: name and currency, gaming day, shifts, and pits."""

from __future__ import annotations

from functools import cache
from typing import Any, ClassVar

from django import forms
from django.forms.widgets import Script
from msgspec import json

from audit.facts import accepted_form, clock
from audit.facts.pit_map import MOST_COLUMNS, MOST_ROWS
from casino.reference.forms.entry import RegisterForm
from casino.reference.forms.member import member
from casino.reference.registers import values_on

EMPTY_PLACE = "-"
WHICH = (
    ("", "(only if a clock change repeats or skips this time)"),
    (clock.FIRST, "the first occurrence; if the time is skipped, the moment of the change"),
    (clock.SECOND, "the second occurrence; if the time is skipped, the moment of the change"),
)


@cache
def zones() -> list[tuple[str, str]]:
    """Return the IANA time zones that are named after a place, and UTC."""
    return [
        (name, name)
        for name in (
            "UTC",
            *sorted(zone for zone in clock.zone_names() if "/" in zone and not zone.startswith("Etc/")),
        )
    ]


def clock_change_field() -> forms.ChoiceField:
    """Return a field for choosing the first or the second occurrence of an hour that a clock change
    repeats.
    """
    return forms.ChoiceField(
        required=False,
        label="When the clock is changed",
        choices=WHICH,
        help_text="only for a time that a clock change repeats",
    )


class PropertyForm(RegisterForm):
    register, title, only_key = "property", "Property", "*"
    about = "The name of the property, and the currency of its cage."

    name = member("property", "name", max_length=200)
    currency = member("property", "currency", max_length=3, help_text="three capital letters, such as USD")


class DayBeginsForm(RegisterForm):
    register, title, only_key = "day-begins", "Gaming day", "*"
    optional = ("clock_change",)
    about = "The time at which one gaming day ends and the next begins, by the property's clock."

    time = member("day-begins", "time", label="Begins at")
    zone = forms.ChoiceField(choices=zones)
    clock_change = clock_change_field()

    def __init__(self, property: str, data: Any = None, *, key: str = "", standing: Any = None) -> None:
        self.only_key = standing.key if standing is not None else "*"  # type: ignore[misc]
        super().__init__(property, data, key=key, standing=standing)


class ShiftForm(RegisterForm):
    register, title = "shifts", "Shifts"
    about = (
        "The time at which each shift begins. It ends when the next shift begins. A time before the beginning"
        " of the gaming day is after midnight."
    )
    key_label, key_help = "Shift", "its name, such as day, swing, grave"
    renamed: ClassVar[dict[str, str]] = {"begins": "begins_at"}
    optional = ("clock_change",)

    begins_at = member("shifts", "begins", label="Begins at")
    clock_change = clock_change_field()


class MapWidget(forms.Textarea):
    """The lines of a map. The script shows them as places between which tables can be moved, and writes each
    move into the lines.
    """

    def __init__(self) -> None:
        limits = {"data-most-rows": MOST_ROWS, "data-most-columns": MOST_COLUMNS}
        super().__init__({"rows": 4, "cols": 60, "data-arrange": "", **limits})

    @property
    def media(self) -> forms.Media:
        """Return the script that lets people move tables on the map."""
        return forms.Media(js=[Script("catwalk/arrange.js", defer=True)])  # type: ignore[list-item]


class MapField(forms.CharField):
    """The map of a pit: a line for each row, with table codes separated by commas, and `-` for an empty
    place.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(required=False, max_length=2_000, widget=MapWidget, **options)

    def prepare_value(self, value: Any) -> Any:
        """Return a map as text, or the submitted text."""
        if not isinstance(value, list):
            return value
        return "\n".join(", ".join(table or EMPTY_PLACE for table in row) for row in value)

    def clean(self, value: Any) -> list[list[str | None]] | None:
        """Return the rows of the map, or None if it is empty."""
        lines = super().clean(value).replace("\r", "").split("\n")
        rows = [[accepted_form(code) for code in line.split(",")] for line in lines if line.strip()]
        return [[None if code in ("", EMPTY_PLACE) else code for code in row] for row in rows] or None


class PitForm(RegisterForm):
    register, title = "pits", "Pits"
    about = (
        "The pits of the floor, and how their tables are placed on the map. The pit of a table is entered"
        " with the table."
    )
    key_label, key_help = "Pit", "its code, such as pit-1"
    renamed: ClassVar[dict[str, str]] = {"title": "title_of", "map": "map_of"}
    title_of = member("pits", "title", max_length=100, label="Title")
    map_of = MapField(
        label="Map",
        help_text=(
            f"one line for each row of tables; at most {MOST_COLUMNS} codes, separated by commas; - for an"
            " empty place: EOU-01, -, EOU-02"
        ),
    )

    def own_fields(self) -> None:
        """Tell the widget of the map which tables the pit has."""
        pit = str(self.data.get("key") or (self.standing.key if self.standing is not None else ""))
        tables = values_on(self.property, "tables").items()
        codes = sorted(code for code, value in tables if isinstance(value, dict) and value.get("pit") == pit)
        self.fields["map_of"].widget.attrs["data-tables"] = json.encode(codes).decode()

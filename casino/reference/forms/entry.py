"""The base class of all register forms. It has the fields that they share: the key, the first and last day,
and deletion. Each subclass adds the fields of its register's value.

The fields initially show the value in force, and a new entry is created from them. Members of the value
without a field are preserved.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import time, timedelta
from typing import Any, ClassVar

from django import forms
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from audit.facts import accepted_form
from audit.replay.entry_rules import contradiction
from audit.replay.register_values import Place, check
from casino.models import FOREVER, Standing
from casino.presentation.amount_input import parse_amount
from casino.presentation.errors import ActionRejected
from casino.reference import calendar
from casino.reference.entries import Entry
from casino.reference.registers import currency_of, values_on
from games.kit.amounts import decimal

ENDS = ("Minimum", "Maximum")
"""The labels of the two fields of a range."""


class RegisterForm(forms.Form):
    """The form for an entry of one register."""

    register: ClassVar[str] = ""
    title: ClassVar[str] = ""
    about: ClassVar[str] = ""
    key_label: ClassVar[str] = "Key"
    key_help: ClassVar[str] = ""
    only_key: ClassVar[str] = ""
    """The only key of the register, or an empty text if the register may have several keys."""
    renamed: ClassVar[dict[str, str]] = {}
    """For each member of the value whose field has another name: the name of the field."""
    optional: ClassVar[tuple[str, ...]] = ()
    """Members that are left out of the value if their field is empty, or not chosen."""
    begins_tomorrow: ClassVar[bool] = False
    """True if a new entry has the next gaming day as its first day, unless the user changes it."""
    also: ClassVar[tuple[str, ...]] = ()
    """Names of the choices that the user must make before the form can be built, such as the game."""

    key = forms.CharField(max_length=100, strip=False)
    strike = forms.BooleanField(
        required=False,
        label="Delete",
        help_text="from its first day on, the register has no entry for this key",
    )
    begins = forms.DateField(
        required=False,
        label="First gaming day",
        widget=forms.DateInput(attrs={"type": "date"}),
        help_text="empty = always, with all gaming days of the past",
    )
    ends = forms.DateField(
        required=False,
        label="Ends before",
        widget=forms.DateInput(attrs={"type": "date"}),
        help_text="the first gaming day on which the entry no longer applies; empty = until further notice",
    )

    def __init__(
        self, property: str, data: Any = None, *, key: str = "", standing: Standing | None = None
    ) -> None:
        self.property, self.standing = property, standing
        self.stands: Any = standing.value if standing is not None else None
        super().__init__(data)
        self.money = currency_of(property)
        self.own_fields()
        self.order_fields(
            ["key", *(name for name in self.fields if name not in ("key", "strike", "begins", "ends"))]
        )
        self.fields["key"].label, self.fields["key"].help_text = self.key_label, self.key_help
        key = key or self.only_key
        self.initial = {**self.initial_of(self.stands if isinstance(self.stands, dict) else {}), "key": key}
        if standing is not None or self.begins_tomorrow:
            self.initial["begins"] = calendar.gaming_day(property) + timedelta(days=1)
        if standing is not None:
            self.initial["ends"] = None if standing.ends == FOREVER else standing.ends
        if self.only_key or standing is not None:
            self.fields["key"].widget.attrs["readonly"] = True
        if self.is_bound and self.data.get("strike"):
            for name in self.value_fields():
                self.fields[name].required = False

    def own_fields(self) -> None:
        """Add the fields that depend on the property, or on the value in force."""

    def initial_of(self, value: dict[str, Any]) -> dict[str, Any]:
        """Return the initial values of the fields for the value in force."""
        members = {field: member for member, field in self.renamed.items()}
        return {name: value.get(members.get(name, name)) for name in self.value_fields()}

    def value_of(self, values: dict[str, Any]) -> dict[str, Any]:
        """Return the members that the fields give, from the cleaned values of the fields. Members that are
        None are left out.
        """
        members = {field: member for member, field in self.renamed.items()}
        value = {members.get(name, name): values[name] for name in self.value_fields()}
        return value | {name: value[name] or None for name in self.optional}

    def value_fields(self) -> list[str]:
        """Return the names of the fields that belong to the value."""
        return [name for name in self.fields if name not in ("key", "strike", "begins", "ends")]

    def shown_fields(self) -> Iterable[Any]:
        """Return the fields in the order in which the page shows them."""
        return (
            self[name]
            for name in (
                *(() if self.only_key else ("key",)),
                *self.value_fields(),
                "begins",
                "ends",
                "strike",
            )
        )

    def clean_key(self) -> str:
        typed: str = self.cleaned_data["key"]
        key = typed if self.standing is not None and typed == self.standing.key else accepted_form(typed)
        if self.only_key and key != self.only_key:
            raise forms.ValidationError(f"The only key of this register is {self.only_key}.")
        if not key:
            raise forms.ValidationError("Type the key.")
        if self.standing is not None and key != self.standing.key:
            raise forms.ValidationError(
                f"This form changes the entry {self.standing.key}. For another key, open a new entry."
            )
        return key

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        if self.errors:
            return values
        if values["begins"] and values["ends"] and values["begins"] >= values["ends"]:
            self.add_error(
                "ends", "The entry ends before it begins. Choose a later day, or leave the field empty."
            )
            return values
        try:
            values["value"] = None if values["strike"] else self.whole(values)
            self.check_entry(values)
        except ValueError as error:
            field, _, reason = str(error).partition(": ")
            field = self.renamed.get(field, field)
            self.add_error(
                field if field in self.fields else None,
                reason[:1].upper() + reason[1:] if field in self.fields else str(error),
            )
        return values

    def check_entry(self, values: dict[str, Any]) -> None:
        """Raise ValueError with the text `field: reason` if the value is invalid. Raise it also if the entry
        contradicts another entry on its first day.
        """
        begins, ends, today = values["begins"], values["ends"], calendar.gaming_day(self.property)
        place = Place(values["key"], begins, ends, calendar.zone(self.property, begins), today)
        check(self.register, values["value"], place)
        if values["value"] is not None:
            others = values_on(self.property, self.register, begins or today).items()
            if conflict := contradiction(
                self.register, values["key"], values["value"], begins or today, others
            ):
                raise ValueError(f"{conflict.field}: {conflict.why}")

    def whole(self, values: dict[str, Any]) -> Any:
        """Return the complete new value: the members that the fields give, and all other members as in the
        value in force.
        """
        other_fields = (
            {name: value for name, value in self.stands.items() if name not in self.fields}
            if isinstance(self.stands, dict)
            else {}
        )
        return {
            name: value
            for name, value in {**other_fields, **self.value_of(values)}.items()
            if value is not None
        }

    def entry(self) -> Entry:
        """Return the register entry that the form describes."""
        values = self.cleaned_data
        begins, ends = (
            None if day is None else day.isoformat() for day in (values["begins"], values["ends"])
        )
        return Entry(self.register, values["key"], values["value"], begins, ends)


class Amount(forms.CharField):
    """An amount such as `1,250.00`; the cleaned value is in minor units."""

    def __init__(self, currency: str, *, minimum: int = 0, **options: Any) -> None:
        super().__init__(
            max_length=24, widget=forms.TextInput(attrs={"inputmode": "decimal", "size": 14}), **options
        )
        self.currency, self.least = currency, minimum

    def prepare_value(self, value: Any) -> Any:
        return (
            decimal(value, self.currency) if isinstance(value, int) and not isinstance(value, bool) else value
        )

    def clean(self, value: Any) -> Any:
        typed = super().clean(value)
        return amount(typed, self.currency, self.least) if typed else None


class Amounts(Amount):
    """Several amounts, separated by spaces; the cleaned value is in minor units, largest first."""

    def __init__(self, currency: str, **options: Any) -> None:
        super().__init__(currency, minimum=1, **options)
        self.max_length = None
        self.validators = []
        self.widget = forms.TextInput(attrs={"size": 60})

    def prepare_value(self, value: Any) -> Any:
        return (
            "  ".join(decimal(amount_or_text, self.currency) for amount_or_text in value)
            if isinstance(value, list)
            else value
        )

    def clean(self, value: Any) -> Any:
        typed = forms.CharField.clean(self, value)
        amounts = {amount(text, self.currency, self.least) for text in typed.replace(";", " ").split()}
        return sorted(amounts, reverse=True) or None


def amount(typed: str, currency: str, minimum: int = 0) -> int:
    """Parse a typed amount and return it in minor units. Raise ValidationError."""
    try:
        return parse_amount(typed, currency, "amount", minimum=minimum)
    except ActionRejected as wrong:
        expected = str(wrong).partition(": ")[2].partition(", not “")[0]
        raise forms.ValidationError(f"“{typed[:20]}” is not {expected}.") from None


class Clock(forms.TimeField):
    """A local time of day, to the minute. A field of the browser's own would show some users 12 hours."""

    def __init__(self, **options: Any) -> None:
        attributes = {"size": 5, "maxlength": 5, "placeholder": "06:00"}
        super().__init__(widget=forms.TimeInput(format="%H:%M", attrs=attributes), **options)

    def prepare_value(self, value: Any) -> Any:
        return value

    def clean(self, value: Any) -> Any:
        time_of_day = super().clean(value)
        return f"{time_of_day:%H:%M}" if isinstance(time_of_day, time) else None


class Pair(forms.MultiWidget):
    """A widget with two fields for amounts, each with its label."""

    def __init__(self) -> None:
        super().__init__([forms.TextInput(attrs={"inputmode": "decimal", "size": 10}) for _ in ENDS])
        self.use_fieldset = True

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        """Return both fields, with the label before each."""
        parts = self.get_context(name, value, attrs)["widget"]["subwidgets"]
        labeled = (
            (part["attrs"]["id"], end, widget.render(part["name"], part["value"], part["attrs"], renderer))
            for end, widget, part in zip(ENDS, self.widgets, parts, strict=True)
        )
        return format_html_join("", '<label class="bound" for="{}">{} {}</label>', labeled)

    def decompress(self, value: Any) -> list[Any]:
        return value if isinstance(value, list) else [None, None]


class Range(forms.MultiValueField):
    """A minimum and a maximum; the cleaned value is in minor units."""

    def __init__(self, currency: str, **options: Any) -> None:
        self.money = currency
        fields = (Amount(currency, required=False), Amount(currency, required=False))
        super().__init__(fields, widget=Pair(), require_all_fields=False, **options)

    def prepare_value(self, value: Any) -> Any:
        if isinstance(value, list):
            return [
                decimal(amount_or_text, self.money) if isinstance(amount_or_text, int) else amount_or_text
                for amount_or_text in value
            ]
        return value

    def compress(self, data_list: list[Any]) -> Any:
        if (ends := [end for end in data_list if end is not None]) and len(ends) == 1:
            raise forms.ValidationError("Type both the minimum and the maximum, or leave both empty.")
        return ends or None


class Names(forms.CharField):
    """Several names, separated by commas."""

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(map(str, value)) if isinstance(value, list) else value

    def clean(self, value: Any) -> Any:
        return [name for name in map(accepted_form, super().clean(value).split(",")) if name]


class Several(forms.MultipleChoiceField):
    """A list of check boxes."""

    widget = forms.CheckboxSelectMultiple

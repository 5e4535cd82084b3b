"""Forms for the registers of chip sets and of thresholds."""

from __future__ import annotations

import re
from typing import Any, ClassVar

from django import forms

from audit.facts.vocabulary import THRESHOLDS as KNOWN_KEYS
from audit.replay.checks.unconfirmed_deposits import DAYS, THRESHOLD
from audit.replay.register_values import CONFIDENCE
from casino.reference.forms.entry import RegisterForm
from casino.reference.forms.member import member

USUAL = {"points": 3, "confidence": 95, "weeks": 4}


class ChipSetForm(RegisterForm):
    register, title = "chip-sets", "Chip sets"
    about = "The chips of a currency in play, and its notes, by the denominations in which they are counted."
    key_label, key_help = "Currency", "three capital letters, such as USD"

    def own_fields(self) -> None:
        currency = str(
            self.data.get("key") or (self.standing.key if self.standing is not None else self.money)
        )[:3]
        self.fields["chips"] = member(
            "chip-sets", "chips", currency=currency, help_text="values separated by spaces: 100 25 5 1 0.50"
        )
        self.fields["notes"] = member(
            "chip-sets",
            "notes",
            currency=currency,
            required=False,
            help_text="values separated by spaces: 100 50 20",
        )


class ThresholdForm(RegisterForm):
    """The form for an amount from which a control applies."""

    register = "thresholds"
    key_label = "Threshold"
    begins_tomorrow = True
    amount_label: ClassVar[str] = "Amount"

    def own_fields(self) -> None:
        self.fields["amount"] = member(
            "thresholds", "amount", currency=self.money, label=f"{self.amount_label} ({self.money})"
        )


class SecondReviewerForm(ThresholdForm):
    amount_label = "At least"
    title, only_key = "Second reviewer", "second-reviewer"
    about = "If this amount or more was at stake, a verdict needs the signature of a second reviewer."


class AdjustmentForm(ThresholdForm):
    amount_label = "More than"
    title, only_key = "Adjustments", "adjustment"
    about = "Adjustments of more than this are listed at the end of the month."


class OpeningDifferenceForm(ThresholdForm):
    amount_label = "At least"
    title, only_key = "Opening difference", "opening-difference"
    about = (
        "What must be done if an opener differs from the last closer by this amount or more. Smaller"
        " differences are shown too."
    )

    def own_fields(self) -> None:
        super().own_fields()
        self.fields["duty"] = member(
            "thresholds",
            "duty",
            max_length=200,
            label="What must be done",
            help_text="for example: a signed report to the Division",
            initial="a signed report is due",
        )


class StatisticsForm(RegisterForm):
    register, title, only_key = "thresholds", "Statistical review", "statistics"
    about = "How far the hold of a month may be from its base level before it is investigated."
    key_label = "Threshold"
    begins_tomorrow = True

    points = member("thresholds", "points", max_value=100, help_text="percentage points from base level")
    confidence = forms.TypedChoiceField(
        coerce=int,
        choices=[(percent, f"{percent} %") for percent in CONFIDENCE],
        help_text="share of months whose hold is expected inside the interval",
    )
    weeks = member(
        "thresholds",
        "weeks",
        min_value=1,
        max_value=52,
        required=False,
        help_text="how often hold is reviewed",
    )

    def initial_of(self, value: dict[str, Any]) -> dict[str, Any]:
        return USUAL | {
            name: setting for name, setting in super().initial_of(value).items() if setting is not None
        }


class CountTeamForm(RegisterForm):
    register, title, only_key = "thresholds", "Count team", "count-team"
    about = "How many people count a box together; each of them signs."
    key_label = "Threshold"
    begins_tomorrow = True

    people = member(
        "thresholds", "people", max_value=9, help_text="in the count room; another person does the recount"
    )


class DepositConfirmedForm(RegisterForm):
    register, title, only_key = "thresholds", "Confirmation of deposits", THRESHOLD
    about = (
        "For how many gaming days a deposit may wait for the bank's confirmation, before replay reports it."
        f" Without an entry: {DAYS}."
    )
    key_label = "Threshold"
    begins_tomorrow = True

    days = member(
        "thresholds", "days", max_value=366, help_text="gaming days after the one on which it was sent"
    )


class OneTimePasswordsForm(RegisterForm):
    register, title, only_key = "thresholds", "One-time passwords", "one-time-passwords"
    about = (
        "Require one-time passwords from all users who act or sign here. Users who have set them up are"
        " always asked for them."
    )
    key_label = "Threshold"
    begins_tomorrow = True

    demand = member(
        "thresholds",
        "demand",
        label="Required",
        help_text="users without one-time passwords can then only read",
    )


THRESHOLDS: tuple[type[RegisterForm], ...] = (
    SecondReviewerForm,
    AdjustmentForm,
    OpeningDifferenceForm,
    StatisticsForm,
    CountTeamForm,
    DepositConfirmedForm,
    OneTimePasswordsForm,
)
"""The forms for specific thresholds."""


MEMBERS = ("amount", "points", "weeks", "people", "tables", "days", "minutes", "demand")
"""The members of a threshold's value that the form for other thresholds has a field for."""


def members_of(key: str) -> tuple[str, ...]:
    """Return the members that Catwalk reads from the threshold with this key. The result is empty if Catwalk
    does not know the key: a property's own check may read any of them.
    """
    named = re.findall(r"`(\w+)`", KNOWN_KEYS.get(key, ""))
    return tuple(name for name in MEMBERS if name in named)


class AnyThresholdForm(ThresholdForm):
    """The form for any other threshold, for example one that only a check of this property uses."""

    title = "Other thresholds"
    about = (
        "A threshold that a check or report of this property uses, under the key that its documentation"
        " names. Fill in only the fields that the key takes: each field names its keys."
    )
    keys = tuple(key for key in KNOWN_KEYS if key not in {form.only_key for form in THRESHOLDS})
    key_help = f"{', '.join(keys)}, or a key that a check of this property reads"

    points = member("thresholds", "points", label="Percentage points", required=False, max_value=100)
    weeks = member("thresholds", "weeks", required=False, max_value=520)
    people = member("thresholds", "people", required=False, max_value=99)
    tables = member("thresholds", "tables", required=False, max_value=99)
    days = member("thresholds", "days", label="Gaming days", required=False, max_value=366)
    minutes = member("thresholds", "minutes", required=False, max_value=10_080)
    demand = member("thresholds", "demand", label="Required")

    def own_fields(self) -> None:
        """Name at each field the keys that take it. Show only the fields of the key that is changed."""
        super().own_fields()
        self.fields["amount"].required = False
        of_key = members_of(self.standing.key) if self.standing is not None else ()
        for name in MEMBERS:
            if of_key and name not in of_key:
                del self.fields[name]
                continue
            keys = [key for key in self.keys if name in members_of(key)]
            self.fields[name].help_text = f"for {', '.join(keys) or 'a check of this property'}"

    def clean_key(self) -> str:
        key = super().clean_key()
        if key in {form.only_key for form in THRESHOLDS}:
            raise forms.ValidationError(f"The threshold {key} has its own form. Use that form.")
        return key

    def clean(self) -> dict[str, Any]:
        """Refuse a field that the key does not take, because nothing would read it."""
        values = super().clean()
        of_key = members_of(values.get("key", ""))
        if of_key and not values.get("strike"):
            labels = " and ".join(str(self.fields[name].label or name.capitalize()) for name in of_key)
            for name in MEMBERS:
                if name not in of_key and values.get(name) not in (None, "", False):
                    self.add_error(name, f"{values['key']} takes only {labels}. Leave this field empty.")
        return values

    def value_of(self, values: dict[str, Any]) -> dict[str, Any]:
        value = super().value_of(values)
        value |= {"demand": values.get("demand") or None}
        if not any(setting is not None for setting in value.values()):
            raise ValueError("amount: type the amount or number from which the threshold applies")
        return value

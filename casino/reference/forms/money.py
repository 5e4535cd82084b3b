"""Forms of the registers of chips and of thresholds."""

from __future__ import annotations

from typing import Any

from django import forms

from audit.replay.register_values import CONFIDENCE
from casino.reference.forms.entry import Amount, Amounts, RegisterForm

USUAL = {"points": 3, "confidence": 95, "weeks": 4}


class ChipSetForm(RegisterForm):
    register, title = "chip-sets", "Chip sets"
    about = "The chips of a currency that are in play, and its notes, as they are counted by denomination."
    key_label, key_help = "Currency", "three capital letters, such as USD"

    def own_fields(self) -> None:
        currency = str(
            self.data.get("key") or (self.standing.key if self.standing is not None else self.money)
        )[:3]
        self.fields["chips"] = Amounts(
            currency, help_text="what each is worth, with spaces between: 100 25 5 1 0.50"
        )
        self.fields["notes"] = Amounts(currency, required=False, help_text="the same of notes")


class ThresholdForm(RegisterForm):
    """An amount from which something is asked for."""

    register = "thresholds"
    key_label = "Threshold"

    def own_fields(self) -> None:
        self.fields["amount"] = Amount(self.money, label=f"From ({self.money})")


class SecondReviewerForm(ThresholdForm):
    title, only_key = "Second reviewer", "second-reviewer"
    about = "From this amount at stake a verdict of surveillance needs a second reviewer's signature."


class AdjustmentForm(ThresholdForm):
    title, only_key = "Adjustments", "adjustment"
    about = "Adjustments of more than this stand on the list at the end of the month."


class OpeningDifferenceForm(ThresholdForm):
    title, only_key = "Opening difference", "opening-difference"
    about = (
        "What an opener asks for that differs from the last closer by this much. It is told in any case,"
        " whatever the amount."
    )

    def own_fields(self) -> None:
        super().own_fields()
        self.fields["duty"] = forms.CharField(
            max_length=200,
            label="What is due",
            help_text="such as: a signed report to the Division",
            initial="a signed report is due",
        )


class AnyThresholdForm(ThresholdForm):
    """A threshold under another key than those that have forms of their own, for example one that a check of
    the property reads.
    """

    title = "Other thresholds"
    about = (
        "A threshold that a check or report of this property reads, under the key that its documentation"
        " names."
    )
    key_help = "such as tables-per-supervisor or day-closes"

    points = forms.IntegerField(required=False, min_value=0, max_value=100, help_text="percentage points")
    weeks = forms.IntegerField(required=False, min_value=0, max_value=520)
    people = forms.IntegerField(required=False, min_value=1, max_value=99)
    tables = forms.IntegerField(required=False, min_value=1, max_value=99)
    days = forms.IntegerField(required=False, min_value=1, max_value=366, help_text="gaming days")

    def own_fields(self) -> None:
        self.fields["amount"] = Amount(self.money, label=f"From ({self.money})", required=False)

    def clean_key(self) -> str:
        from casino.reference.forms.kinds import FORMS

        key = super().clean_key()
        if key in {form.only_key for form in FORMS.values() if form.register == self.register}:
            raise forms.ValidationError(f"The threshold {key} has a form of its own: use that.")
        return key

    def value_of(self, said: dict[str, Any]) -> dict[str, Any]:
        value = super().value_of(said)
        if not any(each is not None for each in value.values()):
            raise ValueError("amount: type the amount or the number from which something is asked for")
        return value


class StatisticsForm(RegisterForm):
    register, title, only_key = "thresholds", "Statistical review", "statistics"
    about = "How far the hold of a month may lie from its base level before it is investigated."
    key_label = "Threshold"

    points = forms.IntegerField(min_value=0, max_value=100, help_text="percentage points from base level")
    confidence = forms.TypedChoiceField(
        coerce=int,
        choices=[(each, f"{each} %") for each in CONFIDENCE],
        help_text="of a hundred months how many lie inside the interval",
    )
    weeks = forms.IntegerField(
        min_value=1, max_value=52, required=False, help_text="how often it is reviewed"
    )

    def initial_of(self, value: dict[str, Any]) -> dict[str, Any]:
        return USUAL | {name: said for name, said in super().initial_of(value).items() if said is not None}


class CountTeamForm(RegisterForm):
    register, title, only_key = "thresholds", "Count team", "count-team"
    about = "How many count a box together, each with a signature of their own."
    key_label = "Threshold"

    people = forms.IntegerField(
        min_value=1, max_value=9, help_text="of the count room; the recount is one more person's"
    )


class OneTimePasswordsForm(RegisterForm):
    register, title, only_key = "thresholds", "One-time passwords", "one-time-passwords"
    about = (
        "Whether whoever acts or signs here must have set up one-time passwords. Who has set them up is asked"
        " for them in any case."
    )
    key_label = "Threshold"

    demand = forms.BooleanField(
        required=False, label="Demanded", help_text="who has none then reads, and does nothing else"
    )

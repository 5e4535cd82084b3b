"""All register forms by their names in URLs. They are in the order in which a new property needs them."""

from __future__ import annotations

from casino.reference.forms.accounts import AccountForm
from casino.reference.forms.entry import RegisterForm
from casino.reference.forms.games import ApprovalForm, TableForm
from casino.reference.forms.money import (
    AdjustmentForm,
    AnyThresholdForm,
    ChipSetForm,
    CountTeamForm,
    DepositConfirmedForm,
    OneTimePasswordsForm,
    OpeningDifferenceForm,
    SecondReviewerForm,
    StatisticsForm,
)
from casino.reference.forms.places import DayBeginsForm, PitForm, PropertyForm, ShiftForm
from casino.reference.forms.staff import CameraForm, DeviceForm, LogTypeForm, PersonForm

FORMS: dict[str, type[RegisterForm]] = {
    "property": PropertyForm,
    "day-begins": DayBeginsForm,
    "shifts": ShiftForm,
    "pits": PitForm,
    "tables": TableForm,
    "approvals": ApprovalForm,
    "chip-sets": ChipSetForm,
    "people": PersonForm,
    "devices": DeviceForm,
    "cameras": CameraForm,
    "log-types": LogTypeForm,
    "second-reviewer": SecondReviewerForm,
    "adjustment": AdjustmentForm,
    "opening-difference": OpeningDifferenceForm,
    "statistics": StatisticsForm,
    "count-team": CountTeamForm,
    "deposit-confirmed": DepositConfirmedForm,
    "accounts": AccountForm,
    "one-time-passwords": OneTimePasswordsForm,
    "threshold": AnyThresholdForm,
}


def form_named(name: str) -> type[RegisterForm] | None:
    """Return the form of this name, or None."""
    return FORMS.get(name)


def form_of(register: str, key: str) -> str:
    """Return the name of the form for this register and key, or an empty text if there is no form."""
    names = (name for name, form in FORMS.items() if form.register == register and form.only_key in ("", key))
    return next(names, "day-begins" if register == "day-begins" else "")

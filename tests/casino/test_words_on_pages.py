"""The choices in forms are the same words that validation accepts: the closed lists of
`audit.facts.vocabulary`.
"""

from __future__ import annotations

from audit.facts.account_value import ACCOUNT_LETTERS
from audit.facts.registers import VALUES, ThresholdValue
from audit.facts.vocabulary import (
    ADJUSTED,
    DEVICE_KINDS,
    DISPOSITIONS,
    PAPERS,
    REGISTERS,
    ROLES,
    TENDERS,
    THRESHOLDS,
    VERDICTS,
)
from audit.replay.accounts import TYPES
from audit.replay.duties import DUTIES
from casino.cage.services import chips
from casino.count_room import services as count_room
from casino.day_close import queries as day_close
from casino.reference import profiles
from casino.reference.forms.kinds import FORMS
from casino.surveillance import services as surveillance


def test_pages_offer_the_words_that_intake_accepts() -> None:
    assert {
        name: texts_of_name[1] for name, texts_of_name in surveillance.DISPOSITIONS.items()
    } == DISPOSITIONS
    assert set(surveillance.VERDICTS) == set(VERDICTS) - {"withdrawn"}, "it has a key of its own"
    assert set(day_close.WHAT) == set(ADJUSTED)
    assert set(chips.TENDERS) == set(TENDERS) - {"marker"}, "chips are bought with a marker as it is issued"
    assert set(count_room.PAPERS) == set(PAPERS)
    assert set(ROLES) == {*DUTIES, "floor"}


def test_every_register_has_a_form_or_profile_and_every_value_a_check() -> None:
    assert {form.register for form in FORMS.values()} | {"profile"} == set(REGISTERS)
    assert set(VALUES) == set(REGISTERS)


def test_thresholds_of_forms_and_profiles_are_described() -> None:
    forms = {form.only_key for form in FORMS.values() if form.register == "thresholds"} - {""}
    examples = {
        value.key
        for profile in profiles.all_profiles()
        if profile.register == "thresholds"
        for value in profile.values
    }
    assert forms | examples <= set(THRESHOLDS)
    other = FORMS["threshold"].base_fields
    assert set(ThresholdValue.__struct_fields__) - {"amount", "confidence", "duty", "demand"} <= set(other)


def test_form_fields_accept_what_the_registers_accept() -> None:
    """Test that a form field accepts the same values as the register's type. The label and the help text of
    the field are not compared.
    """
    numbers = FORMS["threshold"].base_fields
    assert [(name, numbers[name].min_value) for name in ("weeks", "people")] == [("weeks", 0), ("people", 1)]
    kinds = FORMS["devices"].base_fields["kinds"]
    assert [code for code, _ in kinds.choices] == list(DEVICE_KINDS)
    assert [code for code, _ in FORMS["accounts"].base_fields["type"].choices] == list(TYPES)
    assert FORMS["accounts"].base_fields["name"].max_length == ACCOUNT_LETTERS

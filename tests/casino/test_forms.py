"""A form that is rejected is shown again without the rest of its page. It has the typed values, and the error
is at its field.
"""

from uuid import UUID, uuid4

import pytest

from casino.cage.forms import MarkerForm, SlipRequestForm
from casino.presentation.errors import ActionRejected


def test_a_rejected_form_keeps_its_values_and_shows_the_error_at_the_field() -> None:
    uid = str(uuid4())
    form = MarkerForm({"uid": uid, "player": 'p-"1"', "spot": "3", "amount": "12,50"}, "USD")
    with pytest.raises(ActionRejected, match="Amount: an amount such as") as rejected:
        form.accepted()
    form.reject(rejected.value)
    assert form["player"].attributes == 'name="player" value="p-&quot;1&quot;"'
    assert form["amount"].attributes == 'name="amount" value="12,50" aria-invalid="true"'
    assert form["amount"].error.startswith('<span class="field-error" aria-hidden="true">Amount: an amount')
    assert (form["player"].mark, form["player"].error) == ("", "")
    assert str(form["uid"]) == f'<input type="hidden" name="uid" value="{uid}">'


def test_an_error_of_no_field_is_shown_at_the_head_of_the_form_only() -> None:
    form = MarkerForm({"uid": "no uid", "player": "p-1", "spot": "3", "amount": "12"}, "USD")
    with pytest.raises(ActionRejected, match="no longer valid") as rejected:
        form.accepted()
    form.reject(rejected.value)
    assert form.refused == "This form is no longer valid. Reload the page and try again."
    assert not any(field.mark or field.error for field in form)


def test_an_empty_form_shows_its_initial_values_and_a_new_uid() -> None:
    form, other = MarkerForm(None, "USD", {"spot": "3"}), MarkerForm(None, "USD")
    assert [form[name].value() for name in ("player", "spot", "amount")] == ["", "3", ""]
    assert UUID(str(form["uid"].value())) != UUID(str(other["uid"].value()))


def test_signers_are_shown_again_and_are_not_among_the_accepted_values() -> None:
    labels = {"requested_by": "Floor", "received_by": "Cage"}
    empty, sent = (
        SlipRequestForm(data, (100, 2500), "USD")
        for data in (None, {"uid": str(uuid4()), "chips-2500": "4", "received_by": "c-101"})
    )
    for form in (empty, sent):
        form.add_signers(labels, "f-101")
    assert [field.value() for field in empty.signers()] == ["f-101", ""]
    assert [(field.label, field.value()) for field in sent.signers()] == [("Floor", ""), ("Cage", "c-101")]
    assert [field.name for field in sent.pieces()] == ["chips-2500", "chips-100"]
    assert sent.accepted() == {"uid": sent.data["uid"], "pieces": {"2500": 4}}

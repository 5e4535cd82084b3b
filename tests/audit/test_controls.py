"""Every control that a finding may cite is in the list of controls."""

import re
from inspect import getmembers

import pytest

from audit import controls
from games.kit import citations


def test_a_control_is_cited_with_its_first_regulation() -> None:
    assert controls.cite("OC-04") == "Control OC-04, N.J.A.C. 13:69D-1.21(a)"
    assert controls.cite("CA-08") == "Control CA-08"


def test_an_unknown_control_cannot_be_cited() -> None:
    with pytest.raises(KeyError):
        controls.cite("XX-99")


def test_every_control_that_the_games_cite_is_on_the_list() -> None:
    cited = [
        value for _, value in getmembers(citations) if isinstance(value, str) and value.startswith("Control ")
    ]
    assert cited
    for value in cited:
        assert re.fullmatch(r"Control [A-Z]{2}-[0-9]{2}", value)
        assert value.removeprefix("Control ") in controls.controls()


def test_no_citation_of_a_control_is_marked_as_uncertain() -> None:
    assert len(controls.controls()) == 201
    assert not [
        control.id
        for control in controls.controls().values()
        if any("~" in text for text in control.citations)
    ]

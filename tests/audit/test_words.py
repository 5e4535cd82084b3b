"""Fields with closed lists of words: other words are refused with the list of allowed ones, and recorded
words of earlier releases are still read.
"""

from __future__ import annotations

from typing import Any

import pytest

from audit.facts import KINDS, Refused, check, decode
from audit.facts.annotated_fields import marked
from audit.facts.closed_lists import CODE
from audit.facts.codec import canonical
from audit.facts.vocabulary import DISPOSITIONS, REGISTERS, ROLES, VERDICTS
from games import GAMES
from games.kit.amounts import EXPONENT
from games.kit.currencies import CURRENCIES
from games.kit.fields import CLOSED, KNOWN
from tests.audit.floor import line, opened
from tests.audit.test_facts import prepare, refused
from tests.audit.test_names import FACTS, spelled


@pytest.mark.parametrize("kind", FACTS)
def test_a_word_that_is_on_no_list_is_refused_with_the_words_that_are_allowed(kind: str) -> None:
    for word in marked(KINDS[kind], CLOSED, FACTS[kind]):
        field = field_of(word.path)
        for other in (word.text.upper(), word.text.capitalize(), f"{word.text}s", ""):
            if other in word.marks[KNOWN]:
                continue  # a currency is in upper case anyway
            sent = FACTS[kind] | {field: spelled(FACTS[kind][field], word.text, other)}
            with pytest.raises(Refused) as caught:
                check(line(sent))
            assert (caught.value.code, caught.value.uid) == (CODE, sent["uid"])
            assert field_of(caught.value.field or "") == field
            assert ", ".join(word.marks[KNOWN]) in caught.value.why
        for other in word.marks[KNOWN]:
            fields = (
                {"disposition": None}
                if field == "verdict"
                else {"verdict": DISPOSITIONS.get(other)}
                if field == "disposition"
                else {}
            )
            if field == "register":
                fields = {"value": None}
            prepare(FACTS[kind] | {field: spelled(FACTS[kind][field], word.text, other)} | fields)
        decode(canonical(FACTS[kind] | {field: spelled(FACTS[kind][field], word.text, f"{word.text}s")}))


def field_of(path: str) -> str:
    """Return the field with which a path begins: `grades` for `grades[0]`."""
    return path.partition(".")[0].partition("[")[0]


@pytest.mark.parametrize("currency", ["jpy", "Jpy", "JPY ", "US$", "ZZZ", "XAU", "XTS", "DEM", ""])
def test_a_currency_is_an_active_code_in_capitals(currency: str) -> None:
    assert refused(opened(1) | {"currency": currency}) == (CODE, "currency")


def test_every_currency_is_accepted_and_has_an_exponent() -> None:
    for currency in CURRENCIES:
        prepare(opened(1) | {"currency": currency})
    assert set(EXPONENT) <= set(CURRENCIES)
    assert list(CURRENCIES) == sorted(set(CURRENCIES))


@pytest.mark.parametrize("disposition", DISPOSITIONS)
def test_a_disposition_goes_with_one_verdict(disposition: str) -> None:
    for verdict in VERDICTS:
        sent = FACTS["verdict-given"] | {"verdict": verdict, "disposition": disposition}
        if DISPOSITIONS[disposition] == verdict:
            prepare(sent)
        else:
            assert refused(sent) == (CODE, "disposition")


@pytest.mark.parametrize(
    ("limits", "code", "field"),
    [
        ({"*": [1000, 500]}, "out-of-range", "limits.*"),
        ({"over": [-1, 500]}, "out-of-range", "limits.over"),
        ({"insurance": [1, 500]}, CODE, "limits"),
        ({"Over": [1, 500]}, CODE, "limits"),
        ({"": [1, 500]}, CODE, "limits"),
        ({"*": [500]}, "mistyped", "limits[...]"),
    ],
)
def test_limits_are_least_and_most_of_a_wager_that_the_game_has(
    limits: dict[str, Any], code: str, field: str
) -> None:
    assert refused(opened(1) | {"limits": limits}) == (code, field)
    prepare(opened(1) | {"limits": {"*": [0, 0], "over": [500, 500], "short-side": [1, 10**15]}})


def test_limits_in_the_register_of_tables_are_those_of_its_game() -> None:
    table = FACTS["register-set"] | {"register": "tables", "key": "EOU-01"}
    prepare(
        table
        | {
            "value": {
                "game": "easy_over_under",
                "limits": {"*": [1, 2]},
                "readings": {"rounding": "house"},
                "currency": "EUR",
            }
        }
    )
    for value, code, field in (
        ({"game": "easy_over_under", "limits": {"*": [2, 1]}}, "out-of-range", "value.limits.*"),
        ({"game": "easy_over_under", "limits": {"ante": [1, 2]}}, CODE, "value.limits"),
        ({"game": "easy_over_under", "readings": {"tie": "push"}}, CODE, "value.readings"),
        ({"game": "easy_over_under", "sees": ["bett"]}, CODE, "value.sees"),
        ({"currency": "eur"}, CODE, "value.currency"),
        ({"game": "easy_over_under", "limits": {"*": [500]}}, "mistyped", "value.limits.*"),
        ({"game": "easy_over_under", "limits": {"*": [True, 5]}}, "mistyped", "value.limits.*"),
        ({"game": "easy_over_under", "limits": [1, 2]}, "mistyped", "value.limits"),
        ({"game": "easy_over_under", "sees": "bet"}, "mistyped", "value.sees"),
    ):
        assert refused(table | {"value": value}) == (code, field)


@pytest.mark.parametrize("code", GAMES)
def test_readings_are_questions_of_the_game_and_their_answers(code: str) -> None:
    game = GAMES[code]
    tables = {wager: next(iter(names)) for wager, names in game.pay_tables.items()}
    opening = opened(1) | {"game": code, "edition": next(iter(game.editions)), "pay_tables": tables}
    for question, answers in game.options.items():
        for answer in answers:
            prepare(opening | {"readings": {question: answer}})
        assert refused(opening | {"readings": {question: "maybe"}}) == (CODE, f"readings.{question}")
    assert refused(opening | {"readings": {"weather": "fine"}}) == (CODE, "readings")
    assert refused(opening | {"sees": ["bet", "beat"]}) == (CODE, "sees")


@pytest.mark.parametrize(
    ("value", "field"),
    [
        ({"role": "Dealer"}, "value.role"),
        ({"roles": ["dealer", "croupier"]}, "value.roles[1]"),
        ({"role": ""}, "value.role"),
    ],
)
def test_roles_outside_the_list_are_refused(value: dict[str, Any], field: str) -> None:
    assert refused(FACTS["register-set"] | {"value": value}) == (CODE, field)
    assert refused(FACTS["register-set"] | {"value": "dealer"}) == ("mistyped", "value")
    for role in ROLES:
        prepare(FACTS["register-set"] | {"value": {"role": role}})


@pytest.mark.parametrize(
    ("value", "code", "field"),
    [
        ({"amont": 500}, CODE, "value.amont"),
        ({"amount": "500"}, "mistyped", "value.amount"),
        ({"amount": -1}, "mistyped", "value.amount"),
        ({"people": 0}, "mistyped", "value.people"),
        ({"demand": 1}, "mistyped", "value.demand"),
        (500, "mistyped", "value"),
    ],
)
def test_a_threshold_has_no_other_field(value: Any, code: str, field: str) -> None:
    entry = FACTS["register-set"] | {"register": "thresholds", "key": "adjustment"}
    assert refused(entry | {"value": value}) == (code, field)
    for good in (
        {"amount": 500},
        {"amount": 500, "duty": "a report"},
        {"points": 3, "confidence": 95, "weeks": 4},
        {"demand": True},
        None,
    ):
        prepare(entry | {"value": good})


def test_a_chip_set_names_a_currency_and_unknown_registers_are_refused() -> None:
    entry = FACTS["register-set"] | {"register": "chip-sets", "value": {"chips": [100]}}
    prepare(entry | {"key": "JPY"})
    assert refused(entry | {"key": "jpy"}) == (CODE, "key")
    assert refused(entry | {"register": "Chips"}) == (CODE, "register")
    from audit.facts.registers import VALUES

    assert set(VALUES) == set(REGISTERS)


def test_a_new_word_of_an_open_list_is_recorded_and_judged_by_replay() -> None:
    for kind, field in (("announce", "what"), ("mark", "side"), ("choose", "choice"), ("deal", "to")):
        prepare(FACTS[kind] | {field: "nonsense"})

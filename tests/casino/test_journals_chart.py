"""The chart of accounts. An invalid account is refused, and so is a second account with the same name. A
register entry that cannot be read is skipped.
"""

from __future__ import annotations

from datetime import date

import pytest

from audit.replay.register_values import Place, check
from casino.accounts.permissions import RIGHTS
from casino.reference import profiles
from casino.reference.chart import POSTED, Account, Chart
from games import GAMES
from tests.audit.floor import fact
from tests.casino.books import map_accounts
from tests.casino.conftest import Cast
from tests.casino.test_admin import SET, text
from tests.casino.test_reference_data import look, sign, value_of
from tests.casino.test_reports import record

CAGE = {"number": "1000", "name": "Cash:Cage", "type": "asset"}


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("drops", CAGE, "key: 'drops' is not a posted amount"),
        (
            "drop",
            [],
            "it: an object with number, name, type, class, department, location",
        ),
        ("drop", CAGE | {"number": "10 10"}, "number: "),
        ("drop", CAGE | {"number": 1010}, "number: "),
        ("drop", CAGE | {"number": "12345678901"}, "number: "),
        ("drop", CAGE | {"name": "=HYPERLINK()"}, "name: "),
        ("drop", CAGE | {"name": "Cash:"}, "name: "),
        ("drop", CAGE | {"name": "Cash\tCage"}, "name: "),
        ("drop", CAGE | {"name": 'Cash "Cage"'}, "name: "),
        ("drop", CAGE | {"type": "cash"}, "type: one of asset, liability, equity, income, expense is needed"),
    ],
)
def test_an_invalid_account_is_refused_with_its_field(key: str, value: object, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        check("accounts", value, Place(key))


@pytest.mark.parametrize("key", [*POSTED, "win/high_side", "win/HS-01", "drop/EOU/02"])
def test_every_posting_may_have_an_account_for_a_game_or_table(key: str) -> None:
    check("accounts", CAGE, Place(key))


def test_the_shipped_chart_has_an_account_for_everything_and_for_the_win_of_every_game() -> None:
    profile = profiles.get_profile("chart-of-accounts")
    assert profile is not None
    entries = {value.key: value.more for value in profile.values}
    assert entries.keys() == {*POSTED, *(f"win/{game}" for game in GAMES)}
    for key, value in entries.items():
        check("accounts", value, Place(key))
    names = {(value["number"], value["name"], value["type"]) for value in entries.values()}
    assert len({number for number, *_ in names}) == len({name for _, name, _ in names}) == len(names)


def test_an_account_is_entered_by_its_form_and_two_accounts_have_two_names(cast: Cast) -> None:
    assert sign(cast, "accounts", key="drop", **CAGE).status_code == 302
    assert value_of("accounts", "drop") == CAGE
    for typed, says in (
        (
            {"number": "1000", "name": "Cash:Vault"},
            "drop is posted to the account 1000, named “Cash:Cage”, type asset",
        ),
        ({"number": "1001", "name": "Cash:Cage"}, "each account needs a name of its own"),
        ({"number": "1001", "name": "@Cash"}, "A name of letters, digits, spaces"),
    ):
        answer = look(cast, "accounts", key="fills", type="asset", **typed)
        assert (answer.status_code, says in text(answer)) == (400, True), typed
    assert look(cast, "accounts", key="tips", **CAGE).status_code == 400
    assert sign(cast, "accounts", key="fills", **CAGE).status_code == 302, (
        "two things may stand on one account"
    )


def test_only_administrators_of_registers_see_the_form(cast: Cast) -> None:
    codes = {
        name: cast.browser(name).get(f"{SET}accounts/").status_code for name in ("Mia", "Alma", "Dana", "Eve")
    }
    keeps = {
        name: "set-register" in RIGHTS[role]
        for name, role in (("Mia", "administrator"), ("Alma", "accounting"), ("Dana", "surveillance"))
    }
    assert (
        {name for name, code in codes.items() if code == 200}
        == {name for name, may in keeps.items() if may}
        == {"Mia"}
    )


def test_an_invalid_or_removed_account_entry_is_skipped(house) -> None:
    entries = [("drop", {"number": "="}), ("fills", CAGE), ("fills", None), ("win", CAGE)]
    fields = {"table": "aurora/house", "register": "accounts", "from": None, "by": "m", "second": "n"}
    facts = [
        fact(place, kind="register-set", key=key, value=value, **fields)
        for place, (key, value) in enumerate(entries, 1)
    ]
    record(facts)
    chart, day = Chart("aurora"), date(2026, 11, 27)
    accounts = {key: chart.account(key, "high_side", "HS-01", day, 10**6) for key in ("drop", "fills", "win")}
    assert accounts == {"drop": None, "fills": None, "win": Account(**CAGE)}
    assert Chart("aurora", until=1).entries == []


def test_entries_signed_together_apply_together_and_the_narrowest_key_wins(house) -> None:
    map_accounts()
    chart = Chart("aurora")
    named = {
        game: chart.account("win", game, "T1", date(2026, 11, 27), 0)
        for game in ("high_side", "lucky_7", "whist")
    }
    assert [account and account.number for account in named.values()] == ["4030", "4070", "4000"]
    assert chart.account("win", "high_side", "T1", date(2019, 12, 31), 0) is None, (
        "it holds from its first day on"
    )

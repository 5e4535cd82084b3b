"""The search over all hands. The result of each filter is compared with hands that are read from the facts
alone. Other tests are about sort orders, pages, rights and invalid parameters.
"""

from __future__ import annotations

from datetime import date
from typing import Any
from urllib.parse import urlencode

import pytest
from django.db import connection

from audit import database
from audit.findings import examine as findings
from audit.queries import round_search
from audit.review import hands
from audit.review.queue import NOTICE_RANK
from casino.accounts import services as accounts
from casino.models import Person
from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from casino.sample import honest_day
from casino.surveillance import search_filters, search_views
from casino.surveillance import services as surveillance
from casino.surveillance.services import Words
from games.kit.cards import RANKS
from tests.casino.conftest import Api, Cast
from tests.casino.hands_from_facts import FILTERS, ZONE, all_hands, cards, shift
from tests.casino.nights import DAY, officers, record, troubled_day
from tests.casino.pages import text
from tests.casino.test_pages import a_hand, browser, opened
from tests.counted_queries import counted_queries
from tests.furnished import furnishing
from tests.search_filters import API, SURVEILLANCE, for_officers, for_programs, with_table

QUERIES = 17
"""The largest number of queries that a page may need."""


@furnishing
def four_games() -> Cast:
    """Record two gaming days at two properties, with tables of four games, findings and a verdict."""
    cast = Cast()
    officers(1_000_000)
    tables = {"EOU-07": ("pit-1", None), "AB-1": ("pit-2", "2026-11-28"), "L7-1": ("pit-1", None)}
    entries = [Entry("day-begins", "*", {"time": "06:00", "zone": ZONE})]
    entries += [Entry("pits", pit, {"title": pit}) for pit in ("pit-1", "pit-2")]
    entries += [Entry("tables", table, {"pit": pit}, ends=to) for table, (pit, to) in tables.items()]
    set_registers("aurora", entries, by="m-101", second="m-102")
    record([with_player(fact) for fact in troubled_day(times=1)])
    for number, (game, table, day) in enumerate(
        (
            ("andar_bahar", "AB-1", DAY),
            ("andar_bahar", "AB-1", date(2026, 11, 28)),
            ("lucky_7", "L7-1", DAY),
            ("high_side", "HS-1", DAY),
        )
    ):
        record(honest_day(game, seed=number, property="aurora", table=table, day=day, rounds=8))
    record(honest_day("lucky_7", seed=9, property="borealis", table="L7-1", day=DAY, rounds=3))
    row = a_hand("late-bet")
    dana = Person.objects.get(pk="v-101")
    surveillance.give_verdict(dana, *opened(row), Words("confirmed", "patron_action"))
    findings.examine()
    return cast


def with_player(fact: dict[str, Any]) -> dict[str, Any]:
    """Return the fact. If it is a bet at the first spot, the player `p-1` is added."""
    return fact | {"player": "p-1"} if fact["kind"] == "bet" and fact["spot"] == "1" else fact


def hands_of(params: dict[str, str], property: str = "aurora") -> list[tuple[str, str]]:
    wanted = search_filters.read(property, params)
    return [(row.stream, row.hand) for row in round_search.page(wanted.search, 1_000)]


def test_every_filter_finds_what_the_facts_say(four_games: Cast) -> None:
    every = all_hands()
    player = next(spot for hand in every for spot, *_ in hand.places if spot.startswith("p-"))
    named = {"PLAYER": player, "SHIFT": shift(every[0])}
    differs, empty = [], []
    for name, (params, fits) in FILTERS.items():
        params = {key: named.get(value, value) for key, value in params.items()}
        if name == "player":
            fits = lambda hand: any(spot == player for spot, *_ in hand.places)  # noqa: E731
        if name == "shift":
            fits = lambda hand: shift(hand) == named["SHIFT"]  # noqa: E731
        expected = {(hand.stream, hand.name) for hand in every if fits(hand)}
        if set(hands_of(params)) != expected:
            differs.append((name, set(hands_of(params)) ^ expected))
        if not expected or len(expected) == len(every):
            empty.append(name)
        few_rows = round_search.page(search_filters.read("aurora", params).search, 1_000, is_selective=True)
        assert {(row.stream, row.hand) for row in few_rows} == set(hands_of(params))
    assert not differs
    assert set(empty) <= {"shift"}, "a filter that fits nothing or everything proves nothing"


def test_each_filter_is_tested_against_the_facts() -> None:
    named = {name for params, _ in FILTERS.values() for name in params}
    assert named - {"currency"} == set(search_filters.BY_NAME)


def test_the_guides_list_the_filters() -> None:
    for path, table in ((SURVEILLANCE, for_officers()), (API, for_programs())):
        assert with_table(path.read_text(), table) == path.read_text(), "python -m tests.search_filters"


def test_every_order_pages_without_a_gap(four_games: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    for sort in search_filters.SORTS:
        wanted = search_filters.read("aurora", {"sort": sort}).search
        all_rows = round_search.page(wanted, 1_000)
        assert {(row.stream, row.hand) for row in all_rows} == {
            (hand.stream, hand.name) for hand in all_hands()
        }
        keys = [
            round_search.parse_key(round_search.key_of(row, wanted.order), wanted.order) for row in all_rows
        ]
        assert keys == sorted(keys, reverse=wanted.descending)
        paged: list[round_search.Found] = []
        after = None
        while True:
            page = round_search.page(wanted, 7, after)
            paged += page[:7]
            if len(page) <= 7:
                break
            after = round_search.parse_key(round_search.key_of(paged[-1], wanted.order), wanted.order)
        assert paged == all_rows


def test_totals_are_the_sums_of_the_rows(four_games: Cast) -> None:
    wanted = search_filters.read("aurora", {"grade": "money"}).search
    rows = round_search.page(wanted, 1_000)
    (total,) = round_search.totals(wanted)
    assert total.rounds == len(rows) > 0
    assert (total.to_player, total.to_house) == (
        sum(row.to_player for row in rows),
        sum(row.to_house for row in rows),
    )


def test_a_search_finds_hands_of_its_property_only(four_games: Cast) -> None:
    assert {stream.split("/")[0] for stream, _ in hands_of({}, "borealis")} == {"borealis"}
    assert len(hands_of({}, "borealis")) == 3
    assert hands_of({"table": "EOU-07"}, "borealis") == []
    dana = browser("v-101")
    assert dana.get("/hands/?property=borealis").status_code == 403
    assert dana.get("/hands/complete/?property=borealis&typed=d").status_code == 403
    door = Api(accounts.issue_token(made_by="m-101", person="v-101"))
    assert door.get("/api/v1/rounds/search?property=borealis").status_code == 403
    assert "borealis" not in door.get("/api/v1/rounds/search?page_size=1000").content.decode()


def test_a_new_verdict_and_a_flag_are_found_at_once(four_games: Cast) -> None:
    row = a_hand("too-few-shakes")
    assert (row.stream, row.hand) not in hands_of({"officer": "v-102"})
    dora = Person.objects.get(pk="v-102")
    surveillance.give_verdict(dora, *opened(row), Words("dismissed", "capture_error"))
    assert (row.stream, row.hand) in hands_of(
        {"officer": "v-102", "verdict": "dismissed", "state": "decided"}
    )
    quiet = next(hand for hand in all_hands() if hand.queued is None)
    played = hands.played("aurora", quiet.stream, quiet.name)
    assert played is not None
    surveillance.flag_hand(dora, played, "look again")
    assert hands_of({"code": "flagged"}) == [(quiet.stream, quiet.name)]
    assert not findings.reexamine(dry_run=True).differences.listed


def test_hands_without_findings_can_be_chosen_for_a_case(four_games: Cast) -> None:
    row = a_hand("too-few-shakes")
    quiet = next(hand for hand in all_hands() if hand.queued is None and hand.stream == row.stream)
    dana = browser("v-101")
    address = f"/hands/?{urlencode({'table': 'EOU-07', 'day_from': str(DAY)})}"
    assert f'aria-label="Choose EOU-07 {quiet.name}">' in dana.get(address).content.decode()
    both_hands = [f"{row.stream}|{row.hand}", f"{quiet.stream}|{quiet.name}"]
    chosen = text(dana.post("/queue/chosen/", {"hand": both_hands}))
    assert "1 more chosen hand without a finding or a flag needs no verdict" in " ".join(chosen.split())
    taken = text(dana.post("/queue/assign/", {"hand": both_hands, "owner": ["", ""], "to": "me"}))
    assert "1 hand assigned to you. 1 hand without a finding or a flag left out." in taken
    snoozed = text(dana.post("/queue/snooze/", {"hand": both_hands, "minutes": "15"}))
    assert "1 hand without a finding or a flag left out." in snoozed
    assert "None of these hands is in the queue." in text(
        dana.post("/queue/chosen/", {"hand": both_hands[1:]})
    )
    case = text(dana.post("/cases/new/", {"hand": both_hands}))
    assert row.hand in case
    assert quiet.name in case


BAD = (
    ("dealer", ","),
    ("dealer", ",".join(f"d-{n}" for n in range(search_filters.VALUES + 1))),
    ("dealer", "d" * 201),
    ("card", "1z"),
    ("code", "no-such-code"),
    ("grade", "worst"),
    ("state", "done"),
    ("verdict", "perhaps"),
    ("game", "chess"),
    ("staked_from", "ten"),
    ("paid_from", "-5"),
    ("difference_from", "1e5"),
    ("day_from", "2026-13-01"),
    ("date_last", "yesterday"),
    ("currency", "usd"),
    ("sort", "luck"),
    ("nobody", "x"),
)


def test_amounts_name_their_currency_and_notices_need_no_verdict(four_games: Cast) -> None:
    dana = browser("v-101")
    shown = text(dana.get("/hands/?table=EOU-07"))
    assert "At stake, USD" in shown
    assert "Difference, USD" in shown
    assert "amounts in USD; difference: + to the player, − to the casino" in shown
    database.execute(
        "UPDATE round_tally SET rank = %s, state = 'open' WHERE stream = %s",
        [NOTICE_RANK, f"aurora/EOU-07/{DAY}"],
    )
    rows = dana.get("/hands/?table=EOU-07").content.decode().partition("<tbody")[2]
    assert "not queued" in rows
    assert "to do" not in rows


def test_an_invalid_amount_is_refused_in_a_whole_sentence(four_games: Cast) -> None:
    shown = text(browser("v-101").get("/hands/?difference_from=abc"))
    assert "difference_from: give an amount such as 125.00" in shown
    assert "not “abc”. Nothing was searched." in shown


def test_an_invalid_parameter_is_refused_with_the_reason(four_games: Cast) -> None:
    dana, door = browser("v-101"), Api(accounts.issue_token(made_by="m-101", person="v-101"))
    for name, value in BAD:
        query = urlencode({name: value})
        page = dana.get(f"/hands/?{query}")
        assert page.status_code == 400, name
        assert f"{name}: " in text(page), name
        answer = door.get(f"/api/v1/rounds/search?{query}")
        assert answer.status_code == 400, name
        problem = answer.json()
        assert (problem["field"], bool(problem["detail"])) == (name, True)
    for query in (
        "after=nothing",
        "after=a|b|c",
        "dealer=a&dealer=b",
        "day_from=2026-11-28&day_last=2026-11-27",
    ):
        assert dana.get(f"/hands/?{query}").status_code == 400, query
    assert door.get("/api/v1/rounds/search?cursor=abc").status_code == 400


@pytest.mark.usefixtures("contexts")
def test_the_rest_api_pages_through_the_same_hands_as_the_page(four_games: Cast) -> None:
    door = Api(accounts.issue_token(made_by="m-101", person="v-101"))
    params = {"wager": "over", "sort": "staked"}
    address, items = f"/api/v1/rounds/search?{urlencode(params | {'page_size': '5'})}", []
    while address:
        answer = door.get(address)
        items += answer.json()["items"]
        cursor = answer.json()["next"]
        address = (
            f"/api/v1/rounds/search?{urlencode(params | {'page_size': '5', 'cursor': cursor})}"
            if cursor
            else ""
        )
    assert [(item["stream"], item["round"]) for item in items] == hands_of(params)
    page = browser("v-101").get(f"/hands/?{urlencode(params)}")
    shown = [(row.hand.stream, row.hand.hand) for row in page.context["rows"]]
    assert shown == hands_of(params)[: search_views.PAGE]
    assert page.context["count"] == len(items)


def test_a_page_and_its_completion_take_few_queries(
    four_games: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    dana = browser("v-101")
    dana.get("/hands/")  # fill the caches that are valid for minutes
    for address in (
        "/hands/",
        "/hands/?grade=money&wager=over&sort=-difference",
        "/hands/complete/?typed=card:7",
    ):
        with counted_queries() as queries:
            assert dana.get(address).status_code == 200
        assert len(queries) <= QUERIES, address
        monkeypatch.setattr(search_views, "PAGE", 3)
        with counted_queries() as fewer:
            dana.get(address)
        assert len(fewer) == len(queries), "the number of queries does not grow with the rows"
        monkeypatch.undo()


@pytest.mark.usefixtures("contexts")
def test_completion_counts_the_hands_that_each_choice_leaves(four_games: Cast) -> None:
    dana = browser("v-101")

    def choices(typed: str, **params: str) -> list[Any]:
        query = urlencode({"typed": typed, **params})
        return list(dana.get(f"/hands/complete/?{query}").context["choices"])

    every = all_hands()
    by_text = {choice.text: choice for choice in choices("card: 7")}
    assert by_text["7 of any suit"].query == "property=aurora&card=7"
    for suit, sign in search_filters.SUIT_SIGNS.items():
        holding = sum(f"7{suit}" in cards(hand) for hand in every)
        assert holding == (by_text[f"7{sign}"].rounds if holding else 0)
    (dealer,) = choices("dealer: d-101", game="easy_over_under")
    assert dealer.rounds == sum(
        hand.seated["dealer"] == "d-101" and hand.opened["game"] == "easy_over_under" for hand in every
    )
    assert [choice.text for choice in choices("difference: 25")] == ["25.00 USD or more"]
    assert choices("difference: much") == []
    assert "dealer" in {choice.label for choice in choices("dea")}
    assert all(rank in RANKS for rank in "7Q")


def test_a_typed_filter_is_added_without_script_and_an_invalid_one_explained(four_games: Cast) -> None:
    dana = browser("v-101")
    answer = dana.get("/hands/add/?typed=dealer: d-101&grade=money")
    assert (answer.status_code, answer["Location"]) == (
        302,
        "/hands/?property=aurora&dealer=d-101&grade=money",
    )
    answer = dana.get(answer["Location"])
    assert "dealer d-101" in text(answer)
    assert "Money" in text(answer)
    answer = dana.get("/hands/add/?typed=difference: very much")
    assert answer.status_code == 400
    assert "matches no filter" in text(answer)


def test_searches_are_in_the_viewing_log(four_games: Cast) -> None:
    browser("v-101").get("/hands/?dealer=d-101&difference_from=5")
    with connection.cursor() as cursor:
        cursor.execute("SELECT person, property, hand, address FROM viewing ORDER BY id DESC LIMIT 1")
        ((person, property, entry, address),) = cursor.fetchall()
    assert (person, property) == ("v-101", "aurora")
    assert "dealer d-101; difference 5.00 USD or more" in entry
    assert address == "/hands/?property=aurora&dealer=d-101&difference_from=5"


@pytest.mark.usefixtures("contexts")
def test_a_typed_date_is_completed_however_it_is_written(four_games: Cast) -> None:
    dana = browser("v-101")
    for typed in ("date: 27 nov 2026", "date: 27.11.2026 to Nov 28, 2026"):
        answer = dana.get("/hands/complete/", {"property": "aurora", "typed": typed})
        choice = answer.context["choices"][0]
        assert "date_from=2026-11-27" in choice.query
        assert choice.text.startswith("27 Nov 2026")

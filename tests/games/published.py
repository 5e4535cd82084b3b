"""Exact odds from an independent computation, one row for each wager."""

from __future__ import annotations

from typing import Any, NamedTuple


class Row(NamedTuple):
    """Published odds of one wager: edge as a fraction, variance with four decimals, and hit frequency in
    percent with three.
    """

    game: str
    wager: str
    pay_table: str | None
    decks: int
    reading: dict[str, Any]
    edge: str
    variance: str
    hit: str
    otherwise: str = ""
    """The pay table or house-rule option of the row, if it is not the game's default."""


EOU, AB, L7 = "easy_over_under", "andar_bahar", "lucky_7"
COU, HS = "casino_over_under", "high_side"
TP, BTP = "teen_patti", "bet_on_teen_patti"


def short(roll: int, doubles: bool, edge: str, variance: str, hit: str) -> Row:
    return Row(EOU, "short-side", None, 6, {"roll": roll, "doubles": doubles}, edge, variance, hit)


def pair(game: str, wager: str) -> tuple[Row, Row]:
    return (
        Row(game, wager, "ezugi", 1, {}, "242/5525", "15.0736", "25.611"),
        Row(game, wager, "ezugi", 1, {}, "248/5525", "9.6324", "25.611", "100-40-30-5-4-1"),
    )


def six(game: str) -> tuple[Row, ...]:
    return (
        Row(game, "3+3", "ezugi", 1, {"steel-wheel": "straight-flush"}, "15306/149695", "27.0200", "7.280"),
        Row(game, "3+3", "ezugi", 1, {"steel-wheel": "flush"}, "20334/195755", "26.6617", "7.280"),
        Row(game, "3+3", "ezugi", 1, {"steel-wheel": "nothing"}, "15123/145418", "26.6590", "7.279"),
        Row(
            game,
            "3+3",
            "ezugi",
            1,
            {"steel-wheel": "straight-flush"},
            "12816/149695",
            "29.6850",
            "7.280",
            "1000-200-100-20-15-10-7",
        ),
    )


ROWS = (
    Row(EOU, "over", None, 6, {}, "5/156", "0.9381", "46.154"),
    Row(EOU, "under", None, 6, {}, "5/156", "0.9381", "46.154"),
    Row(EOU, "spread", "A", 6, {}, "7/234", "7.2598", "23.932"),
    Row(EOU, "spread", "B", 6, {}, "2/39", "6.0828", "23.932"),
    *(short(roll, False, "1/26", "4.6331", "15.385") for roll in (3, 11)),
    *(short(roll, False, "1/26", "2.7870", "23.077") for roll in (4, 10)),
    *(short(roll, False, "1/26", "1.8639", "30.769") for roll in (5, 9)),
    *(short(roll, False, "1/26", "1.3101", "38.462") for roll in (6, 8)),
    *(short(roll, True, "0", "10.1538", "7.692") for roll in (2, 12)),
    *(short(roll, True, "0", "2.7692", "23.077") for roll in (4, 10)),
    *(short(roll, True, "0", "1.2923", "38.462") for roll in (6, 8)),
    Row(EOU, "short-side", None, 6, {}, "2/65", "2.7837", "28.205"),
    Row(COU, "ante", None, 1, {}, "818/16575", "3.9976", "48.766"),
    Row(COU, "ante", None, 2, {}, "2198/68289", "3.9990", "49.195"),
    Row(COU, "ante", None, 4, {}, "6590/277173", "3.9994", "49.406"),
    Row(COU, "ante", None, 6, {}, "13158/626665", "3.9996", "49.475"),
    Row(COU, "ante", None, 8, {}, "21902/1116765", "3.9996", "49.510"),
    Row(COU, "bonus", "figure-1", 1, {}, "652/5525", "4.1453", "22.751"),
    Row(COU, "bonus", "figure-1", 2, {}, "1850/22763", "4.9016", "23.191"),
    Row(COU, "bonus", "figure-1", 4, {}, "1922/30797", "5.3170", "23.408"),
    Row(COU, "bonus", "figure-1", 6, {}, "2702/48205", "5.4607", "23.480"),
    Row(COU, "bonus", "figure-1", 8, {}, "19678/372255", "5.5334", "23.516"),
    Row(COU, "ante", None, 6, {}, "-44929/1253330", "3.1333", "42.242", "a surrender costs half"),
    Row(HS, "bonus", "1", 6, {}, "1/39", "4.9566", "23.932"),
    Row(HS, "bonus", "2", 6, {}, "7/234", "7.2598", "23.932"),
    Row(HS, "bonus", "3", 6, {}, "7/234", "5.4222", "23.932"),
    Row(HS, "bonus", "4", 6, {}, "2/39", "6.0828", "23.932"),
    Row(HS, "bonus", "felt", 6, {}, "17/234", "5.1187", "23.932"),
    Row(HS, "main", None, 6, {"tie": "lose"}, "95/468", "4.7344", "38.462"),
    Row(HS, "main", None, 6, {"tie": "push"}, "8/117", "4.4312", "38.462"),
    Row(HS, "main", None, 6, {"tie": "lose"}, "127/936", "4.5088", "38.462", "a tie loses half"),
    Row(
        HS,
        "main",
        None,
        6,
        {"tie": "lose"},
        "115/936",
        "4.4961",
        "38.462",
        "a tie loses half and pushes on doubles",
    ),
    Row(
        HS,
        "main",
        None,
        6,
        {"tie": "lose"},
        "83/468",
        "4.7185",
        "38.889",
        "a hard-way tie pays the third wager 2:1",
    ),
    Row(
        HS,
        "main",
        None,
        6,
        {"tie": "push"},
        "2/39",
        "4.4675",
        "39.316",
        "a hard-way tie pays the third wager 2:1",
    ),
    Row(AB, "andar", "ezugi", 1, {}, "179/8330", "0.9017", "51.501"),
    Row(AB, "bahar", "ezugi", 1, {}, "25/833", "0.9991", "48.499"),
    Row(AB, "1-5", "ezugi", 1, {}, "61/1190", "2.4205", "27.107"),
    Row(AB, "6-10", "ezugi", 1, {}, "97/4165", "3.4412", "21.705"),
    Row(AB, "11-15", "ezugi", 1, {}, "293/4165", "4.2488", "16.903"),
    Row(AB, "16-25", "ezugi", 1, {}, "79/4165", "3.4522", "21.801"),
    Row(AB, "26-30", "ezugi", 1, {}, "71/833", "12.8847", "6.098"),
    Row(AB, "31-35", "ezugi", 1, {}, "9/119", "22.2548", "3.697"),
    Row(AB, "36-40", "ezugi", 1, {}, "43/833", "46.5195", "1.897"),
    Row(AB, "41+", "ezugi", 1, {}, "41/833", "113.1897", "0.792"),
    Row(AB, "1-5", "ezugi", 1, {}, "-351/4165", "3.1614", "27.107", "3:1"),
    *(Row(L7, wager, "ezugi", 8, {}, "1/26", "0.9408", "46.154") for wager in ("7-up", "7-down")),
    *(
        Row(L7, wager, "ezugi", 8, {}, "1/13", "0.9941", "46.154", "a 7 takes the whole bet")
        for wager in ("7-up", "7-down")
    ),
    Row(L7, "7", "ezugi", 8, {}, "1/13", "10.2249", "7.692"),
    *(Row(L7, wager, "ezugi", 8, {}, "1/100", "0.9801", "50.000") for wager in ("red", "black")),
    *(Row(L7, wager, "ezugi", 8, {}, "1/20", "0.9025", "50.000", "0.9:1") for wager in ("red", "black")),
    Row(L7, "odd", "ezugi", 8, {}, "2/65", "0.8052", "53.846"),
    Row(L7, "even", "ezugi", 8, {}, "2/65", "1.0960", "46.154"),
    Row(L7, "even", "ezugi", 8, {}, "1/13", "0.9941", "46.154", "1:1"),
    Row(TP, "ante", "ezugi", 1, {"a23": "lowest"}, "686689/20358520", "2.6871", "44.913"),
    *pair(TP, "pair-or-better"),
    *six(TP),
    *(
        Row(BTP, wager, "ezugi", 1, {"a23": "lowest"}, "244423/24469375", "0.9790", "49.945")
        for wager in ("player-a", "player-b")
    ),
    *(
        Row(BTP, wager, "ezugi", 1, {"a23": "lowest"}, "-488846/47959975", "1.0194", "49.945", "1 to 0.98")
        for wager in ("player-a", "player-b")
    ),
    *pair(BTP, "pair-a"),
    *pair(BTP, "pair-b"),
    *six(BTP),
)

"""A small example chart of accounts for table games. Accounting replaces the account numbers."""

from casino.reference.profiles import Value

TITLE = "Chart of accounts"
REGISTER = "accounts"
CASH, CHIPS, PLAYERS = "Cash:", "Chips:", "Players:"
GAMES = {
    "easy_over_under": ("4010", "Easy Over Under"),
    "casino_over_under": ("4020", "Casino Over Under"),
    "high_side": ("4030", "High Side"),
    "andar_bahar": ("4040", "Andar Bahar"),
    "teen_patti": ("4050", "Teen Patti"),
    "bet_on_teen_patti": ("4060", "Bet on Teen Patti"),
    "lucky_7": ("4070", "Lucky 7"),
}


def _account(key: str, number: str, name: str, type: str, says: str) -> Value:
    return Value(key, says, more={"number": number, "name": name, "type": type})


VALUES = (
    _account(
        "drop",
        "1010",
        f"{CASH}Count room",
        "asset",
        "Cash from the drop boxes, in the count room.",
    ),
    _account(
        "markers-issued",
        "1010",
        f"{CASH}Count room",
        "asset",
        "The part of the drop that consists of marker slips and not of cash.",
    ),
    _account(
        "markers-paid",
        "1000",
        f"{CASH}Cage",
        "asset",
        "Payments for markers, in the cage.",
    ),
    _account(
        "vouchers",
        "1015",
        "Vouchers",
        "asset",
        "Vouchers from the drop boxes. Clear them against what issued them.",
    ),
    _account("chips", "1030", f"{CHIPS}Tables", "asset", "Chips in the trays of the tables."),
    _account("fills", "1020", f"{CHIPS}Cage", "asset", "Chips of the cage that a fill moved to a table."),
    _account(
        "credits", "1020", f"{CHIPS}Cage", "asset", "Chips that a credit moved from a table back to the cage."
    ),
    _account("markers", "1200", "Markers receivable", "asset", "Markers that players have not paid yet."),
    _account("cage-cash", "1000", f"{CASH}Cage", "asset", "Cash that the cage received from the count room."),
    _account("in-transit", "1005", f"{CASH}In transit", "asset", "Deposits on the way to the bank."),
    _account("bank", "1090", "Bank", "asset", "Deposits that the bank confirmed."),
    _account("bad-debt", "5200", "Bad debt", "expense", "Markers that were written off."),
    _account(
        "recoveries",
        "4900",
        "Bad debt recovered",
        "income",
        "Payments for markers that had been written off.",
    ),
    _account(
        "wagers",
        "2100",
        f"{PLAYERS}Live wagers",
        "liability",
        "Stakes and payments of players at live-dealer tables, who play from their accounts.",
    ),
    _account(
        "adjustments",
        "2110",
        f"{PLAYERS}Adjusted settlements",
        "liability",
        "Amounts that an adjusted settlement still owes to players, or players to the casino.",
    ),
    _account(
        "over-short",
        "5100",
        "Over and short",
        "expense",
        "Differences between two counts of a box, or between a closer and the next opener.",
    ),
    _account("win", "4000", "Table win", "income", "Win of tables whose game has no account of its own."),
    *(
        _account(f"win/{game}", number, f"Table win:{name}", "income", f"Win of all tables of {name}.")
        for game, (number, name) in GAMES.items()
    ),
)
RULES = ()

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
    _account("drop", "1010", f"{CASH}Count room", "asset", "What was dropped lies in the count room."),
    _account(
        "markers-issued",
        "1010",
        f"{CASH}Count room",
        "asset",
        "The paper of a marker is in the drop, and no cash.",
    ),
    _account(
        "markers-paid",
        "1000",
        f"{CASH}Cage",
        "asset",
        "What players paid for their markers lies in the cage.",
    ),
    _account("chips", "1030", f"{CHIPS}Tables", "asset", "Chips in the trays of the tables."),
    _account("fills", "1020", f"{CHIPS}Cage", "asset", "A fill leaves the chips of the cage."),
    _account("credits", "1020", f"{CHIPS}Cage", "asset", "A credit comes back to them."),
    _account("markers", "1200", "Markers receivable", "asset", "Markers that players owe."),
    _account(
        "wagers",
        "2100",
        f"{PLAYERS}Live wagers",
        "liability",
        "Players at live-dealer tables play from their accounts.",
    ),
    _account(
        "adjustments",
        "2110",
        f"{PLAYERS}Adjusted settlements",
        "liability",
        "What an adjusted settlement is settled with.",
    ),
    _account(
        "over-short",
        "5100",
        "Over and short",
        "expense",
        "What two counts, or a closer and the next opener, differ by.",
    ),
    _account("win", "4000", "Table win", "income", "What a table won whose game has no account of its own."),
    *(
        _account(f"win/{game}", number, f"Table win:{name}", "income", f"What the tables of {name} won.")
        for game, (number, name) in GAMES.items()
    ),
)
RULES = ()

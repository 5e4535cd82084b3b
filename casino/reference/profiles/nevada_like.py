"""Example thresholds based on our reading of Nevada's rules and minimum internal control standards. This is
not legal advice.
"""

from casino.reference.profiles import Rule, Value

TITLE = "Nevada-like"
VALUES = (
    Value(
        "second-reviewer",
        "Disputes of 500 or more are told to the Board: a verdict on as much takes a second reviewer.",
        "Nevada patron disputes, as mondaq.com reports them",
        500,
    ),
    Value(
        "opening-difference",
        "An opener that differs by 100 or more asks for a report.",
        amount=100,
        more={"duty": "a signed report is due"},
    ),
    Value(
        "adjustment", "Adjustments of more than 2,000 stand on the list at the end of the month.", amount=2000
    ),
    Value(
        "statistics",
        "A month's hold more than 3 points, or outside 95 %, from base level is investigated.",
        more={"points": 3, "confidence": 95, "weeks": 4},
    ),
)
RULES = (
    Rule(
        "A shift is 8 hours, 24 hours or another part of a day, as the internal controls say.",
        "Table games MICS, note 3",
    ),
    Rule(
        "A signature says who was involved or gave leave; initials are not enough.", "Card games MICS, note 4"
    ),
    Rule(
        "Passwords are asked to be changed every quarter, one active id a person.",
        "Checklist for table games systems",
    ),
)

"""Example thresholds based on our reading of Nevada's rules and minimum internal control standards. This is
not legal advice.
"""

from casino.reference.profiles import Rule, Value

TITLE = "Nevada-like"
VALUES = (
    Value(
        "second-reviewer",
        "Disputes of 500 or more are reported to the Board, so a verdict on this amount needs a second"
        " reviewer.",
        "Nevada patron disputes, as mondaq.com reports them",
        500,
    ),
    Value(
        "opening-difference",
        "If an opener differs by 100 or more, a report is required.",
        amount=100,
        more={"duty": "a signed report is due"},
    ),
    Value("adjustment", "Adjustments of more than 2,000 are listed at the end of the month.", amount=2000),
    Value(
        "statistics",
        "The hold of a month is investigated if it is more than 3 percentage points from base level, or"
        " outside the 95 % interval.",
        more={"points": 3, "confidence": 95, "weeks": 4},
    ),
)
RULES = (
    Rule(
        "A shift lasts 8 hours, 24 hours or another part of a day. The internal controls say which.",
        "Table games MICS, note 3",
    ),
    Rule(
        "A signature names the person who was involved or gave permission; initials are not enough.",
        "Card games MICS, note 4",
    ),
    Rule(
        "Passwords must be changed every quarter, and each person has one active user ID.",
        "Checklist for table games systems",
    ),
)

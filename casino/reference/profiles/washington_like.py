"""Example thresholds based on our reading of Washington's rules (WAC 230-15). This is not legal advice."""

from casino.reference.profiles import Rule, Value

TITLE = "Washington-like"
VALUES = (
    Value(
        "second-reviewer",
        "Surveillance verifies a win of more than 3,000, so a verdict on this amount needs a second"
        " reviewer.",
        "WAC 230-15-320(4)",
        3000,
        beyond=True,
    ),
    Value(
        "opening-difference",
        "If an opener differs by 100 or more, a report is required.",
        amount=100,
        more={"duty": "a signed report is due"},
    ),
    Value("adjustment", "Adjustments of more than 2,000 are listed at the end of the month.", amount=2000),
    Value(
        "count-team",
        "Three people count a box, or two if gross gambling receipts of the last fiscal year were below"
        " 5 million.",
        "WAC 230-15-610",
        more={"people": 3},
    ),
    Value(
        "statistics",
        "The hold of a month is investigated if it is more than 3 percentage points from base level, or"
        " outside the 95 % interval.",
        more={"points": 3, "confidence": 95, "weeks": 4},
    ),
)
RULES = (
    Rule("Boxes are counted once each gambling day.", "WAC 230-15-610"),
    Rule(
        "A count team has two people if gross gambling receipts of the last fiscal year were below"
        " 5 million, and three people above 15 million. Surveillance and the people who made the records"
        " are not in the team.",
        "WAC 230-15-610",
    ),
    Rule(
        "The verifier recounts before seeing the master game report. The page of the count room"
        " requires this.",
        "WAC 230-15-620",
    ),
    Rule(
        "A game is dealt by the rules enclosed with its letter of approval; a change may void the approval.",
        "WSGC letters of approval",
    ),
)

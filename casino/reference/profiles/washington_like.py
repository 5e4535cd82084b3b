"""Example thresholds based on our reading of Washington's rules (WAC 230-15). This is not legal advice."""

from casino.reference.profiles import Rule, Value

TITLE = "Washington-like"
VALUES = (
    Value(
        "second-reviewer",
        "A win of more than 3,000 is verified by surveillance: a verdict on as much takes a second reviewer.",
        "WAC 230-15-320(4)",
        3000,
        beyond=True,
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
        "count-team",
        "Three count a box: two are enough below 5 million a year.",
        "WAC 230-15-610",
        more={"people": 3},
    ),
    Value(
        "statistics",
        "A month's hold more than 3 points, or outside 95 %, from base level is investigated.",
        more={"points": 3, "confidence": 95, "weeks": 4},
    ),
)
RULES = (
    Rule("Boxes are counted once each gambling day.", "WAC 230-15-610"),
    Rule(
        "Two count below 5 million a year, three above 15; surveillance and who made the records do not.",
        "WAC 230-15-610",
    ),
    Rule("The verifier recounts before looking at the master game report: count room.", "WAC 230-15-620"),
    Rule(
        "A game is dealt by the rules that its letter encloses; a change may void the approval.",
        "WSGC letters of approval",
    ),
)

"""Example thresholds based on our reading of New Jersey's rules (N.J.A.C. 13:69D). This is not
legal advice.
"""

from casino.reference.profiles import Rule, Value

TITLE = "New Jersey-like"
VALUES = (
    Value(
        "opening-difference",
        "An opener that differs by more than 25 from the last closer asks for a signed report.",
        "N.J.A.C. 13:69D-1.21",
        25,
        beyond=True,
        more={"duty": "a signed report; from 100 on a copy goes to the Division"},
    ),
    Value(
        "adjustment",
        "Adjustments of more than 2,000 stand on the list at the end of the month.",
        "N.J.A.C. 13:69D-1.34(a)",
        2000,
    ),
    Value("second-reviewer", "A verdict on 500 or more at stake takes a second reviewer.", amount=500),
    Value(
        "statistics",
        "A month's hold more than 3 points, or outside 95 %, from base level is investigated.",
        more={"points": 3, "confidence": 95, "weeks": 4},
    ),
)
RULES = (
    Rule("A box is removed and counted at least once every two gaming days.", "N.J.A.C. 13:69D-1.17(a)"),
    Rule(
        "Any opening difference is told to the shift manager, security and surveillance.",
        "N.J.A.C. 13:69D-1.21",
    ),
    Rule(
        "Percentages have one decimal, half up; nothing over nothing is 0.0: report new-jersey.",
        "monthly gross revenue report",
    ),
)

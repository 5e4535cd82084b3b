"""Example thresholds based on our reading of New Jersey's rules (N.J.A.C. 13:69D). This is not
legal advice.
"""

from casino.reference.profiles import Rule, Value

TITLE = "New Jersey-like"
VALUES = (
    Value(
        "opening-difference",
        "If an opener differs by more than 25 from the last closer, a signed report is required.",
        "N.J.A.C. 13:69D-1.21",
        25,
        beyond=True,
        more={"duty": "a signed report; from 100 on, a copy goes to the Division"},
    ),
    Value(
        "adjustment",
        "Adjustments of more than 2,000 are listed at the end of the month.",
        "N.J.A.C. 13:69D-1.34(a)",
        2000,
    ),
    Value("second-reviewer", "If 500 or more was at stake, a verdict needs a second reviewer.", amount=500),
    Value(
        "statistics",
        "The hold of a month is investigated if it is more than 3 percentage points from base level, or"
        " outside the 95 % interval.",
        more={"points": 3, "confidence": 95, "weeks": 4},
    ),
)
RULES = (
    Rule("A box is removed and counted at least once every two gaming days.", "N.J.A.C. 13:69D-1.17(a)"),
    Rule(
        "Any opening difference is reported to the shift manager, security and surveillance.",
        "N.J.A.C. 13:69D-1.21",
    ),
    Rule(
        "Percentages have one decimal, rounded half up; 0 divided by 0 is 0.0. The report new-jersey"
        " does this.",
        "monthly gross revenue report",
    ),
)

"""Approvals of the sample property: two letters of a regulator as printed in the manuals, and invented
approvals for the games without a letter.

The Washington State Gambling Commission wrote the two letters for Washington, where the sample property is
located. Their conditions are quoted with two changes: "your game" is replaced by "the game", and "our agency"
by "the Commission". The other approvals are invented, as their own text says, and only the sample property
has signed them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

REGULATOR = "Washington State Gambling Commission"

TRIBAL = """
Tribal casinos: each Tribal Gaming Operation must request and obtain approval from their respective Tribal
Gaming Agencies (TGA).

Tribal casinos: before TGA allows the game to operate, they will seek concurrence from the Commission as
well.

Tribal casinos: in addition to the approved rules, the Tribal submission to the Commission must include all
supplemental information required by Tribal-State Compact Appendix A, Section 18.

Tribal casinos: manufacturers and distributors of graphic layouts and/or any other equipment associated with
the game must be certified by the state and licensed by the Tribe prior to the sale of the equipment.
"""
HIGH_SIDE_CONDITIONS = f"""
The game shall be played and operated under the terms and conditions set forth under the "High Side Rules of
Play" provided on April 17, 2013, which are enclosed.
{TRIBAL}
Any modifications to this game may affect this approval.
"""
OVER_UNDER_CONDITIONS = f"""
Commercial card rooms: the game shall be played and operated under the terms and conditions set forth under
the "Casino Over Under – Rules of Play" provided and enclosed.

Commercial card rooms: operators seeking to operate this game must first submit their internal controls and
receive approval from the Commission prior to implementing.

Commercial card rooms: manufacturers and distributors of graphic layouts and/or any other equipment
associated with the game must be licensed by the state prior to the sale of the equipment.

Tribal casinos: the game shall be played and operated under the terms and conditions set forth under the
"Casino Over Under – Rules of Play" provided and enclosed.
{TRIBAL}
Any modifications to the games may affect this approval.
"""


def paragraphs(text: str) -> list[str]:
    """Return the paragraphs of a text. Each of them is one condition of an approval."""
    return [" ".join(part.split()) for part in text.split("\n\n") if part.strip()]


HIGH_SIDE: dict[str, Any] = {
    "game": "high_side",
    "edition": "2013-03",
    "pay_tables": {"bonus": ["1", "2", "3", "4"]},
    "letter": "WSGC 2013-04-18 High Side",
    "regulator": REGULATOR,
    "signed": (
        "Tina Griffin, Assistant Director, Licensing Operations Division, to Paradigm Table Games, Inc., 18"
        " April 2013"
    ),
    "conditions": paragraphs(HIGH_SIDE_CONDITIONS),
    "from": "2013-04-18",
    "to": None,
}
"""The letter for High Side. The rules enclosed with it print pay tables 1 to 4 of the bonus. None of them is
the pay table that is printed on the layout.
"""
CASINO_OVER_UNDER: dict[str, Any] = {
    "game": "casino_over_under",
    "edition": "2016",
    "pay_tables": {"bonus": ["figure-1"]},
    "letter": "WSGC 2018-07-09 Casino Over Under",
    "regulator": REGULATOR,
    "signed": (
        "Tina Griffin, Assistant Director, Licensing, Regulation and Enforcement Division, to Casino Over"
        " Under LLC, 9 July 2018"
    ),
    "conditions": paragraphs(OVER_UNDER_CONDITIONS),
    "from": "2018-07-09",
    "to": None,
}
LETTERS = (HIGH_SIDE, CASINO_OVER_UNDER)


def made_up_approval(game: str) -> dict[str, Any]:
    """Return an invented approval of a game for which the regulator wrote no letter. The sample property
    signs it, and it covers every edition, pay table and option.
    """
    return {
        "game": game,
        "letter": f"sample house {game}",
        "regulator": "none: made up for the sample house",
        "conditions": [
            # Installations of earlier releases have recorded exactly these words, so they must not change.
            (
                "No regulator wrote this letter. It "
                "stands"
                " here so that the sample house plays nothing without an approval."
            )
        ],
        "from": "2010-01-01",
        "to": None,
    }


def approvals(games: Iterable[str]) -> list[tuple[str, str, Any]]:
    """Return the entries of the register of approvals, by name: the regulator's letters, and an invented
    approval for each of these games without a letter.
    """
    written = [letter["game"] for letter in LETTERS]
    return [
        ("approvals", value["letter"], value)
        for value in (*LETTERS, *(made_up_approval(game) for game in games if game not in written))
    ]

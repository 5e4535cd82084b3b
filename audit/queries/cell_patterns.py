"""What a spreadsheet makes of a text that it is given in a file, as patterns that Python and Postgres read
alike.

They are asked of the whole text, from its first letter: `re.match` and `re.fullmatch` here, `~` with anchors
in a query.
"""

from __future__ import annotations

import re

RUN = "[ \u00a0\u3000]*[-=+@\uff1d\uff0b\uff0d\uff20\t\r\n]"
"""How a text begins that would be run as a formula, with full-width signs, which are run as the others are.
"""
CONVERTED = (
    " *("
    r"[$€£¥(]?[.,]?[0-9][0-9.,:/%()$€£¥eE +-]*"  # 0012, 1E5, 1-5, 22:05, 50%, 1/2
    "|[0-9][0-9A-Za-z .,:/+-]{0,23}"  # 5 Mar 2026, 1:30 PM
    # MAR1, Mar 5, 2026
    "|(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[ .,/-]*[0-9]{1,4}([ .,/-]+[0-9]{1,4})?"
    "|true|false"
    ") *"
)
"""A text, in letters of any case, that would become a number, a day, a time or a truth: a wager `1-5` would
be the first of May.
"""
_runs = re.compile(RUN).match
_converts = re.compile(CONVERTED, re.IGNORECASE | re.ASCII).fullmatch


def is_run(text: str) -> bool:
    """Return True if a spreadsheet would run this text."""
    return _runs(text) is not None


def is_converted(text: str) -> bool:
    """Return True if a spreadsheet that opens a CSV would make something else of this text."""
    return _converts(text) is not None

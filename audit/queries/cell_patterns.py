"""Patterns of texts that a spreadsheet would convert or run as a formula when it opens a file. They have the
same meaning in Python and in Postgres.

Each pattern is matched from the first character: with `re.match` and `re.fullmatch` in Python, and with `~`
and anchors in SQL.
"""

from __future__ import annotations

import re

RUN = "[ \u00a0\u3000]*[-=+@\uff1d\uff0b\uff0d\uff20\t\r\n]"
"""The beginning of a text that a spreadsheet would run as a formula. This includes full-width signs."""
CONVERTED = (
    " *("
    r"[$€£¥(]?[.,]?[0-9][0-9.,:/%()$€£¥eE +-]*"  # for example 0012, 1E5, 1-5, 22:05, 50%, 1/2
    "|[0-9][0-9A-Za-z .,:/+-]{0,23}"  # for example 5 Mar 2026, 1:30 PM
    # for example MAR1; Mar 5, 2026
    "|(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[ .,/-]*[0-9]{1,4}([ .,/-]+[0-9]{1,4})?"
    "|true|false"
    ") *"
)
"""A text that a spreadsheet would convert to a number, a date, a time or a truth value. Letters may be in
upper or lower case. For example, the wager `1-5` would become May 1 or January 5.
"""
_runs = re.compile(RUN).match
_converts = re.compile(CONVERTED, re.IGNORECASE | re.ASCII).fullmatch


def is_run(text: str) -> bool:
    """Return True if a spreadsheet would run this text as a formula."""
    return _runs(text) is not None


def is_converted(text: str) -> bool:
    """Return True if a spreadsheet that opens a CSV file would convert this text to another value."""
    return _converts(text) is not None

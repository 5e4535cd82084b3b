"""What a report is, as its page and the REST API say it. The docstring of the report's module says it: the
first paragraph is the description, and the others explain the figures.
"""

from __future__ import annotations

import inspect
import re
from typing import NamedTuple

from casino.reports.catalog import Report

Text = list[tuple[str, bool]]
"""The parts of a text, each with True if it is code, such as the name of a column."""


class Block(NamedTuple):
    """A paragraph, or a list with several items."""

    is_list: bool
    items: list[Text]


def description(report: Report) -> str:
    """Return the description of a report. It is the first paragraph of the docstring of the report's
    module, without the title of the report at its beginning: the title is above the description.
    """
    text = " ".join((inspect.getdoc(report) or "").split("\n\n")[0].split())
    begins, colon, meaning = text.partition(": ")
    title = report.TITLE.partition(":")[0].casefold()
    if not colon or not begins.casefold().removeprefix("the ").startswith(title):
        return text
    return meaning[:1].upper() + meaning[1:]


def explanation(report: Report) -> list[Block]:
    """Return the paragraphs and lists that explain the figures of a report: all of the docstring of its
    module but the first paragraph.
    """
    _, *paragraphs = (inspect.getdoc(report) or "").split("\n\n")
    return [_block(paragraph) for paragraph in paragraphs]


def _block(paragraph: str) -> Block:
    is_list = paragraph.startswith("- ")
    items = re.split(r"^- ", paragraph, flags=re.M)[1:] if is_list else [paragraph]
    return Block(is_list, [_parts(" ".join(item.split())) for item in items])


def _parts(text: str) -> Text:
    """Return the parts of a text in which code is between backticks, without the marks of emphasis."""
    pieces = re.split("`([^`]*)`", re.sub(r"\*(\w[^*]*\w)\*", r"\1", text))
    return [(piece, place % 2 == 1) for place, piece in enumerate(pieces) if piece]

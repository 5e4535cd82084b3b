"""Checks of this project's templates: at most 120 columns, tags balanced within their block, and indented.

A check takes one template and yields a message for each violation: where it is, and what to do about it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

COLUMNS = 120
TAG = re.compile(
    r"\{#.*?#\}|\{\{.*?\}\}|<!--.*?-->"
    r"|\{%\s*(?P<block>\w+).*?%\}"
    r"|<(?P<end>/?)(?P<name>[a-zA-Z][\w-]*)(?:\{%.*?%\}|\{\{.*?\}\}|\"(?:\{[%{].*?[%}]\}|[^\"])*\""
    r"|'(?:\{[%{].*?[%}]\}|[^'])*'|[^>\"'])*?(?P<empty>/?)>",
    re.DOTALL,
)
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
BETWEEN = {"else", "elif", "empty"}
VERBATIM = {"pre", "textarea", "script", "style"}


@dataclass(frozen=True)
class Opening:
    """An element or a block that is not closed yet.

    `indent` is the indentation of its line; `first` is True if the line begins with it.
    """

    name: str
    line: int
    indent: int
    first: bool


def lines_are_short(path: str, text: str) -> Iterator[str]:
    """Report each line of more than 120 columns."""
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) > COLUMNS:
            yield (
                f"{path}:{number}: the line has {len(line)} columns and may have {COLUMNS}; break it"
                " where white space shows nothing."
            )


def tags_are_balanced_and_indented(path: str, text: str) -> Iterator[str]:
    """Report tags that are not closed in the block where they are opened, and lines that are not indented."""
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    ends = {match[1] for match in re.finditer(r"\{%\s*end(\w+)", text)}
    open_now: list[Opening] = []
    line = 0
    for tag in TAG.finditer(text):
        while line + 1 < len(starts) and starts[line + 1] <= tag.start():
            line += 1
        begin = starts[line]
        indent = len(text[begin:]) - len(text[begin:].lstrip(" "))
        first = not text[begin : tag.start()].strip()
        kind, name = _kind(tag, ends)
        verbatim = next((opening.name for opening in open_now if opening.name in VERBATIM), "")
        if verbatim and name != verbatim and not tag["block"]:
            continue
        if kind in ("close", "between"):
            if not open_now or (
                open_now[-1].name != name if kind == "close" else open_now[-1].name[0] != "{"
            ):
                unclosed = (
                    f", while {open_now[-1].name} of line {open_now[-1].line} is open" if open_now else ""
                )
                yield f"{path}:{line + 1}: {name} ends here{unclosed}; open and close a tag in one block."
                return
            opening = open_now[-1] if kind == "between" else open_now.pop()
            if first and opening.first and indent != opening.indent and not verbatim:
                yield (
                    f"{path}:{line + 1}: {tag[0].split()[0]} is at column {indent}, and {name} of line"
                    f" {opening.line} at {opening.indent}; give both the same indentation."
                )
        elif kind == "open":
            if first and open_now and open_now[-1].line != line + 1 and indent <= open_now[-1].indent:
                yield (
                    f"{path}:{line + 1}: {name} is at column {indent}; indent it more than"
                    f" {open_now[-1].name} of line {open_now[-1].line}."
                )
            open_now.append(Opening(name, line + 1, indent, first))
    for opening in open_now:
        yield f"{path}:{opening.line}: {opening.name} is never closed; close it in the block that opens it."


def _kind(tag: re.Match[str], ends: set[str]) -> tuple[str, str]:
    """Return two values: what a tag does with a block (open, close or divide), and the name of the element or
    block.
    """
    if block := tag["block"]:
        if block.startswith("end"):
            return "close", "{% " + block.removeprefix("end") + " %}"
        if block in BETWEEN:
            return "between", "{% " + block + " %}"
        return ("open" if block in ends else "alone"), "{% " + block + " %}"
    if not (name := (tag["name"] or "").lower()) or name in VOID or tag["empty"]:
        return "alone", name
    return ("close" if tag["end"] else "open"), f"<{name}>" if name not in VERBATIM else name

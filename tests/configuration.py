"""Write the table of environment variables into docs/operations.md: `python -m tests.configuration`."""

from __future__ import annotations

from pathlib import Path

from casino.runtime import environment

PAGE = Path(__file__).resolve().parent.parent / "docs" / "operations.md"


def table() -> str:
    """Return the table as docs/operations.md must have it."""
    return "\n".join(environment.table()) + "\n"


def table_on_page(page: str) -> str:
    """Return the table that a page has under the heading Configuration."""
    section = page.partition("\n## Configuration\n")[2].partition("\n## ")[0]
    return "".join(line for line in section.splitlines(keepends=True) if line.startswith("|"))


if __name__ == "__main__":
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(text.replace(table_on_page(text), table()), encoding="utf-8")

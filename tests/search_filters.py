"""Write the filters of the search over all hands into the guides: `python -m tests.search_filters`.

A test compares the guides with the tables that this program writes.
"""

from __future__ import annotations

import os
from pathlib import Path

PROJECT = Path(__file__).parents[1]
BEGIN, END = "<!-- filters of the search -->\n", "<!-- end of the filters -->\n"
SURVEILLANCE, API = (PROJECT / "docs" / name for name in ("guides/surveillance.md", "api.md"))


def for_officers() -> str:
    """Return the table of search filters for the guide of surveillance, as Markdown: what to type, and what
    is found.
    """
    from casino.surveillance.search_filters import FILTERS

    rows = {}
    for filter in FILTERS:
        rows.setdefault(filter.label, []).append(filter)
    lines = [
        f"| `{label}: {filters[0].example}` | {' '.join(filter.says for filter in filters)} |"
        for label, filters in rows.items()
    ]
    return "\n".join(["| type | finds hands by |", "|---|---|", *lines, ""])


def for_programs() -> str:
    """Return the table of search parameters for the guide of the API, as Markdown."""
    from casino.surveillance import search_filters as search

    lines = [f"| `{filter.name}` | {filter.says} | `{filter.example}` |" for filter in search.FILTERS]
    lines.append(f"| `{search.CURRENCY}` | {search.CURRENCY_SAYS} | `USD` |")
    lines.append(f"| `{search.SORT}` | {search.SORT_SAYS} | `{', '.join(search.SORTS)}` |")
    return "\n".join(["| parameter | | such as |", "|---|---|---|", *lines, ""])


def with_table(text: str, table: str) -> str:
    """Return the text of a guide with this table between `BEGIN` and `END`."""
    before, _, rest_of_text = text.partition(BEGIN)
    _, _, after = rest_of_text.partition(END)
    return f"{before}{BEGIN}\n{table}\n{END}{after}"


def main() -> None:
    """Write the table of search filters into both guides."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
    import django

    django.setup()
    for path, table in ((SURVEILLANCE, for_officers()), (API, for_programs())):
        path.write_text(with_table(path.read_text(), table))


if __name__ == "__main__":
    main()

"""The programs of the REST API guide, as somebody copies them."""

from __future__ import annotations

import re

from tests.manage import PROJECT

GUIDE = (PROJECT / "docs" / "api.md").read_text(encoding="utf-8")


def program_below(heading: str) -> str:
    """Return the last program of the guide between this heading and the next one."""
    section = re.split(r"\n###? ", GUIDE.partition(f"# {heading}\n")[2])[0]
    return re.findall(r"```python\n(.*?)```", section, flags=re.S)[-1]

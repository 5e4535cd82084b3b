"""`manage.py reference`: generate `docs/events.md` and `docs/findings.md`, the references of events and
findings, from the code.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from audit.reference import PAGES

DOCS = Path(__file__).resolve().parents[3] / "docs"


class Command(BaseCommand):
    help = (
        "Write docs/events.md and docs/findings.md from the code. With --check, write nothing, and exit 1"
        " if a file is not current."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true", help="write nothing, and compare")
        parser.add_argument(
            "--to", type=Path, default=DOCS, help="the folder (default: docs of the installation)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        folder: Path = options["to"]
        for name, page in PAGES.items():
            path, text = folder / name, page()
            if options["check"]:
                if not path.exists() or path.read_text(encoding="utf-8") != text:
                    raise CommandError(
                        f"{path} is not current. Run manage.py reference and commit what it writes."
                    )
            else:
                folder.mkdir(exist_ok=True)
                path.write_text(text, encoding="utf-8")
                self.stdout.write(f"written: {path}")

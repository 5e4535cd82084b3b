"""Read and validate files before anything is recorded."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct, field

from audit.facts import Refused, check
from casino.importing import Fact, ImportOptions, Note, Refusal
from casino.importing.line_reader import open_file
from casino.importing.profiles import Profile
from casino.importing.spool import Spool


class ValidationResult(Struct):
    """The result of validating files.

    Attributes:
        refused: for each refused line, the index of its file (from 0), the number of the line, and the
            reason.
    """

    spool: Spool
    refused: list[tuple[int, int, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def validate_files(
    names: list[str], profile: Profile, options: ImportOptions, spool: Spool, progress: Callable[[int], None]
) -> ValidationResult:
    """Validate every line of every file, add the valid facts to `spool`, and return the result. `progress` is
    called with the number of validated facts. Raise UsageError or Conflict if a file cannot be read at all.
    """
    checked = ValidationResult(spool)
    options = options._replace(notes=checked.notes)
    for place, name in enumerate(names):
        with open_file(name) as file:
            for item in profile.read(file, options):
                if isinstance(item, Note):
                    checked.notes.append(item.says)
                elif isinstance(item, Refusal):
                    checked.refused.append((place, item.line, item.why))
                else:
                    _check(item, place, options, checked)
                    if checked.spool.count % 500 == 0:
                        progress(checked.spool.count)
    checked.refused.sort()
    return checked


def _check(item: Fact, place: int, options: ImportOptions, checked: ValidationResult) -> None:
    try:
        fact = check(item.body)
    except Refused as refused:
        uid = f" (uid {refused.uid[:60]})" if refused.uid else ""
        checked.refused.append(
            (
                place,
                item.line,
                f"{refused.field}: {refused.why}{uid}" if refused.field else f"{refused.why}{uid}",
            )
        )
        return
    table = fact.stream.rpartition("/")[0]
    if (options.table is not None and table != options.table) or (
        options.property is not None and fact.property != options.property
    ):
        checked.refused.append(
            (place, item.line, f"table: {table} is not {options.table or options.property}")
        )
        return
    checked.notes += [f"line {item.line}: {note}" for note in fact.notes]
    checked.spool.add(place, item.line, fact)

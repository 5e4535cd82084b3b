"""Close gaming days. A closed day accepts no further facts except adjustments.

A table's day can be closed on the page only if nothing blocks it (`casino.day_close.queries`). Intake accepts
a close from other systems even if something blocks it, and replay reports the blockers as findings. A table
with a figure outside its bounds can be closed only with an explanation. The explanation is recorded
(`casino.day_close.preview`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from casino.accounts.permissions import require
from casino.day_close.preview import NOTHING, Preview, previews
from casino.day_close.queries import TableDay, tables
from casino.models import Person
from casino.presentation.errors import ActionRejected
from casino.presentation.formatting import day_label
from casino.web.property_turn import in_turn
from casino.web.recording import record, table_fact

REASON = 500
"""Maximum length of a reason, in characters."""


class Closing(NamedTuple):
    """What a user sends to close the days of tables. `codes`: the tables. `reason`: why their days are closed
    although an earlier day is still open. `explanations`: {code: why a figure is outside its bounds}.

    `seals`: the seals of the previews that the user has seen, as {code: seal}. A table with a seal is closed
    only if its figures have not changed since then. A table without a seal is closed without this check.
    """

    codes: Iterable[str]
    reason: str = ""
    explanations: Mapping[str, str] = {}
    seals: Mapping[str, str] = {}


def close_day(by: Person, property: str, day: date, closing: Closing) -> list[str]:
    """Close the gaming day of all of these tables. If one of them cannot be closed, close none. Return the
    codes of the tables that were not closed before.

    Args:
        by: who closes them.
        property: the casino.
        day: the gaming day.
        closing: the tables, with the reasons that are recorded with their closes.

    Raises:
        ActionRejected: something blocks the close of a table, or a reason is missing.
        PermissionDenied: the user may not close days.
    """
    require(by, "close-day", property)
    closing = closing._replace(codes=sorted(set(closing.codes)))
    if not closing.codes:
        raise ActionRejected("Choose the tables whose day you want to close.", "tables")
    with in_turn(property):
        return _close(by, property, day, closing)


def _close(by: Person, property: str, day: date, closing: Closing) -> list[str]:
    known = {table_day.code: table_day for table_day in tables(property, day)}
    for code in closing.codes:
        table_day = known.get(code)
        if table_day is None:
            raise ActionRejected(f"{code} was not open on {day_label(day)}.", "tables")
        if table_day.blockers:
            raise ActionRejected(
                f"{code} cannot be closed yet. {' '.join(blocker.says for blocker in table_day.blockers)}",
                "tables",
            )
    to_close = [known[code] for code in closing.codes if not known[code].closed]
    reasons = _reasons(to_close, closing.reason.strip())
    explanations = _explanations(to_close, previews(property, day) if to_close else {}, closing)
    if to_close:
        record(
            by,
            property,
            [
                table_fact(
                    "day-closed",
                    property,
                    table_day.code,
                    day,
                    by=by.id,
                    **reasons.get(table_day.code, {}),
                    **explanations.get(table_day.code, {}),
                )
                for table_day in to_close
            ],
        )
    return [table_day.code for table_day in to_close]


def _reasons(to_close: Sequence[TableDay], reason: str) -> dict[str, dict[str, str]]:
    """Return {table: {"reason": text}} for the tables that have an earlier open day. Raise ActionRejected if
    there are such tables and no reason was given.
    """
    early = [table_day for table_day in to_close if table_day.open_before]
    if early and not _is_reason(reason):
        says = "; ".join(
            f"{table_day.code}: {' and '.join(map(day_label, table_day.open_before))}" for table_day in early
        )
        raise ActionRejected(
            f"Earlier gaming days are not closed. {says}. Close them first, or give the reason in at"
            f" most {REASON} characters.",
            "reason",
        )
    return {table_day.code: {"reason": reason} for table_day in early}


def _explanations(
    to_close: Sequence[TableDay], shown: Mapping[str, Preview], closing: Closing
) -> dict[str, dict[str, str]]:
    """Return the field `explanation` for each table with a figure outside its bounds. Raise ActionRejected if
    an explanation is missing, or if the figures have changed since the user saw them.
    """
    explained: dict[str, dict[str, str]] = {}
    for table_day in to_close:
        code, preview = table_day.code, shown.get(table_day.table, NOTHING)
        if closing.seals.get(code, preview.seal) != preview.seal:
            raise ActionRejected(
                f"The figures of {code} changed after this page was loaded. Check them, then close.",
                "tables",
            )
        if not preview.outside:
            continue
        text = closing.explanations.get(code, "").strip()
        if not _is_reason(text):
            raise ActionRejected(
                f"{code}: {' '.join(preview.outside)} Explain it in at most {REASON} characters.",
                f"explanation-{code}",
            )
        explained[code] = {"explanation": text}
    return explained


def _is_reason(text: str) -> bool:
    return bool(text) and len(text) <= REASON and "\0" not in text

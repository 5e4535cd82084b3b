"""The daily log on pages of a table's gaming day: the entries about it, and the link to write one."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.utils.http import urlencode

from casino.accounts.permissions import can
from casino.daily_log import queries
from casino.web import request_params


def log_context(user: Any, property: str, table: str, day: date) -> dict[str, Any]:
    """Return the template context for the log entries about a table's gaming day. For a user who may not see
    the log, it has no entries.
    """
    parameters = {"property": property, "table": table, "of_day": day.isoformat()}
    may_see = can(user, "see-log", property)
    return {
        "log": queries.about_table(property, table, day) if may_see else [],
        "may_log": can(user, "write-log", property),
        "log_query": urlencode(parameters),
        "row_property": property,
        "zone": request_params.zone(property),
    }

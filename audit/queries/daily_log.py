"""The daily log of surveillance as exports and the REST API list it: one row for each entry, in the order of
commit. A row never changes, except that its words can be erased.
"""

from __future__ import annotations

from audit.queries.list_filters import Query, Selection, Where, instant, limited

ENTRY = (
    "property",
    "position",
    "number",
    "day",
    "at",
    "happened_at",
    "type",
    "about",
    "words",
    "place",
    "table",
    "of_day",
    "round",
    "of",
    "camera",
    "video",
    "disposition",
    "pending",
    "corrects",
    "closes",
    "by",
    "words_sha256",
    "uid",
)
_COLUMNS = {
    **{name: f"e.{name}" for name in ENTRY},
    "day": "e.day::text AS day",
    "at": instant("e.at", "at"),
    "happened_at": instant("coalesce(e.began, e.at)", "happened_at"),
    "words": "w.words",
    "table": "nullif(e.of_table, '') AS \"table\"",
    "of_day": "e.of_day::text AS of_day",
    **{name: f"nullif(e.{name}, '') AS {name}" for name in ("place", "of", "camera", "disposition")},
    "video": """(SELECT string_agg(concat_ws(' ', c.clip->>'camera', c.clip->>'from', 'to', c.clip->>'to'),
        '; '
        ORDER BY c.place) FROM jsonb_array_elements(e.video) WITH ORDINALITY AS c (clip, place)) AS video""",
    "pending": "CASE WHEN e.pending THEN 'yes' ELSE '' END AS pending",
}
_ENTRIES = f"""SELECT {", ".join(_COLUMNS[name] for name in ENTRY)} FROM log_entry e
    LEFT JOIN free_words w ON w.property = e.property AND w.sha256 = e.words_sha256"""


def entries(selection: Selection) -> Query:
    """Return a query of the log entries written on the requested days, with the columns of ENTRY."""
    condition = Where()
    if selection.span.property is not None:
        condition.add("e.property = %s", selection.span.property)
    for sign, day in ((">=", selection.span.begins), ("<", selection.span.ends)):
        if day is not None:
            condition.add(f"e.day {sign} %s", day)
    if selection.table is not None:
        condition.add("e.of_table = %s", selection.table)
    if selection.until is not None:
        condition.add("e.position <= %s", selection.until)
    if selection.after is not None:
        condition.add("(e.property, e.position) > (%s, %s)", *selection.after)
    order = f"ORDER BY e.property, e.position{limited(selection)}"
    return Query(f"{_ENTRIES} WHERE {condition} {order}", condition.values)

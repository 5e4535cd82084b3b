"""The codes with which facts are rejected, and the meaning of each code."""

from __future__ import annotations

REFUSALS = {
    "not-json": "The line is not JSON.",
    "not-an-object": "The fact is not one JSON object.",
    "not-text": "A text has bytes that are not UTF-8, half a surrogate pair, or a NUL character.",
    "number-too-long": "A whole number has more digits than can be read.",
    "fraction": "A number has a fraction or an exponent.",
    "too-deep": "Objects and lists are nested too deep.",
    "line-too-long": "The fact is longer than a fact of its kind may be.",
    "unknown-kind": "There is no such kind.",
    "missing-field": "A field that the kind needs is missing.",
    "mistyped": "A field does not have the type that its kind requires.",
    "out-of-range": "A number or a date is outside its limits, or limits are not [least, most].",
    "not-a-uuid": "`uid` is not a UUID.",
    "unknown-schema": "`v` is not a schema number of the kind.",
    "offset": "A clock is more than 14 hours from UTC.",
    "name-too-long": "An identifier is too long.",
    "not-one-name": (
        "An identifier is spelled differently from its one accepted form, which the answer gives."
    ),
    "not-in-vocabulary": "A word is not on the closed list of its field; the answer gives the allowed words.",
    "round-name": "A round's name begins with `#`.",
    "not-a-table": "`table` is not a property and a table, separated by a slash.",
    "wrong-stream": "A fact of the property is sent to a table's stream, or a fact of a table is sent to the"
    " property's stream.",
    "unknown-game": "`table-opened` names a game that Catwalk does not have.",
    "unknown-edition": "`table-opened` names an edition that the game does not have.",
    "missing-pay-table": "`table-opened` names no pay table for a wager that has several.",
    "unknown-pay-table": "`table-opened` names a pay table that the game does not have.",
    "uid-reused": "The `uid` is recorded already, with another body.",
    "not-opened": "The first fact of the stream is not `table-opened`.",
    "stream-sealed": "The table's gaming day is closed. Later corrections are recorded as `adjusted`.",
    "no-right": "The sender may not post this fact there.",
}
"""The meaning of each code with which a fact can be rejected."""

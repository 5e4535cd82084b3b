"""Reject facts with a word that is not on the closed list of its field, and name the allowed words.

These functions decide only whether a fact can be recorded. A fact that was recorded with another word is
still replayed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from audit.facts import registers
from audit.facts.annotated_fields import Marked, fields, marked
from audit.facts.clock import zone_named
from audit.facts.kinds import KINDS, RegisterSet, VerdictGiven
from audit.facts.refusal_reasons import Refused
from audit.facts.vocabulary import DISPOSITIONS
from games import GAMES
from games.kit.currencies import CURRENCIES
from games.kit.events import TableOpened
from games.kit.fields import CLOSED, KNOWN
from games.kit.game import Game

CODE = "not-in-vocabulary"
EVERY_WAGER = "*"


def refuse_words(kind: str, fact: Mapping[str, Any]) -> None:
    """Raise Refused if a field has a word that is not on its list. The error names the field and the allowed
    words.
    """
    if _has_words(kind):
        for word in marked(KINDS[kind], CLOSED, fact):
            _refuse_unknown(word, fact)


@cache
def _has_words(kind: str) -> bool:
    return bool(fields(KINDS[kind], CLOSED))


def refuse_disposition(event: VerdictGiven) -> None:
    """Raise Refused if the disposition of a verdict is not one of those for this verdict: each disposition
    belongs to one of confirm, dismiss and escalate.
    """
    if event.disposition is not None and DISPOSITIONS[event.disposition] != event.verdict:
        fitting = [name for name, verdict in DISPOSITIONS.items() if verdict == event.verdict]
        reason = (
            f"{event.disposition} belongs to {DISPOSITIONS[event.disposition]}, not to {event.verdict},"
            f" which has {_said(fitting)}"
        )
        raise Refused(CODE, reason, field="disposition", uid=event.uid)


def refuse_settings(event: TableOpened, game: Game) -> None:
    """Raise Refused if the limits, house-rule options (`readings`) or kinds in `sees` have a name that is
    unknown to the game or to the data contract.
    """
    for path, reason, code in _settings(
        game, {"limits": event.limits, "readings": event.readings, "sees": event.sees}
    ):
        raise Refused(code, reason, field=path, uid=event.uid)


def refuse_entry(event: RegisterSet) -> None:
    """Raise Refused if a register entry's value has a word that is not on its list, or is not valid for its
    register.
    """
    if event.value is None:
        return
    shape, value = registers.VALUES[event.register], event.value
    if event.register == "chip-sets" and event.key not in CURRENCIES:
        raise Refused(
            CODE, f"{event.key[:60]!r} is not one of {_said(CURRENCIES)}", field="key", uid=event.uid
        )
    if event.register == "thresholds":
        try:
            registers.read("thresholds", value)
        except ValueError as error:
            field, _, reason = str(error).partition(": ")
            path = "value" if field == "it" else f"value.{field}"
            raise Refused(
                CODE if "unknown field" in reason else "mistyped", reason, field=path, uid=event.uid
            ) from None
    if not isinstance(value, dict):
        if event.register == "people":
            raise Refused(
                "mistyped", 'a person is an object, such as {"role": "dealer"}', field="value", uid=event.uid
            )
        return
    for word in marked(shape, CLOSED, value):
        _refuse_unknown(word._replace(path=f"value.{word.path}"), {"uid": event.uid})
    if event.register == "day-begins" and "zone" in value:
        try:
            zone_named(value["zone"])
        except ValueError as error:
            raise Refused(CODE, str(error)[:200], field="value.zone", uid=event.uid) from None
    game = GAMES.get(value.get("game", "")) if isinstance(value.get("game"), str) else None
    if event.register == "tables" and game is not None:
        for path, reason, code in _settings(game, value):
            raise Refused(code, reason, field=f"value.{path}", uid=event.uid)


def _refuse_unknown(word: Marked, fact: Mapping[str, Any]) -> None:
    words = word.marks[KNOWN]
    if word.text not in words:
        raise Refused(
            CODE, f"{word.text[:60]!r} is not one of {_said(words)}", field=word.path, uid=fact["uid"]
        )


def _settings(game: Game, settings: Mapping[str, Any]) -> Iterable[tuple[str, str, str]]:
    """Yield path, reason and code for each value in a table's settings that cannot be understood. Values that
    do not have the type of their field are ignored.
    """
    wagers = (EVERY_WAGER, *game.wagers, *game.payments)
    for name, needed in (("limits", dict), ("readings", dict), ("sees", list)):
        if not isinstance(settings.get(name), needed | None):
            yield name, f"{'an object' if needed is dict else 'a list'} is needed", "mistyped"
            return
    for wager, pair in _items(settings.get("limits")):
        if wager not in wagers:
            yield "limits", f"{game.code} has no wager {wager[:60]!r}; it has {_said(wagers)}", CODE
        elif not _is_pair(pair):
            yield f"limits.{wager}", "two whole numbers are needed, [least, most]", "mistyped"
        elif not 0 <= pair[0] <= pair[1]:
            yield (
                f"limits.{wager}",
                f"[{pair[0]}, {pair[1]}] is not [least, most] with 0 ≤ least ≤ most",
                "out-of-range",
            )
    for question, answer in _items(settings.get("readings")):
        if question not in game.options:
            yield (
                "readings",
                f"{game.code} has no option {question[:60]!r}; it has {_said(game.options)}",
                CODE,
            )
        elif answer not in game.options[question]:
            yield f"readings.{question}", f"{answer!r} is not one of {_said(game.options[question])}", CODE
    for kind in settings.get("sees") or []:
        if kind not in KINDS:
            yield "sees", f"there is no kind {str(kind)[:60]!r}; the kinds are {_said(KINDS)}", CODE


def _is_pair(value: Any) -> bool:
    return isinstance(value, list | tuple) and len(value) == 2 and all(type(item) is int for item in value)


def _items(value: Any) -> Iterable[tuple[str, Any]]:
    return value.items() if isinstance(value, dict) else ()


def _said(words: Iterable[str]) -> str:
    return ", ".join(words)

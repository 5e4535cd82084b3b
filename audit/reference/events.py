"""The event reference, `docs/events.md`: every kind of fact with its fields. It is built from the types with
which facts are decoded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct, inspect

from audit.facts import kinds, refusal_codes, registers
from audit.facts.case_kinds import OF_CASES
from audit.facts.identifiers import NAME_BYTES
from audit.facts.installation_kinds import OF_THE_INSTALLATION
from audit.facts.validation import DEPTH, LINE_BYTES, WINDOW_BYTES
from audit.facts.vocabulary import THRESHOLDS
from audit.reference import markdown as md
from audit.reference.examples import example
from games import GAMES
from games.kit.amounts import EXPONENT
from games.kit.currencies import CURRENCIES
from games.kit.events import AT_THE_TABLE, Event, kind_of
from games.kit.fields import CLOSED, KNOWN, LIMIT
from games.kit.game import Game

INTRO = """A **fact** is one thing that happened at a table, at the cage, in the count room or in
the office, as one JSON object. Facts are recorded and never changed. Catwalk replays them under the
rules of the game and reports what it finds; the codes of findings are in
[findings.md](findings.md).

Send facts with `POST /api/v1/facts` (newline-delimited JSON or a JSON array), or import a file of
them with `manage.py import_facts FILE`, one fact a line. If one fact of a post is refused, none is
recorded, and the answer names the fact, the field and the reason.

Catwalk records a fact that breaks a rule of the game, and replay reports it. Only facts that cannot
be read or understood are refused: see [What is refused](#what-is-refused).

This page is made from the code by `manage.py reference`."""
RULES = f"""
**Streams.** `table` and `day` name the stream of a fact. The first fact of a stream is
`table-opened`. Facts of one table are numbered 1, 2, 3 … in the order in which they were recorded,
and this order is the order of play. One gateway should merge a table's sensors and post for it.
Facts of the kinds under *The property itself* are in the stream `PROPERTY/house`, which needs no
`table-opened`. `day-closed` closes a table's stream: it takes no more facts.

**Order and clocks.** Facts are never sorted by `at`. If the clocks of two sources contradict the
recorded order, a finding about that order is only a notice. Digits below a microsecond are cut
off. A leap second (`23:59:60` at the end of a day in UTC) is recorded as the last microsecond
before it.

**Repetition.** If a `uid` is recorded already, a fact with the same body is not recorded again, and
a fact with another body is refused. A sender that got no answer can send the same facts again.

**Amounts** are whole numbers in minor units of the table's currency: 12.50 USD is 1250, and 1,000
JPY is 1000. A number with a fraction or an exponent is refused. No amount is outside ±{LIMIT:,}.

**Identifiers** name people, spots, wagers, rounds, slips, boxes, shifts, devices and tables. They
are compared byte for byte, so each has one spelling: Unicode NFC, no white space at its ends, no
control, zero-width or bidirectional characters, at most {NAME_BYTES} bytes of UTF-8. Another
spelling is refused, and the answer gives the accepted one. White space inside is allowed.

**Unknown fields** are stored in the fact's body and are ignored. If a key is given twice, the last
one counts.

**Limits.** A fact is at most {LINE_BYTES:,} bytes long (`bets` and `settled`: {WINDOW_BYTES:,}) and
nested at most {DEPTH} deep."""
GROUPS: tuple[tuple[str, tuple[type[Event], ...], str], ...] = (
    ("The table", AT_THE_TABLE, "What the table's equipment and the people at the table report."),
    (
        "Cage and count room",
        kinds.AT_THE_CAGE,
        "These facts are recorded in the stream of the table whose money moved.",
    ),
    ("The close of a table's day", (kinds.DayClosed,), "This fact is recorded in the table's stream."),
    (
        "The property itself",
        (*(kind for kind in kinds.OF_THE_HOUSE if kind not in OF_CASES), *OF_THE_INSTALLATION),
        "These facts are recorded in the property's own stream, `PROPERTY/house`.",
    ),
    (
        "Cases",
        OF_CASES,
        (
            "These facts are recorded in the property's own stream, `PROPERTY/house`. Facts about a suspicion"
            " of money laundering are not in that stream: they have a chain of their own, which only the"
            " compliance role can read."
        ),
    ),
)


def page() -> str:
    """Return the event reference as Markdown."""
    parts = [
        "# Event reference",
        md.paragraphs(INTRO),
        "## Fields of every fact",
        md.paragraphs(_about(Event)),
        _envelope(),
        md.paragraphs(RULES),
    ]
    for title, shapes, about in GROUPS:
        parts += [f"## {title}", md.paragraphs(about)]
        for shape in shapes:
            parts += _kind(shape)
    parts += ["## Values of registers", md.paragraphs(REGISTER_VALUES)]
    for name, value in registers.VALUES.items():
        parts += [
            f"### Register {name}",
            md.paragraphs(_about(value)),
            _fields(_of(value).fields),
            *_lists(_of(value).fields),
        ]
        if name == "thresholds":
            parts.append(
                "These keys are read by Catwalk; a check of the property may read"
                f" others.\n\n{md.words(THRESHOLDS)}"
            )
    parts += ["## Games", md.paragraphs(GAMES_ABOUT)]
    for game in GAMES.values():
        parts += [
            f"### {game.code}",
            md.paragraphs(f"Source: {game.source.title}, {game.source.dated}."),
            _game(game),
        ]
    parts += ["## Currencies", md.paragraphs(_codes(CURRENCIES)), md.paragraphs(_digits())]
    parts += ["## What is refused", md.paragraphs(REFUSED)]
    parts.append(
        md.table(
            ("code", "what is wrong"),
            [(f"`{name}`", means) for name, means in refusal_codes.REFUSALS.items()],
        )
    )
    return "\n\n".join(parts) + "\n"


HEAD = ("field", "type", "unit", "required", "meaning")
REGISTER_VALUES = """The `value` of a `register-set`, by its register. A value may have other fields
too, except in the register `thresholds`. `null` deletes the entry."""
GAMES_ABOUT = """The editions, wagers, pay tables and options that `table-opened` may name for each
game. A stream is always replayed under the settings of its own `table-opened`."""
REFUSED = """If one fact of a post is refused, nothing of the post is recorded, and the answer gives
the code, the field and a sentence. Facts that describe something impossible are not refused: a die
of 7, a card `1s` or a spot 99 is recorded, and replay reports it."""


def _kind(shape: type[Struct]) -> Iterator[str]:
    """Yield the lines of the section about one kind."""
    kind = kind_of(shape)  # type: ignore[arg-type]
    yield f"### {kind}"
    yield md.paragraphs(_about(shape))
    envelope = {field.encode_name for field in _of(Event).fields}
    own = [
        field
        for field in _of(shape).fields
        if field.encode_name not in envelope or (field.encode_name == "round" and field.required)
    ]
    yield _fields(own) if own else "No fields of its own."
    yield from _lists(own)
    for field in own:
        if isinstance(field.type, inspect.ListType | inspect.Metadata) and (inner := _object_in(field.type)):
            yield f"Each of `{field.encode_name}`:"
            yield _fields(inner.fields)
    yield "Example:"
    yield md.code(example(kind))


def _lists(fields: Iterable[inspect.Field]) -> Iterator[str]:
    """Yield the lines about the allowed words of those fields that have a closed list."""
    shown: list[dict[str, str]] = []
    for field in fields:
        known = md.marks(field.type).get(KNOWN)
        if known and known not in shown:
            shown.append(known)
            yield _allowed(field, known)


def _envelope() -> str:
    kind = ("`kind`", "text", "", "yes", "The kind of fact: one of the headings below.")
    rows = [_row(field) for field in _of(Event).fields]
    return md.table(HEAD, [*rows[:3], kind, *rows[3:]])


def _digits() -> str:
    """Return the sentence on how many decimal digits the amounts of a currency have."""
    others = [
        f"{digits} digits: {_codes(code for code in CURRENCIES if EXPONENT.get(code) == digits)}"
        for digits in (0, 3, 4)
    ]
    return f"Amounts have two digits after the point, except those of these currencies. {'; '.join(others)}."


def _allowed(field: inspect.Field, known: dict[str, str]) -> str:
    closed = md.marks(field.type).get(CLOSED)
    if not any(known.values()):
        return f"`{field.encode_name}` is one of the codes under [Currencies](#currencies)."
    title = "is one of" if closed else "may be any text; these have a meaning"
    return f"`{field.encode_name}` {title}:\n\n{md.words(known)}"


def _object_in(type_: inspect.Type) -> inspect.StructType | None:
    if isinstance(type_, inspect.Metadata):
        return _object_in(type_.type)
    if isinstance(type_, inspect.ListType):
        return type_.item_type if isinstance(type_.item_type, inspect.StructType) else None
    return None


def _fields(fields: Iterable[inspect.Field]) -> str:
    return md.table(HEAD, [_row(field) for field in fields])


def _row(field: inspect.Field) -> tuple[str, ...]:
    required = "yes" if field.required else "no"
    return (
        f"`{field.encode_name}`",
        md.type_in_words(field.type),
        md.unit(field.type),
        required,
        md.meaning(field.type),
    )


def _about(shape: type[Struct]) -> str:
    """Return the description of a kind of fact or of a register's value."""
    lines = (shape.__doc__ or "").splitlines()
    return "\n".join(line.strip() for line in lines).strip()


def _of(shape: type[Struct]) -> inspect.StructType:
    type_info = inspect.type_info(shape)
    assert isinstance(type_info, inspect.StructType)
    return type_info


def _game(game: Game) -> str:
    rows = [("editions", _codes(game.editions)), ("wagers", _codes(game.wagers))]
    if game.payments:
        rows.append(("payments without a bet of their own", _codes(game.payments)))
    by_tables: dict[tuple[str, ...], list[str]] = {}
    for wager, tables in game.pay_tables.items():
        by_tables.setdefault(tuple(tables), []).append(wager)
    rows += [(f"pay tables of {_codes(wagers)}", _codes(tables)) for tables, wagers in by_tables.items()]
    rows += [
        (f"reading `{question}`, the first is the default", _codes(answers))
        for question, answers in game.options.items()
    ]
    return md.table(("", ""), rows)


def _codes(names: Iterable[str]) -> str:
    return " ".join(f"`{name}`" for name in names)

"""Forms for tables, and for the letters that approve their games. The user first chooses the game. The form
then has a field for each option that the game's manual leaves open.
"""

from __future__ import annotations

from typing import Any, ClassVar

from django import forms

from casino.presentation.formatting import code_label, game_title, money, wager_words
from casino.reference import chip_sets
from casino.reference import entries as register
from casino.reference.forms.entry import Amount, Range, RegisterForm, Several
from casino.reference.gaming_day import entries_of
from casino.reference.par_levels import par_of
from casino.reference.registers import values_on
from games import GAMES
from games.kit.events import AT_THE_TABLE, kind_of
from games.kit.game import Game

TOLD = frozenset(
    {"table-opened", "table-closed", "dealer-seated", "corrected", "paused", "resumed", "void", "return"}
)
"""Kinds of facts that people post and equipment does not post."""
EVERY = "*"
MANY = ("pay_tables", "readings", "limits", "par")
"""Members of a table's value for which the form has several fields: one for each wager, option or
denomination.
"""
MOST_PIECES = 1_000_000
"""The largest number of pieces of one denomination in a par level."""
PLAIN = ("game", "pit", "edition", "decks", "spots", "chip", "sees")
"""Members of a table's value for which the form has a single field."""


class OfAGame(RegisterForm):
    """A form whose fields depend on a game."""

    also: ClassVar[tuple[str, ...]] = ("game",)
    choices: ClassVar[list[tuple[str, str]]] = [(code, game_title(code)) for code in sorted(GAMES)]

    def __init__(
        self, property: str, data: Any = None, *, key: str = "", standing: Any = None, game: str = ""
    ) -> None:
        stands = standing.get("game") if standing is not None else None
        self.game: Game | None = GAMES.get(
            (data or {}).get("game") or game or (stands if isinstance(stands, str) else "")
        )
        super().__init__(property, data, key=key, standing=standing)

    def own_fields(self) -> None:
        code = self.game.code if self.game is not None else ""
        self.fields["game"] = forms.ChoiceField(choices=[(code, game_title(code))] if code else self.choices)
        if self.game is not None:
            self.of_game(self.game)
        self.fields["game"].initial = code

    def of_game(self, game: Game) -> None:
        """Add the fields that depend on the game."""

    def value_of_game(self, value: dict[str, Any]) -> dict[str, Any]:
        """Return the value in force if it belongs to the game of the form. If it belongs to another game,
        return a value that contains only the game of the form.
        """
        return (
            value
            if self.game is not None and value.get("game") == self.game.code
            else {"game": self.game.code if self.game else ""}
        )


class TableForm(OfAGame):
    register, title = "tables", "Tables"
    about = "Each table: pit, game and the settings with which it is opened."
    key_label, key_help = "Table", "its code, such as EOU-01"

    def of_game(self, game: Game) -> None:
        pits = values_on(self.property, "pits")
        named = [
            (pit, f"{pit} {value.get('title') or ''}".strip())
            for pit, value in pits.items()
            if isinstance(value, dict)
        ]
        self.fields["pit"] = forms.ChoiceField(choices=named) if named else forms.CharField(max_length=100)
        self.fields["edition"] = forms.ChoiceField(choices=[(choice, choice) for choice in game.editions])
        for wager, tables in game.pay_tables.items():
            self.fields[f"pay_tables.{wager}"] = forms.ChoiceField(
                label=f"Pay table, {wager_words(wager)}", choices=[(choice, choice) for choice in tables]
            )
        for question, answers in game.options.items():
            label = f"Reading, {question.replace('-', ' ')}"
            self.fields[f"readings.{question}"] = forms.ChoiceField(
                label=label, choices=[(choice, code_label(choice)) for choice in answers]
            )
        decks_help = f"the manual says {game.decks}" if game.decks else "in the shoe"
        self.fields["decks"] = forms.IntegerField(
            min_value=1, max_value=20, initial=game.decks or 1, help_text=decks_help
        )
        self.fields["spots"] = forms.IntegerField(
            min_value=0, max_value=100, initial=0, help_text="0 = no limit"
        )
        self.fields["chip"] = Amount(self.money, minimum=1, label=f"Smallest chip ({self.money})")
        for wager in (EVERY, *game.wagers):
            wager_text = "every wager" if wager == EVERY else wager_words(wager)
            self.fields[f"limits.{wager}"] = Range(
                self.money, label=f"Limits ({self.money}), {wager_text}", required=wager == EVERY
            )
        kinds = sorted({kind_of(choice) for choice in AT_THE_TABLE} - TOLD)
        self.fields["sees"] = Several(
            choices=[(kind, code_label(kind)) for kind in kinds], label="Reported by its equipment"
        )
        self._par_fields()

    def _par_fields(self) -> None:
        """Add a field for each denomination of the tray, in the currency of the table."""
        stands = self.stands if isinstance(self.stands, dict) else {}
        currency = stands.get("currency") or self.money
        chips = set(chip_sets.chips(self.property, currency)) | par_of(stands).keys()
        for chip in sorted(chips, reverse=True):
            self.fields[f"par.{chip}"] = forms.IntegerField(
                label=f"Par of the tray, pieces of {money(chip, currency)} {currency}",
                min_value=0,
                max_value=MOST_PIECES,
                required=False,
            )

    def initial_of(self, value: dict[str, Any]) -> dict[str, Any]:
        value = self.value_of_game(value)
        shown: dict[str, Any] = {name: value[name] for name in PLAIN if name in value}
        for member in MANY[:-1]:
            shown |= {f"{member}.{name}": setting for name, setting in (value.get(member) or {}).items()}
        return shown | {f"par.{chip}": pieces for chip, pieces in par_of(value).items()}

    def value_of(self, values: dict[str, Any]) -> dict[str, Any]:
        value: dict[str, Any] = {name: values[name] for name in PLAIN}
        for member in MANY:
            named = {
                name.partition(".")[2]: values[name] for name in self.fields if name.startswith(f"{member}.")
            }
            value[member] = {name: setting for name, setting in named.items() if setting is not None}
        return value | {"par": value["par"] or None}

    def clean(self) -> dict[str, Any]:
        if self.game is None:
            self.add_error("game", "Choose the game first.")
            return self.cleaned_data
        return super().clean()


class ApprovalForm(OfAGame):
    register, title = "approvals", "Approvals"
    about = (
        "The games that a regulator's letter approves. A letter that does not name an option"
        " approves every choice."
    )
    key_label, key_help = "Letter", "the name by which findings cite the letter"

    def __init__(
        self, property: str, data: Any = None, *, key: str = "", standing: Any = None, game: str = ""
    ) -> None:
        if standing is not None and data is not None and standing.get("game") != game:
            standing = None  # The letter approves another game. Its fields begin empty.
        super().__init__(property, data, key=key, standing=standing, game=game)

    def of_game(self, game: Game) -> None:
        self.fields["regulator"] = forms.CharField(max_length=200, required=False)
        self.fields["signed"] = forms.CharField(
            max_length=300, required=False, help_text="who signed the letter, for whom, and when"
        )
        for label, name, choices in self._questions(game):
            self.fields[name] = Several(
                label=label, choices=[(choice, choice) for choice in choices], required=False
            )
        self.fields["conditions"] = forms.CharField(
            required=False,
            widget=forms.Textarea(attrs={"rows": 6, "cols": 80}),
            help_text="in the words of the letter, one paragraph for each condition",
        )

    @staticmethod
    def _questions(game: Game) -> list[tuple[str, str, Any]]:
        questions: list[tuple[str, str, Any]] = [("Editions", "edition", game.editions)]
        questions += [
            (f"Pay tables, {wager_words(wager)}", f"pay_tables.{wager}", tables)
            for wager, tables in game.pay_tables.items()
        ]
        return questions + [
            (f"Reading, {question.replace('-', ' ')}", f"readings.{question}", answers)
            for question, answers in game.options.items()
        ]

    def initial_of(self, value: dict[str, Any]) -> dict[str, Any]:
        value = self.value_of_game(value)
        shown: dict[str, Any] = {name: value.get(name) for name in ("game", "regulator", "signed")} | {
            "edition": _list(value.get("edition"))
        }
        for member in ("pay_tables", "readings"):
            shown |= {
                f"{member}.{name}": _list(setting) for name, setting in (value.get(member) or {}).items()
            }
        return shown | {"conditions": "\n\n".join(value.get("conditions") or [])}

    def value_of(self, values: dict[str, Any]) -> dict[str, Any]:
        value = {"game": values["game"], "letter": (self.stands or {}).get("letter") or values["key"]}
        value |= {name: values[name] or None for name in ("regulator", "signed")}
        value["edition"] = values["edition"] or None
        for member in ("pay_tables", "readings"):
            named = {
                name.partition(".")[2]: values[name]
                for name in self.fields
                if name.startswith(f"{member}.") and values[name]
            }
            value[member] = named or None
        parts = (" ".join(part.split()) for part in values["conditions"].replace("\r", "").split("\n\n"))
        return value | {"conditions": [part for part in parts if part] or None}

    def clean(self) -> dict[str, Any]:
        if self.game is None:
            self.add_error("game", "Choose the game first.")
            return self.cleaned_data
        values = super().clean()
        if not self.errors and not values["strike"] and self.standing is None:
            # one letter may approve several games or editions, which then become part of the key
            known = [entry for entry, _ in entries_of(self.property)]
            values["key"] = register.entries({"approvals": [values["value"]]}, known)[0].key
        return values


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]

"""The modules that `make fast` compiles. For each other module that judges facts, the reason why it is not
compiled.
"""

from __future__ import annotations

GROUP = "catwalk"
LIBRARY = f"{GROUP}__mypyc"
"""The module with the code of all compiled modules. The compiled modules import it."""
OPTIMIZATION = "1"
"""Optimization level of the C compiler. At this level the modules take 105 seconds of CPU time to compile."""

COMPILED = (
    "audit.replay.ended_rounds",
    "audit.replay.fold",
    "audit.replay.hold_attribution",
    "audit.replay.interruptions",
    "audit.replay.learned",
    "audit.replay.stream_answer",
    "audit.replay.tally",
    "games.andar_bahar.hands",
    "games.andar_bahar.manual",
    "games.andar_bahar.procedure",
    "games.bet_on_teen_patti.hands",
    "games.bet_on_teen_patti.manual",
    "games.bet_on_teen_patti.procedure",
    "games.casino_over_under.betting",
    "games.casino_over_under.cards",
    "games.casino_over_under.choices",
    "games.casino_over_under.declarations",
    "games.casino_over_under.hands",
    "games.casino_over_under.manual",
    "games.casino_over_under.misdeal",
    "games.casino_over_under.procedure",
    "games.casino_over_under.settlement",
    "games.easy_over_under.betting",
    "games.easy_over_under.hands",
    "games.easy_over_under.manual",
    "games.easy_over_under.procedure",
    "games.easy_over_under.sequence",
    "games.easy_over_under.settlement",
    "games.easy_over_under.short_side",
    "games.high_side.betting",
    "games.high_side.choices",
    "games.high_side.decisions",
    "games.high_side.dice_and_card",
    "games.high_side.hands",
    "games.high_side.manual",
    "games.high_side.odds",
    "games.high_side.procedure",
    "games.high_side.settlement",
    "games.kit.betting",
    "games.kit.breach_recorder",
    "games.kit.chances",
    "games.kit.closed_rounds",
    "games.kit.disconnection",
    "games.kit.line",
    "games.kit.money",
    "games.kit.odds",
    "games.kit.patti",
    "games.kit.phrases",
    "games.kit.round",
    "games.kit.seat",
    "games.kit.settlement",
    "games.kit.shoe_checks",
    "games.kit.showdown",
    "games.kit.signatures",
    "games.kit.steps",
    "games.kit.table",
    "games.kit.table_shoe",
    "games.lucky_7.hands",
    "games.lucky_7.manual",
    "games.lucky_7.procedure",
    "games.teen_patti.hands",
    "games.teen_patti.manual",
    "games.teen_patti.odds",
    "games.teen_patti.procedure",
)
"""Modules in which a replay spends much of its time, and the modules of their base classes."""

OPEN_CLASSES = {
    "audit.replay.fold": ("Fold",),
    "audit.replay.stream_answer": ("StreamAnswer",),
    "games.kit.betting": ("Decidable", "Betting"),
    "games.kit.disconnection": ("Disconnection",),
    "games.kit.money": ("Money",),
    "games.kit.patti": ("TwoHands",),
    "games.kit.round": ("Round",),
}
"""Compiled classes that classes in Python sources extend: the folds of pages and of what-if replays, and the
rounds of a game that is not compiled.
"""

LEFT_OUT = {
    "Its structs are read from stored bytes. mypyc keeps only the class of a field's type, such as `list`"
    " for `list[int]`, and msgspec needs the whole type.": (
        "audit.replay.boxes",
        "audit.replay.checks",
        "audit.replay.checks.*",
        "audit.replay.fold_state",
        "audit.replay.ledger_fold",
        "audit.replay.marker_chips",
        "audit.replay.recounts",
        "audit.replay.results",
        "audit.replay.serials",
        "audit.replay.slips",
        "audit.replay.table_days",
        "games.kit.breach",
        "games.kit.events",
        "games.kit.rules",
        "games.kit.shoe",
    ),
    "mypyc 2.4 does not compile a generator expression in a method of a NamedTuple.": (
        "audit.replay.accounts",
        "audit.replay.devices",
        "audit.replay.duties",
        "audit.replay.register_values",
        "audit.replay.video_address",
    ),
    "It reads the module of a class, which mypyc does not compile.": ("games.kit.game",),
    "It uses a cached property, which needs a class with a dictionary.": ("audit.replay.registers",),
    "A replay spends less than one percent of its time in it.": (
        "audit.replay.*",
        "games.*.odds",
        "games.*.outcome_words",
        "games.*.phrases",
        "games.*.questions",
        "games.kit.*",
    ),
    "The package only imports its modules.": ("audit.replay", "games", "games.*"),
}
"""{reason: names of modules, or patterns of names}. The first reason that matches a module is the reason."""

"""The values of the register `accounts`: an account of the accounting program, and the categories of its
lines.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field

from audit.facts.annotated_fields import needed

ACCOUNT_LETTERS = 100
"""Maximum length of the name of an account, in characters."""
_CATEGORY = r"(?:[^\W_]|\{game\}|\{table\})(?:[\w &'().:/-]|\{game\}|\{table\})*(?<! )"
_CATEGORY_NEED = "letters, digits, spaces and & ' ( ) . : / -, with {game} or {table} for the name of each"
Category = Annotated[
    str,
    needed(f"a name of {_CATEGORY_NEED}, such as Table games:{{game}},", pattern=rf"\A{_CATEGORY}\Z"),
    Meta(max_length=ACCOUNT_LETTERS),
]
TrackingCategory = Annotated[
    str,
    needed(
        "a category and an option, with a colon and a space between them, such as Table: {table},",
        pattern=rf"\A[^\W_][\w &'()./-]*: {_CATEGORY}\Z",
    ),
    Meta(max_length=ACCOUNT_LETTERS),
]


class AccountValue(Struct, frozen=True):
    """Register `accounts`, key: the amount that is posted, for example `win` or `win/high_side`. The account
    to which it is posted, and what the line is called in the categories of the accounting program.
    """

    number: Annotated[
        str,
        needed(
            "at most ten letters, digits, periods and hyphens, such as 1010,",
            pattern=r"\A[A-Za-z0-9][A-Za-z0-9.-]{0,9}\Z",
        ),
        Meta(description="The number of the account.", examples=["1010"]),
    ]
    name: Annotated[
        str,
        needed(
            "a name of letters, digits, spaces and & ' ( ) . , / -, with a colon before each part, such as"
            " Cash:Count room,",
            pattern=r"\A[^\W_][\w &'().,/-]*(?::[^\W_][\w &'().,/-]*)*(?<! )\Z",
            max_length=ACCOUNT_LETTERS,
        ),
        Meta(
            description="The name of the account, with a colon before each part.",
            examples=["Cash:Count room"],
        ),
    ]
    type: Annotated[
        Literal["asset", "liability", "equity", "income", "expense"],
        needed("one of asset, liability, equity, income, expense"),
        Meta(description="The type of the account.", examples=["asset"]),
    ]
    class_: (
        Annotated[
            Category,
            Meta(description="The class of the line. `{game}` and `{table}` stand for the table's own."),
        ]
        | UnsetType
    ) = field(default=UNSET, name="class")
    department: Annotated[Category, Meta(description="The department of the line.")] | UnsetType = UNSET
    location: Annotated[Category, Meta(description="The location of the line.")] | UnsetType = UNSET
    tracking: (
        Annotated[
            list[TrackingCategory],
            needed("at most two tracking categories, such as Table: {table},", max_length=2),
            Meta(description="Xero's tracking categories of the line, each with its option."),
        ]
        | UnsetType
    ) = UNSET

"""Locales for CSV files. Spreadsheets expect different cell separators and decimal signs in each country.

A CSV in a locale is a format of its own, such as `csv-de`. So an archived export keeps its locale, and a
schedule can order one.
"""

from __future__ import annotations

from typing import NamedTuple


class Separators(NamedTuple):
    """The character that separates two cells, and the character that separates the decimals of a number."""

    cell: str
    decimal: str


POINT = Separators(",", ".")
COMMA = Separators(";", ",")
LOCALES: dict[str, Separators] = {"en": POINT, "de": COMMA, "fr": COMMA}
"""{locale: its separators}. The default locale of CSV is `en`."""
WITH_LOCALE = ("csv", "csv-excel")
"""The formats that can be written in a locale. Numbers in other formats have no decimal sign of a country."""
DEFAULT = "en"


def localized(format: str, locale: str) -> str:
    """Return the name of a format in a locale, such as `csv-de`. Raise ValueError, with a sentence, if the
    locale is unknown, or if the format has no locales.
    """
    if locale not in LOCALES:
        raise ValueError(f"locale must be one of {', '.join(LOCALES)}")
    if locale == DEFAULT:
        return format
    if format not in WITH_LOCALE:
        raise ValueError(f"{format} has no locales; formats with locales: {', '.join(WITH_LOCALE)}")
    return f"{format}-{locale}"


def split(name: str) -> tuple[str, str]:
    """Return the format and the locale of a name that `localized` returned."""
    format, _, locale = name.rpartition("-")
    return (format, locale) if format in WITH_LOCALE and locale in LOCALES else (name, DEFAULT)

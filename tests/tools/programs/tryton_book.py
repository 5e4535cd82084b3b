"""Import a journal file for NetSuite into a new database of Tryton: `tryton_book.py FILE`. Needs the packages
of requirements-tryton.txt.

Each currency has its own company. Documents become moves through the CSV import of Tryton's client. Tryton
posts the moves, which fails if a move is not balanced, and closes the fiscal years. The program prints as
JSON the number of posted moves and the balance of each account of each company, as Tryton computes them.
"""

from __future__ import annotations

import csv
import json
import sys
from collections import defaultdict
from datetime import date
from decimal import Decimal
from itertools import groupby
from typing import Any

from proteus import Model
from proteus.config import get_config
from trytond import __version__
from trytond.modules.account.tests.tools import create_fiscalyear
from trytond.modules.company.tests.tools import create_company
from trytond.tests.tools import activate_modules

Rows = list[dict[str, str]]
FIELDS = ("journal", "date", "description", "lines/account", "lines/debit", "lines/credit")
"""The columns of the import. The first three have values only in the first line of a move."""


def day(row: dict[str, str]) -> date:
    month, day_of_month, year = map(int, row["Date"].split("/"))
    return date(year, month, day_of_month)


def make_company(code: str) -> Any:
    """Make a company with this currency, and use it from now on."""
    currency = Model.get("currency.currency")(name=code, code=code, symbol=code)
    currency.digits = 0 if code == "JPY" else 2
    currency.rounding = Decimal(10) ** -currency.digits
    currency.rates.new(rate=Decimal(1))
    currency.save()
    party = Model.get("party.party")(name=code)
    party.save()
    create_company(party, currency)
    (company,) = Model.get("company.company").find([("party", "=", party.id)])
    user = Model.get("res.user")(get_config().user)
    user.companies.append(company)
    user.company = company
    user.save()
    get_config()._context = Model.get("res.user").get_preferences(True, {})
    return company


def make_accounts(company: Any, numbers: set[str]) -> None:
    kind = Model.get("account.account.type")(name="Accounts", company=company, statement="balance")
    kind.save()
    for number in sorted(numbers):
        Model.get("account.account")(name=number, code=number, company=company, type=kind).save()


def enter(company: Any, rows: Rows) -> tuple[int, dict[str, str]]:
    """Import the moves of one company, post them, and close the fiscal year. Return the number of posted
    moves and the balance of each account in the closed year.
    """
    days = sorted({day(row) for row in rows})
    year = create_fiscalyear(company, (days[0], days[-1]))
    year.save()
    year.click("create_period")
    move = Model.get("account.move")
    table = []
    for _, lines in groupby(rows, lambda row: row["External ID"]):
        for place, row in enumerate(lines):
            header = ("Cash", day(row), row["External ID"]) if place == 0 else ("", "", "")
            table.append([*header, row["Account"], Decimal(row["Debit"] or 0), Decimal(row["Credit"] or 0)])
    move._proxy.import_data(list(FIELDS), table, get_config().context)
    move.click(move.find([("company", "=", company.id)]), "post")
    year.click("close")
    posted = move.find([("company", "=", company.id), ("state", "=", "posted")])
    with get_config().set_context(fiscalyear=year.id, posted=True):
        accounts = Model.get("account.account").find([("company", "=", company.id)])
        return len(posted), {account.code: str(account.balance) for account in accounts}


def main(path: str) -> None:
    """Enter the file, and print what Tryton makes of it."""
    activate_modules("account")
    with open(path, newline="", encoding="utf-8") as opened:
        by_currency: dict[str, Rows] = defaultdict(list)
        for row in csv.DictReader(opened):
            by_currency[row["Currency"]].append(row)
    posted, balances = 0, {}
    for code, rows in by_currency.items():
        company = make_company(code)
        make_accounts(company, {row["Account"] for row in rows})
        entered, of_accounts = enter(company, rows)
        posted += entered
        balances |= {f"{number} {code}": balance for number, balance in of_accounts.items()}
    print(json.dumps({"version": __version__, "transactions": posted, "balances": balances}))


if __name__ == "__main__":
    main(sys.argv[1])

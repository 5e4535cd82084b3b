"""Configure the app `casino` and Django's admin."""

from typing import Any

from django.apps import AppConfig
from django.contrib.admin.apps import SimpleAdminConfig
from django.core import checks

from casino.runtime import compiled


class CasinoConfig(AppConfig):
    """The Django app with the back office's models, pages and commands."""

    name = "casino"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Give the class `Person` the registers and the table of rights, which `Person` cannot import itself.
        Add `check_compiled` to the checks of `manage.py check`.
        """
        from casino.accounts.permissions import RIGHTS
        from casino.models import Person
        from casino.reference import registers

        Person.registers = registers
        Person.rights = RIGHTS
        checks.register(check_compiled)


class BackOfficeConfig(SimpleAdminConfig):
    """Django's admin with our own site. The lists are registered at the first request, so that commands need
    not load them.
    """

    default_site = "casino.admin.site.BackOfficeSite"


def check_compiled(**options: Any) -> list[checks.CheckMessage]:
    """Return a message of `manage.py check` about the variable CATWALK_COMPILED. It says how many compiled
    modules judge facts, or why the Python sources judge them instead. Return no message if the variable is
    not set.
    """
    state = compiled.STATE
    if state.problem:
        return [checks.Warning(f"The Python sources judge facts: {state.problem}", id="casino.W001")]
    if state.modules:
        says = f"{len(state.modules)} compiled modules of {state.folder} judge facts."
        return [checks.Info(says, id="casino.I001")]
    return []

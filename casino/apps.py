"""Configure the app `casino` and Django's admin."""

from django.apps import AppConfig
from django.contrib.admin.apps import SimpleAdminConfig


class CasinoConfig(AppConfig):
    """The Django app with the back office's models, pages and commands."""

    name = "casino"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Set the registers and the table of rights on `Person`, because models cannot import them."""
        from casino.accounts.permissions import RIGHTS
        from casino.models import Person
        from casino.reference import registers

        Person.registers = registers
        Person.rights = RIGHTS


class BackOfficeConfig(SimpleAdminConfig):
    """Django's admin with our own site. The lists are registered at the first request, so that commands need
    not load them.
    """

    default_site = "casino.admin.site.BackOfficeSite"

"""The app `casino` as Django knows it."""

from django.apps import AppConfig
from django.contrib.admin.apps import SimpleAdminConfig


class CasinoConfig(AppConfig):
    """People, places, money and pages."""

    name = "casino"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Give people the registers and the rights, which models cannot import."""
        from casino.accounts.permissions import RIGHTS
        from casino.models import Person
        from casino.reference import registers

        Person.registers = registers
        Person.rights = RIGHTS


class BackOfficeConfig(SimpleAdminConfig):
    """Django's admin with a site of our own. It finds its lists when somebody asks for a page: a command that
    shows none waits for none.
    """

    default_site = "casino.admin.site.BackOffice"

"""The app `casino` as Django knows it."""

from django.apps import AppConfig
from django.contrib.admin.apps import SimpleAdminConfig


class CasinoConfig(AppConfig):
    """People, places, money and pages."""

    name = "casino"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Give `Person` the registers and the rights, which models cannot import."""
        from casino.accounts.permissions import RIGHTS
        from casino.models import Person
        from casino.reference import registers

        Person.registers = registers
        Person.rights = RIGHTS


class BackOfficeConfig(SimpleAdminConfig):
    """Django's admin with our own site. The site finds its lists at the first request, so commands start
    without them.
    """

    default_site = "casino.admin.site.BackOfficeSite"

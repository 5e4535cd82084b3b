"""The app `casino` as Django knows it."""

from importlib import import_module

from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig


class CasinoConfig(AppConfig):
    """People, places, money and pages."""

    name = "casino"
    default_auto_field = "django.db.models.BigAutoField"


class BackOfficeConfig(AdminConfig):
    """Django's admin with a site of our own."""

    default_site = "casino.back_office.BackOffice"

    def ready(self) -> None:
        """After what the apps register themselves: pages of other packages give way to the house's."""
        super().ready()
        import_module("casino.admin.schedules")
        import_module("casino.admin.one_time")

"""The app `audit` as Django knows it."""

from django.apps import AppConfig


class AuditConfig(AppConfig):
    """Facts, the ledger and its readers."""

    name = "audit"
    default_auto_field = "django.db.models.BigAutoField"

"""The Django app `audit`."""

from django.apps import AppConfig


class AuditConfig(AppConfig):
    """Configuration of the app: facts, the ledger, replay and review."""

    name = "audit"
    default_auto_field = "django.db.models.BigAutoField"

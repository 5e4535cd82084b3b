"""Grant the application's role to set up and remove one-time passwords, and to count failed codes."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import migrations

TABLES = ("otp_totp_totpdevice", "otp_static_staticdevice", "otp_static_statictoken")


def grant(apps: Any, schema_editor: Any) -> None:
    role = schema_editor.quote_name(settings.DATABASES["default"]["USER"])
    schema_editor.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON {', '.join(TABLES)} TO {role}")


class Migration(migrations.Migration):
    dependencies = [("casino", "0023_tokens"), ("otp_totp", "0003_add_timestamps"), ("otp_static", "0003_add_timestamps")]
    operations = [migrations.RunPython(grant, migrations.RunPython.noop)]

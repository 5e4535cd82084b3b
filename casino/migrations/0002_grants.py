"""Grant the application's role what the pages need on the tables of people, registers, logins and sessions.

People and tokens are never deleted, because facts name them. Nothing reads Django's own tables of groups and
permissions.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import migrations

RIGHTS = {
    "SELECT, INSERT, UPDATE": ("casino_person", "casino_token"),
    "SELECT, INSERT, UPDATE, DELETE": (
        "casino_property",
        "casino_entry",
        "casino_standing",
        "django_session",
        "axes_accessattempt",
        "axes_accesslog",
        "axes_accessfailurelog",
        "axes_accessattemptexpiration",
    ),
    "SELECT, INSERT": ("django_admin_log",),
    "SELECT": ("django_content_type", "django_migrations"),
}


def grant(apps: Any, schema_editor: Any) -> None:
    role = schema_editor.quote_name(settings.DATABASES["default"]["USER"])
    for rights, tables in RIGHTS.items():
        schema_editor.execute(f"GRANT {rights} ON {', '.join(tables)} TO {role}")


class Migration(migrations.Migration):
    dependencies = [
        ("casino", "0001_people"),
        ("admin", "0003_logentry_add_action_flag_choices"),
        ("axes", "0010_accessattemptexpiration"),
        ("contenttypes", "0002_remove_content_type_name"),
        ("sessions", "0001_initial"),
    ]
    operations = [migrations.RunPython(grant, migrations.RunPython.noop)]

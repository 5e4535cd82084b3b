"""Declare schedules to the admin, and create the first times at which schedules are checked: every ten
minutes, every hour, and once a day.
"""

from __future__ import annotations

from typing import Any

from django.db import migrations

PROXY = {"proxy": True, "default_permissions": (), "indexes": [], "constraints": []}
TIMES = (("*/10", "*"), ("5", "*"), ("15", "12"))


def times(apps: Any, schema_editor: Any) -> None:
    for minute, hour in TIMES:
        apps.get_model("django_celery_beat", "CrontabSchedule").objects.using(schema_editor.connection.alias).get_or_create(
            minute=minute, hour=hour, day_of_week="*", day_of_month="*", month_of_year="*", timezone="UTC"
        )


class Migration(migrations.Migration):
    dependencies = [("casino", "0016_registers"), ("django_celery_beat", "0019_alter_periodictasks_options")]
    operations = [
        migrations.CreateModel(
            name="Asking",
            fields=[],
            options=PROXY | {"verbose_name": "time of asking", "verbose_name_plural": "times of asking"},
            bases=("django_celery_beat.crontabschedule",),
        ),
        migrations.CreateModel(
            name="Schedule",
            fields=[],
            options=PROXY | {"verbose_name": "report schedule"},
            bases=("django_celery_beat.periodictask",),
        ),
        migrations.RunPython(times, migrations.RunPython.noop),
    ]

"""Declare gaming days, shifts, chip sets and thresholds to the admin. They are proxies of the entries in
force, so there is no new table.
"""

from django.db import migrations

PLAIN = {"proxy": True, "default_permissions": (), "indexes": [], "constraints": []}


class Migration(migrations.Migration):
    dependencies = [("casino", "0015_kept")]

    operations = [
        migrations.CreateModel(name=name, fields=[], options={**PLAIN, **more}, bases=("casino.standing",))
        for name, more in (("ChipSet", {}), ("DayBegins", {"verbose_name": "gaming day"}), ("Shift", {}), ("Threshold", {}))
    ]

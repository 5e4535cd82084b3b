"""Gaming days, shifts, chip sets and thresholds as lists of the admin: views of what stands, no table more."""

from django.db import migrations

PLAIN = {"proxy": True, "default_permissions": (), "indexes": [], "constraints": []}


class Migration(migrations.Migration):
    dependencies = [("casino", "0015_kept")]

    operations = [
        migrations.CreateModel(name=name, fields=[], options={**PLAIN, **more}, bases=("casino.standing",))
        for name, more in (("ChipSet", {}), ("DayBegins", {"verbose_name": "gaming day"}), ("Shift", {}), ("Threshold", {}))
    ]

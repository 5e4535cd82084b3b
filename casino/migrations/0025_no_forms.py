"""Erase the stored forms of failed logins, because they may contain passwords of other people
(casino/accounts/lockout.py).
"""

from __future__ import annotations

from django.db import migrations

FORGET = "UPDATE axes_accessattempt SET get_data = '', post_data = ''"


class Migration(migrations.Migration):
    dependencies = [("casino", "0019_pieces"), ("axes", "0010_accessattemptexpiration")]
    operations = [migrations.RunSQL(FORGET, migrations.RunSQL.noop)]

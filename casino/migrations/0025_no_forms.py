"""Of a form that held a wrong password nothing is kept: it may have held other people's right ones (casino/people/guesses.py)."""

from __future__ import annotations

from django.db import migrations

FORGET = "UPDATE axes_accessattempt SET get_data = '', post_data = ''"


class Migration(migrations.Migration):
    dependencies = [("casino", "0019_pieces"), ("axes", "0010_accessattemptexpiration")]
    operations = [migrations.RunSQL(FORGET, migrations.RunSQL.noop)]

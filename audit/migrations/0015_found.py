"""Create indexes for the filters of the admin pages: findings by code and by grade, and jobs that were set
aside.
"""

from __future__ import annotations

from django.db import migrations

INDEXES = """
CREATE INDEX finding_by_code ON finding (property, code, stream, number);
CREATE INDEX finding_by_grade ON finding (property, grade, stream, number);
CREATE INDEX job_set_aside ON job (property, id) WHERE state = 'set-aside';
"""
BACK = "DROP INDEX finding_by_code; DROP INDEX finding_by_grade; DROP INDEX job_set_aside"


class Migration(migrations.Migration):
    dependencies = [("audit", "0014_stays")]
    operations = [migrations.RunSQL(INDEXES, BACK)]

"""Create an index that finds the latest fact about a saved view by its owner and name, and an index with
which a search for a game that a property does not play reads no rounds.
"""

from __future__ import annotations

from django.db import migrations

# The index has a hash, because a name may have any length and an index must never cause a fact to be refused.
INDEX = """
CREATE FUNCTION view_of(body bytea) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$ SELECT md5((convert_from(body, 'UTF8')::jsonb ->> 'by') || chr(10)
        || (convert_from(body, 'UTF8')::jsonb ->> 'name')) $$;
CREATE INDEX fact_of_view ON fact (property, view_of(body), position DESC) WHERE kind = 'view-saved';
DROP INDEX round_by_day;
CREATE INDEX round_by_game ON round_tally (property, game, shift, day);
"""
BACK = """
DROP INDEX fact_of_view; DROP FUNCTION view_of; DROP INDEX round_by_game;
CREATE INDEX round_by_day ON round_tally (property, day);
"""


class Migration(migrations.Migration):
    dependencies = [("audit", "0033_alerts")]
    operations = [migrations.RunSQL(INDEX, BACK)]

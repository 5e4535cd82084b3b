"""Add the column `counted_drop` to the view `bi.count`. It has the value of the column `drop`, whose name is a
reserved word that some programs write without quotes.
"""

from __future__ import annotations

from django.db import migrations

VIEW = """CREATE OR REPLACE VIEW bi."count" WITH (security_barrier) AS SELECT * FROM (
    SELECT x.property, left(x.stream, -11) AS "table", right(x.stream, 10)::date AS gaming_day, x.currency,
        x.shift, x.openers::int AS openers, bi.major(x.opener, x.currency) AS opener,
        x.closers::int AS closers, bi.major(x.closer, x.currency) AS closer,
        bi.major(x.fills, x.currency) AS fills, bi.major(x.credits, x.currency) AS credits,
        x.boxes_pulled::int AS boxes_pulled, x.boxes_counted::int AS boxes_counted,
        bi.major(x.counted, x.currency) AS drop, bi.major(x.verified_drop, x.currency) AS verified_drop,
        bi.major(x.chips_bought, x.currency) AS chips_bought, bi.major(x.counted, x.currency) AS counted_drop
    FROM (SELECT property, stream, currency, shift,
            coalesce(sum(number) FILTER (WHERE kind = 'opener-counted'), 0) AS openers,
            coalesce(sum(amount) FILTER (WHERE kind = 'opener-counted'), 0) AS opener,
            coalesce(sum(number) FILTER (WHERE kind = 'closer-counted'), 0) AS closers,
            coalesce(sum(amount) FILTER (WHERE kind = 'closer-counted'), 0) AS closer,
            coalesce(sum(CASE kind WHEN 'fill-sent' THEN amount WHEN 'fill-voided' THEN -amount END), 0)
                AS fills,
            coalesce(sum(CASE kind WHEN 'credit-sent' THEN amount WHEN 'credit-voided' THEN -amount END), 0)
                AS credits,
            coalesce(sum(number) FILTER (WHERE kind = 'box-pulled'), 0) AS boxes_pulled,
            coalesce(sum(number) FILTER (WHERE kind = 'drop-counted'), 0) AS boxes_counted,
            coalesce(sum(amount) FILTER (WHERE kind = 'drop-counted'), 0) AS counted,
            coalesce(sum(amount) FILTER (WHERE kind = 'count-verified'), 0) AS verified_drop,
            coalesce(sum(amount) FILTER (WHERE kind = 'chips-bought'), 0) AS chips_bought,
            bool_or(kind <> 'corrected') AS cage
        FROM cage_tally GROUP BY 1, 2, 3, 4) x
    WHERE x.cage) visible
    WHERE visible.property IN (SELECT r.property FROM bi_reader r
        WHERE r.role = session_user AND r.view = 'count');
COMMENT ON COLUMN bi."count".counted_drop IS 'amount: the value of drop, under a name that needs no quotes';
"""


class Migration(migrations.Migration):
    dependencies = [("casino", "0037_openid")]
    operations = [migrations.RunSQL(VIEW, migrations.RunSQL.noop)]

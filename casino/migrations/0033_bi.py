"""Create the views for BI programs in the schema `bi`, and the list of the roles that may read them.

Every role may select from the views, but gets rows only if the table `bi_reader` lists the role. So the roles
of the server need no other rights, and the structure of the database is the same in every installation. The
views belong to the owner of the tables, so a reader needs no right to the tables. The views contain no bodies
of facts, and nothing about cases.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import migrations

KINDS = [
    "table-opened",
    "dealer-seated",
    "shuffled",
    "cut-card-shown",
    "round-opened",
    "bet",
    "bets",
    "unbet",
    "no-more-bets",
    "shake",
    "roll",
    "announce",
    "mark",
    "choose",
    "pull",
    "deal",
    "burn",
    "take",
    "pay",
    "settled",
    "clear",
    "void",
    "return",
    "round-closed",
    "corrected",
    "paused",
    "resumed",
    "player-lost",
    "player-back",
    "alarm",
    "alarm-answered",
    "table-closed",
    "opener-counted",
    "closer-counted",
    "fill-sent",
    "credit-sent",
    "slip-voided",
    "marker-issued",
    "marker-paid",
    "chips-bought",
    "box-pulled",
    "drop-counted",
    "count-verified",
    "day-closed",
    "adjusted",
    "read-corrected",
    "round-cancelled",
]
"""The kinds of facts about play, cage and count that `bi.fact` has: nothing about cases, people or settings."""
NO_DECIMALS = [
    "BIF",
    "CLP",
    "DJF",
    "GNF",
    "ISK",
    "JPY",
    "KMF",
    "KRW",
    "PYG",
    "RWF",
    "UGX",
    "UYI",
    "VND",
    "VUV",
    "XAF",
    "XOF",
    "XPF",
]
THREE_DECIMALS = ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"]
FOUR_DECIMALS = ["CLF", "UYW"]


def _texts(names: list[str]) -> str:
    return ", ".join(f"'{name}'" for name in names)


SCHEMA = f"""
CREATE TABLE bi_reader (
    role text NOT NULL,
    property text NOT NULL,
    view text NOT NULL,
    by text NOT NULL,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (role, property, view)
);
COMMENT ON TABLE bi_reader IS 'which role of the server reads which view of the schema bi, at which property';
CREATE SCHEMA bi;
CREATE FUNCTION bi.major(amount numeric, currency text) RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN amount * CASE WHEN currency IN ({_texts(NO_DECIMALS)}) THEN 1
    WHEN currency IN ({_texts(THREE_DECIMALS)}) THEN 0.001
    WHEN currency IN ({_texts(FOUR_DECIMALS)}) THEN 0.0001 ELSE 0.01 END;
"""
COUNTED = """SELECT property, stream, currency, %s AS shift,
        coalesce(sum(number) FILTER (WHERE kind = 'opener-counted'), 0) AS openers,
        coalesce(sum(amount) FILTER (WHERE kind = 'opener-counted'), 0) AS opener,
        coalesce(sum(number) FILTER (WHERE kind = 'closer-counted'), 0) AS closers,
        coalesce(sum(amount) FILTER (WHERE kind = 'closer-counted'), 0) AS closer,
        coalesce(sum(CASE kind WHEN 'fill-sent' THEN amount WHEN 'fill-voided' THEN -amount END), 0) AS fills,
        coalesce(sum(CASE kind WHEN 'credit-sent' THEN amount WHEN 'credit-voided' THEN -amount END), 0)
            AS credits,
        coalesce(sum(number) FILTER (WHERE kind = 'box-pulled'), 0) AS boxes_pulled,
        coalesce(sum(number) FILTER (WHERE kind = 'drop-counted'), 0) AS boxes_counted,
        coalesce(sum(amount) FILTER (WHERE kind = 'drop-counted'), 0) AS drop,
        coalesce(sum(amount) FILTER (WHERE kind = 'count-verified'), 0) AS verified_drop,
        coalesce(sum(amount) FILTER (WHERE kind = 'chips-bought'), 0) AS chips_bought,
        coalesce(sum(amount) FILTER (WHERE kind = 'corrected'), 0) AS corrected,
        bool_or(kind <> 'corrected') AS cage
    FROM cage_tally GROUP BY 1, 2, 3, 4"""
PLACE = 'left(x.stream, -11) AS "table", right(x.stream, 10)::date AS gaming_day'
VIEWS = {
    "fact": f"""SELECT x.property, x.position, {PLACE}, x.number, x.kind, x.round, x.recorded_at
        FROM fact x WHERE x.kind IN ({_texts(KINDS)})""",
    "finding": f"""SELECT x.property, x.id, {PLACE}, x.number, x.round, x.code, x.grade, x.spot, x.wager,
            coalesce(q.currency, '') AS currency,
            round(bi.major(m.owed, coalesce(q.currency, '')), 6) AS owed,
            round(bi.major(m.moved, coalesce(q.currency, '')), 6) AS moved,
            CASE WHEN x.code <> 'flagged' THEN x.says END AS says, x.cite
        FROM finding x CROSS JOIN LATERAL (SELECT
            split_part(x.owed, '/', 1)::numeric
                / coalesce(nullif(split_part(x.owed, '/', 2), ''), '1')::numeric AS owed,
            split_part(x.moved, '/', 1)::numeric
                / coalesce(nullif(split_part(x.moved, '/', 2), ''), '1')::numeric AS moved) m
        LEFT JOIN queued q ON q.property = x.property AND q.stream = x.stream
            AND q.hand = coalesce(x.round, '#' || x.number)""",
    "hand": """SELECT x.property, x."table", x.day AS gaming_day, x.game, x.shift, x.currency,
            count(*) AS hands, count(*) FILTER (WHERE x.voided) AS void_hands,
            count(*) FILTER (WHERE x.codes <> '{}') AS hands_with_findings, sum(x.bets)::bigint AS bets,
            bi.major(sum(x.staked), x.currency) AS staked, bi.major(sum(x.paid), x.currency) AS paid,
            bi.major(sum(x.taken), x.currency) AS taken,
            bi.major(sum(x.returned), x.currency) AS returned,
            round(bi.major(sum(x.to_player), x.currency), 6) AS to_players,
            round(bi.major(sum(x.to_house), x.currency), 6) AS to_casino
        FROM round_tally x GROUP BY 1, 2, 3, 4, 5, 6""",
    "tally": f"""SELECT x.property, {PLACE}, x.currency, x.shift, x.dealer, x.wager, x.pay_table,
            sum(x.rounds)::bigint AS rounds, sum(x.bets)::bigint AS bets,
            bi.major(sum(x.staked), x.currency) AS staked, bi.major(sum(x.paid), x.currency) AS paid,
            bi.major(sum(x.taken), x.currency) AS taken, bi.major(sum(x.returned), x.currency) AS returned
        FROM tally x GROUP BY x.property, x.stream, 4, 5, 6, 7, 8""",
    "count": f"""SELECT x.property, {PLACE}, x.currency, x.shift, x.openers::int AS openers,
            bi.major(x.opener, x.currency) AS opener, x.closers::int AS closers,
            bi.major(x.closer, x.currency) AS closer, bi.major(x.fills, x.currency) AS fills,
            bi.major(x.credits, x.currency) AS credits, x.boxes_pulled::int AS boxes_pulled,
            x.boxes_counted::int AS boxes_counted, bi.major(x.drop, x.currency) AS drop,
            bi.major(x.verified_drop, x.currency) AS verified_drop,
            bi.major(x.chips_bought, x.currency) AS chips_bought
        FROM ({COUNTED % "shift"}) x WHERE x.cage""",
    "hold": f"""SELECT x.property, x."table", x.day AS gaming_day, x.game, p.currency,
            CASE WHEN x.live_dealer THEN 'GGR / handle' ELSE 'win / drop' END AS basis,
            x.closed IS NOT NULL AS is_closed,
            CASE WHEN k.pending THEN 'pending' ELSE 'known' END AS status,
            CASE WHEN NOT k.pending THEN round(bi.major(k.win, p.currency), 6) END AS win,
            CASE WHEN NOT k.pending THEN bi.major(k.over, p.currency) END AS denominator,
            CASE WHEN NOT k.pending AND k.over > 0 THEN round(100 * k.win / k.over, 1) END AS hold_percent
        FROM examination x JOIN (
            SELECT * FROM
                (SELECT property, stream, currency, sum(staked) AS staked, sum(returned) AS returned,
                    sum(taken) - sum(paid) + sum(unseen / nullif(parts, 0)) FILTER (WHERE unseen <> 0)
                        AS with_unseen, sum(taken) - sum(paid) AS moved
                FROM tally GROUP BY 1, 2, 3) t
            FULL JOIN ({COUNTED % "''"}) c USING (property, stream, currency)) p USING (property, stream)
        CROSS JOIN LATERAL (SELECT
            CASE WHEN x.live_dealer
                THEN coalesce(p.with_unseen, p.moved, 0) - coalesce(p.corrected, 0)
                ELSE p.closer + p.credits + p.drop - p.opener - p.fills END AS win,
            CASE WHEN x.live_dealer THEN coalesce(p.staked - p.returned, 0) ELSE p.drop END AS over,
            NOT x.live_dealer AND (p.openers = 0 OR p.closers < greatest(p.openers, 1)
                OR p.closers > p.openers OR x.open_boxes > 0 OR p.boxes_counted = 0
                OR x.boxes = 0 OR x.stays) AS pending) k
        WHERE x.game <> '' AND (x.live_dealer OR p.cage)""",
    "verdict": """SELECT x.property, x.position, x.day AS gaming_day, x.at, x.finding, x.code, x.verdict,
            x.disposition, coalesce(q.currency, '') AS currency,
            bi.major(x.savings, coalesce(q.currency, '')) AS savings,
            bi.major(x.losses, coalesce(q.currency, '')) AS losses,
            bi.major(x.recovered, coalesce(q.currency, '')) AS recovered, x.by, x.second, x.lacks_second,
            x.overturned, x.seconds
        FROM verdict x LEFT JOIN finding f ON f.property = x.property AND f.id = x.finding
        LEFT JOIN queued q ON q.property = f.property AND q.stream = f.stream
            AND q.hand = coalesce(f.round, '#' || f.number)""",
}
READ = """ CREATE VIEW bi."{0}" WITH (security_barrier) AS SELECT * FROM ({1}) visible
    WHERE visible.property IN (SELECT r.property FROM bi_reader r
        WHERE r.role = session_user AND r.view = '{0}');
GRANT SELECT ON bi."{0}" TO PUBLIC;
"""
COMMENTS = {
    "fact": "A fact of play, cage or count room, in the order of commit, without its body",
    "finding": "A finding that is in force",
    "hand": "Hands that are over, by table, gaming day, game, shift and currency",
    "tally": "Sums of play by table, gaming day, shift, dealer and wager",
    "count": "Openers, closers, slips and boxes of a felt table, by gaming day and shift",
    "hold": "Win and hold of a gaming day of a table, from everything recorded",
    "verdict": "A verdict, in the order of commit",
}
COLUMNS = {
    "property": "code of the property",
    "position": "count: position in the ledger of the property",
    "table": "property and code, such as aurora/EOU-01",
    "gaming_day": "day: the gaming day; of a verdict, the day on which it was given",
    "number": "count: number of the fact on the gaming day of its table",
    "kind": "kind of the fact, as in docs/events.md",
    "round": "id of the hand",
    "recorded_at": "time: when it was recorded",
    "id": "id of the finding",
    "code": "code of the finding, as in docs/findings.md",
    "grade": "integrity, money, outcome, procedure or notice",
    "spot": "betting position",
    "wager": "wager of the game; in tally, an empty one counts the rounds",
    "currency": "ISO code of the amounts in the row; never add up two currencies",
    "owed": "amount: what the rules owe",
    "moved": "amount: what was paid or taken",
    "says": "the sentence of the finding; empty for what an officer wrote",
    "cite": "the rule that decides",
    "game": "code of the game",
    "shift": "name of the shift",
    "hands": "count: hands that are over",
    "void_hands": "count: of them, void",
    "hands_with_findings": "count: of them, with a finding in force",
    "bets": "count: bets",
    "staked": "amount: bet",
    "paid": "amount: paid to players",
    "taken": "amount: lost by players",
    "returned": "amount: returned without a win",
    "to_players": "amount: what players received too much, by findings",
    "to_casino": "amount: what players received too little, by findings",
    "dealer": "staff ID of the dealer",
    "pay_table": "pay table of the wager",
    "rounds": "count: rounds; only in rows without a wager",
    "openers": "count: openers",
    "opener": "amount: tray at the beginning",
    "closers": "count: closers",
    "closer": "amount: tray at the end",
    "fills": "amount: chips sent to the table, without voided slips",
    "credits": "amount: chips sent to the cage, without voided slips",
    "boxes_pulled": "count: boxes pulled",
    "boxes_counted": "count: boxes counted",
    "drop": "amount: counted in the boxes",
    "verified_drop": "amount: counted again",
    "chips_bought": "amount: chips sold at the table",
    "basis": "win / drop at felt tables, GGR / handle at live-dealer tables; never add up both",
    "is_closed": "true if the day of the table is closed",
    "status": "known, or pending: a count is missing, or the box stayed on the table",
    "win": "amount: of the casino; empty while pending",
    "denominator": "amount: drop or handle; empty while pending",
    "hold_percent": "percent: win of the denominator, to one decimal; never average it",
    "at": "time: when the verdict was given",
    "finding": "id of the finding",
    "verdict": "confirmed, dismissed, escalated or withdrawn",
    "disposition": "what was decided about the money",
    "savings": "amount: saved",
    "losses": "amount: lost",
    "recovered": "amount: recovered",
    "by": "staff ID of the officer",
    "second": "staff ID of the second reviewer",
    "lacks_second": "true if a second reviewer is still missing",
    "overturned": "true if another officer decided otherwise later",
    "seconds": "count: seconds from the fact to the first verdict; empty for later ones",
}


def views() -> str:
    """Return the SQL that creates the views, with a comment on each view."""
    return "".join(
        f"{READ.format(name, query)} COMMENT ON VIEW bi.\"{name}\" IS '{COMMENTS[name]}';"
        for name, query in VIEWS.items()
    )


def describe(apps: Any, schema_editor: Any) -> None:
    """Write a comment on each column, and let the application read which roles may read the views."""
    with schema_editor.connection.cursor() as cursor:
        cursor.execute(
            "SELECT c.relname, a.attname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid"
            " WHERE c.relnamespace = 'bi'::regnamespace AND c.relkind = 'v' AND a.attnum > 0"
        )
        for view, column in cursor.fetchall():
            cursor.execute(f'COMMENT ON COLUMN bi."{view}"."{column}" IS \'{COLUMNS[column]}\'')
    user = schema_editor.connection.ops.quote_name(settings.DATABASES["default"]["USER"])
    schema_editor.execute(f"GRANT SELECT ON bi_reader TO {user}")


class Migration(migrations.Migration):
    dependencies = [("casino", "0032_preferences"), ("audit", "0039_unpaid_markers")]
    operations = [
        migrations.RunSQL(
            SCHEMA + views() + "GRANT USAGE ON SCHEMA bi TO PUBLIC;",
            "DROP SCHEMA bi CASCADE; DROP TABLE bi_reader",
        ),
        migrations.RunPython(describe, migrations.RunPython.noop),
    ]

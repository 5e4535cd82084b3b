"""Create the tables of the ledger and the one function that writes to them. The application's role may only
read the tables and call the function.

The owner's role runs this migration. The application's role is the user of DATABASES["default"].
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import migrations, models

TABLES = """
CREATE TABLE head (
    property text PRIMARY KEY,
    position bigint NOT NULL,
    chain bytea NOT NULL,
    recorded_at timestamptz NOT NULL
) WITH (fillfactor = 10);

CREATE TABLE stream (
    property text NOT NULL,
    name text NOT NULL,
    number bigint NOT NULL,
    sealed boolean NOT NULL,
    PRIMARY KEY (property, name)
) WITH (fillfactor = 50);

CREATE TABLE fact (
    property text NOT NULL,
    position bigint NOT NULL,
    stream text NOT NULL,
    number bigint NOT NULL,
    kind text NOT NULL,
    uid uuid NOT NULL,
    round text,
    body bytea NOT NULL,
    leaf bytea NOT NULL,
    chain bytea NOT NULL,
    recorded_at timestamptz NOT NULL,
    PRIMARY KEY (property, position),
    UNIQUE (property, uid),
    UNIQUE (property, stream, number)
) PARTITION BY LIST (property);

-- What the ledger fold reads; a query must repeat this list word for word to be given the index.
CREATE INDEX fact_of_the_ledger ON fact (property, position) WHERE kind IN (
    'adjusted', 'box-pulled', 'chips-bought', 'closer-counted', 'count-verified', 'credit-sent', 'day-closed',
    'dealer-seated', 'drop-counted', 'fill-sent', 'flagged', 'log-written', 'marker-issued', 'marker-paid',
    'opener-counted', 'reexamined', 'register-set', 'round-opened', 'slip-voided', 'table-closed', 'table-opened',
    'verdict-given');

CREATE VIEW fact_json AS
    SELECT property, position, stream, number, kind, uid, round, recorded_at,
           convert_from(body, 'UTF8')::jsonb AS body
    FROM fact;
"""

GUARDS = """
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% of % refused: a recorded fact is never changed or removed', TG_OP, TG_TABLE_NAME;
END $$;

CREATE TRIGGER never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON fact
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
"""

# ATTACH is used instead of PARTITION OF, because it does not block the writers of other properties. If two
# requests open one ledger at the same time, the second waits for the key of `head` and then finds the ledger open.
OPEN = """
CREATE FUNCTION open_ledger(p_property text) RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    v_table text := 'fact_' || left(regexp_replace(lower(p_property), '[^a-z0-9]+', '_', 'g'), 40)
                    || '_' || left(md5(p_property), 12);
BEGIN
    INSERT INTO public.head VALUES (p_property, 0, decode(repeat('00', 32), 'hex'), clock_timestamp())
        ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    EXECUTE format('CREATE TABLE public.%I (LIKE public.fact INCLUDING ALL)', v_table);
    EXECUTE format('ALTER TABLE public.fact ATTACH PARTITION public.%I FOR VALUES IN (%L)', v_table, p_property);
    EXECUTE format('CREATE TRIGGER never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON public.%I '
                   'FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change()', v_table);
END $$;
"""

# The options keep one plan for batches of any size. Without them a batch of 100 facts takes three times as long. The
# lock and the look-up are two statements, because only a statement that begins after the lock was obtained sees the
# rows of the transaction that had the lock before. If every fact of the batch is new, the returned `positions` and
# `fresh` are null: the positions then follow one another up to `last`.
APPEND = """
CREATE FUNCTION append_facts(
    p_property text, p_names text[], p_of int[], p_uids uuid[], p_kinds text[], p_rounds text[],
    p_bodies bytea[], p_leaves bytea[],
    OUT numbers bigint[], OUT positions bigint[], OUT chains bytea[], OUT fresh boolean[],
    OUT last bigint
) LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
AS $$
DECLARE
    v_head public.head%ROWTYPE;
    v_uids uuid[] := p_uids;
    v_known uuid[];
    v_numbers bigint[] := '{}';
    v_sealed boolean[] := '{}';
    v_at int := 0;
    v_chain bytea;
    v_first bigint;
    v_last bigint;
    v_closes boolean;
    v_number bigint;
    v_shut boolean;
    v_says text;
    v_uid uuid;
    v_now timestamptz;
BEGIN
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'facts are appended in READ COMMITTED: only so is what the last writer committed seen';
    END IF;
    SELECT * INTO v_head FROM public.head h WHERE h.property = p_property FOR UPDATE;
    IF NOT FOUND THEN
        PERFORM public.open_ledger(p_property);
        SELECT * INTO v_head FROM public.head h WHERE h.property = p_property FOR UPDATE;
    END IF;

    SELECT array_agg(f.uid) INTO v_known FROM public.fact f WHERE f.property = p_property AND f.uid = ANY (p_uids);
    IF v_known IS NOT NULL THEN
        SELECT t.uid, format('already recorded with another body: its SHA-256 leaf is %s, that of the fact sent is %s',
                             encode(f.leaf, 'hex'), encode(t.leaf, 'hex'))
            INTO v_uid, v_says
            FROM unnest(p_uids, p_leaves) WITH ORDINALITY AS t (uid, leaf, place)
            JOIN public.fact f ON f.property = p_property AND f.uid = t.uid AND f.leaf <> t.leaf
            ORDER BY t.place LIMIT 1;
        IF FOUND THEN
            RAISE EXCEPTION USING ERRCODE = 'CW001', MESSAGE = v_says, DETAIL = v_uid::text, COLUMN = 'uid',
                CONSTRAINT = 'uid-reused';
        END IF;
        SELECT array_agg(t.uid), array_agg(t.at), array_agg(t.kind), array_agg(t.round), array_agg(t.body),
               array_agg(t.leaf)
            INTO v_uids, p_of, p_kinds, p_rounds, p_bodies, p_leaves
            FROM (SELECT * FROM unnest(p_uids, p_of, p_kinds, p_rounds, p_bodies, p_leaves)
                      WITH ORDINALITY AS u (uid, at, kind, round, body, leaf, place)
                  WHERE u.uid <> ALL (v_known) ORDER BY u.place) t;
    END IF;

    IF v_uids IS NOT NULL THEN
        FOR i IN 1 .. cardinality(p_names) LOOP
            SELECT s.number, s.sealed INTO v_number, v_shut
                FROM public.stream s WHERE s.property = p_property AND s.name = p_names[i];
            v_numbers[i] := coalesce(v_number, 0);
            v_sealed[i] := coalesce(v_shut, false);
        END LOOP;
        v_chain := v_head.chain;
        v_first := v_head.position;
        v_last := v_first + cardinality(v_uids);
        v_closes := 'day-closed' = ANY (p_kinds);
        FOR i IN 1 .. cardinality(v_uids) LOOP
            IF p_of[i] <> v_at THEN
                IF v_at > 0 THEN
                    v_numbers[v_at] := v_number;
                    v_sealed[v_at] := v_shut;
                END IF;
                v_at := p_of[i];
                v_number := v_numbers[v_at];
                v_shut := v_sealed[v_at];
                IF v_number = 0 AND p_kinds[i] <> 'table-opened'
                    AND NOT starts_with(p_names[v_at], p_property || '/house/') THEN
                    RAISE EXCEPTION USING ERRCODE = 'CW001', DETAIL = v_uids[i]::text, COLUMN = 'kind',
                        CONSTRAINT = 'not-opened',
                        MESSAGE = format('the first fact of %s is table-opened, not %s', p_names[v_at], p_kinds[i]);
                END IF;
            END IF;
            IF v_shut THEN
                RAISE EXCEPTION USING ERRCODE = 'CW001', DETAIL = v_uids[i]::text, COLUMN = 'day',
                    CONSTRAINT = 'stream-sealed', MESSAGE = format('%s is sealed by its day-closed', p_names[v_at]);
            END IF;
            IF v_closes AND p_kinds[i] = 'day-closed' THEN
                v_shut := true;
            END IF;
            v_number := v_number + 1;
            v_chain := sha256('\\x02'::bytea || v_chain || int8send(v_first + i) || int8send(v_number) || p_leaves[i]);
            numbers[i] := v_number;
            chains[i] := v_chain;
        END LOOP;
        v_numbers[v_at] := v_number;
        v_sealed[v_at] := v_shut;

        v_now := greatest(clock_timestamp(), v_head.recorded_at);  -- whatever the server's clock does
        INSERT INTO public.fact (property, position, stream, number, kind, uid, round, body, leaf, chain, recorded_at)
            SELECT p_property, generate_series(v_head.position + 1, v_last), p_names[unnest(p_of)], unnest(numbers),
                   unnest(p_kinds), unnest(v_uids), unnest(p_rounds), unnest(p_bodies), unnest(p_leaves),
                   unnest(chains), v_now;
        INSERT INTO public.stream AS s (property, name, number, sealed)
            SELECT p_property, t.name, t.number, t.sealed FROM unnest(p_names, v_numbers, v_sealed) AS t (name, number, sealed)
            WHERE t.number > 0
            ON CONFLICT (property, name) DO UPDATE SET number = excluded.number, sealed = excluded.sealed;
        last := v_last;
        UPDATE public.head SET position = v_last, chain = v_chain, recorded_at = v_now
            WHERE property = p_property;
    END IF;

    IF v_known IS NOT NULL THEN
        SELECT array_agg(f.number ORDER BY t.place), array_agg(f.position ORDER BY t.place),
               array_agg(f.chain ORDER BY t.place), array_agg(f.position > v_head.position ORDER BY t.place)
            INTO numbers, positions, chains, fresh
            FROM unnest(p_uids) WITH ORDINALITY AS t (uid, place)
            JOIN public.fact f ON f.property = p_property AND f.uid = t.uid;
    END IF;
END $$;
"""


def grant(apps: Any, schema_editor: Any) -> None:
    """Let the application read the tables and call the append function. No other role gets any right."""
    role = schema_editor.quote_name(settings.DATABASES["default"]["USER"])
    schema_editor.execute("REVOKE ALL ON head, stream, fact, fact_json FROM PUBLIC")
    schema_editor.execute("REVOKE ALL ON FUNCTION append_facts, open_ledger, refuse_change FROM PUBLIC")
    schema_editor.execute(f"GRANT SELECT ON head, stream, fact, fact_json TO {role}")
    schema_editor.execute(f"GRANT EXECUTE ON FUNCTION append_facts TO {role}")


COLUMNS: dict[str, dict[str, models.Field[Any, Any]]] = {
    "head": {
        "property": models.TextField(primary_key=True, serialize=False),
        "position": models.BigIntegerField(),
        "chain": models.BinaryField(),
        "recorded_at": models.DateTimeField(),
    },
    "stream": {
        "name": models.TextField(primary_key=True, serialize=False),
        "property": models.TextField(),
        "number": models.BigIntegerField(),
        "sealed": models.BooleanField(),
    },
    "fact": {
        "uid": models.UUIDField(primary_key=True, serialize=False),
        "property": models.TextField(),
        "position": models.BigIntegerField(),
        "stream": models.TextField(),
        "number": models.BigIntegerField(),
        "kind": models.TextField(),
        "round": models.TextField(null=True),
        "body": models.BinaryField(),
        "leaf": models.BinaryField(),
        "chain": models.BinaryField(),
        "recorded_at": models.DateTimeField(),
    },
}


class Migration(migrations.Migration):
    """Create the tables, the triggers that protect them and the append function, and name the three tables to
    Django.
    """

    initial = True
    dependencies: list[tuple[str, str]] = []
    operations = [
        migrations.RunSQL(TABLES),
        migrations.RunSQL(GUARDS),
        migrations.RunSQL(OPEN),
        migrations.RunSQL(APPEND),
        migrations.RunPython(grant),
        *(
            migrations.CreateModel(
                name=table.capitalize(),
                fields=list(columns.items()),
                options={"db_table": table, "managed": False},
            )
            for table, columns in COLUMNS.items()
        ),
    ]

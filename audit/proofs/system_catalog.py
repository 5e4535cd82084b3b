"""Queries of those rows of Postgres's catalogs that the initialization of the server writes. Nobody has a
reason to change these rows. A superuser who changes them can switch off triggers and constraints, or let the
application's role read files.
"""

from __future__ import annotations

from audit.proofs.catalog import WHO

_DIGEST = "encode(sha256(convert_to(string_agg(concat_ws(' ', {0}), ',' ORDER BY {1}), 'UTF8')), 'hex')"
FIXED = 12000
"""Objects with a lower oid are the same in all installations of a major version."""


def _digest(catalog: str, columns: str, condition: str = f"oid < {FIXED}", key: str = "oid") -> str:
    return f"SELECT {_DIGEST.format(columns, key)} FROM pg_catalog.{catalog} WHERE {condition}"


BUILT_IN_DIGESTS = f"""SELECT 'built-in', name, '', digest FROM (VALUES
    ('functions', ({_digest("pg_proc", "oid, proname, prosrc, prosecdef, prolang, proconfig")})),
    ('operators', ({_digest("pg_operator", "oid, oprname, oprleft, oprright, oprcode::oid")})),
    ('casts', ({_digest("pg_cast", "castsource, casttarget, castfunc, castcontext, castmethod")})),
    ('languages', ({_digest("pg_language", "lanname, lanpltrusted", "oid < 16384", "lanname")}))
    ) built_in (name, digest)"""
_INITIAL = """SELECT FROM pg_catalog.pg_init_privs i CROSS JOIN pg_catalog.aclexplode(i.initprivs) y
    WHERE i.objoid = o.id AND i.classoid = o.catalog AND i.objsubid = o.part AND y.grantee = x.grantee
        AND y.privilege_type = x.privilege_type"""
WIDER_PRIVILEGES = f"""{WHO} SELECT 'privilege', o.name, '', w.name || ' ' || x.privilege_type FROM (
        SELECT oid AS id, 'pg_catalog.pg_class'::pg_catalog.regclass AS catalog, 0 AS part, relacl AS acl,
            oid::regclass::text AS name
        FROM pg_catalog.pg_class
        WHERE oid < 16384 AND relnamespace = 'pg_catalog'::pg_catalog.regnamespace
        UNION ALL SELECT attrelid, 'pg_catalog.pg_class', attnum, attacl, attrelid::regclass || '.' || attname
        FROM pg_catalog.pg_attribute WHERE attrelid < 16384
        UNION ALL SELECT oid, 'pg_catalog.pg_proc', 0, proacl, oid::regprocedure::text
        FROM pg_catalog.pg_proc p WHERE oid < 16384 AND EXISTS (SELECT FROM pg_catalog.pg_init_privs i
            WHERE i.objoid = p.oid AND i.classoid = 'pg_catalog.pg_proc'::pg_catalog.regclass)
    ) o CROSS JOIN pg_catalog.aclexplode(o.acl) x JOIN who w ON w.oid = x.grantee
    WHERE w.name IN ('APP', 'PUBLIC') AND NOT EXISTS ({_INITIAL})"""
"""SQL for privileges on built-in objects that a new server does not grant, such as reading password hashes.
"""
SWITCHED_OFF = """SELECT 'table', n.nspname || '.' || c.relname, what, 'switched off' FROM (
        SELECT oid AS id, 'triggers' AS what FROM pg_catalog.pg_class c WHERE NOT relhastriggers
            AND EXISTS (SELECT FROM pg_catalog.pg_trigger t WHERE t.tgrelid = c.oid)
        UNION ALL SELECT oid, 'indexes' FROM pg_catalog.pg_class c WHERE NOT relhasindex
            AND EXISTS (SELECT FROM pg_catalog.pg_index i WHERE i.indrelid = c.oid)
        UNION ALL SELECT oid, 'checks' FROM pg_catalog.pg_class c WHERE relchecks <> (SELECT count(*)
            FROM pg_catalog.pg_constraint o WHERE o.conrelid = c.oid AND o.contype = 'c')
    ) off JOIN pg_catalog.pg_class c ON c.oid = off.id
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace"""
"""SQL for tables whose triggers, indexes or checks exist but are not used, because the table's row in
`pg_class` was changed so that Postgres ignores them.
"""
QUERIES = (BUILT_IN_DIGESTS, WIDER_PRIVILEGES, SWITCHED_OFF)

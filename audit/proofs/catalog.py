"""Queries of Postgres's catalogs. Each object of the database is returned with its name and a description on
one line.

Roles have different names in different installations, so they are named by their purpose: OWNER owns the
schema, APP is the application's role, SERVER created the server, and PUBLIC means all roles.

Objects that the initialization of the server creates have an oid below 16384. They are described only if the
ledger or this module depends on them.
"""

from __future__ import annotations

WHO = """WITH who AS (
    SELECT oid, CASE WHEN rolname = %(owner)s THEN 'OWNER' WHEN rolname = %(app)s THEN 'APP'
        WHEN oid = 10 OR rolname = 'pg_database_owner' THEN 'SERVER' ELSE rolname::text END AS name
    FROM pg_catalog.pg_roles
    UNION ALL SELECT 0, 'PUBLIC'),
space AS (
    SELECT oid, nspname, nspowner, nspacl FROM pg_catalog.pg_namespace
    WHERE nspname !~ '^pg_(temp|toast)'),
added AS (
    SELECT d.classid, d.objid FROM pg_catalog.pg_depend d
    JOIN pg_catalog.pg_extension e ON d.refclassid = 'pg_catalog.pg_extension'::pg_catalog.regclass
        AND d.refobjid = e.oid
    WHERE d.deptype = 'e' AND e.extname <> 'plpgsql')
"""
"""Common table expressions that other queries use: the roles with their names, the schemas, and the objects
that an extension added. These objects are left out, because only the extension itself is described.
"""


def _grants(acl: str, kind: str, owner: str) -> str:
    """Return SQL for the privileges of all roles except the object's owner, such as `; APP SELECT`."""
    return f"""coalesce((SELECT '; ' || string_agg(says, ', ' ORDER BY says COLLATE "C") FROM (
        SELECT coalesce(w.name, 'role ' || x.grantee) || ' '
            || string_agg(x.privilege_type || CASE WHEN x.is_grantable THEN '*' ELSE '' END, '/'
                ORDER BY x.privilege_type COLLATE "C") AS says
        FROM pg_catalog.aclexplode(coalesce({acl}, pg_catalog.acldefault({kind}, {owner}))) x
        LEFT JOIN who w ON w.oid = x.grantee
        WHERE x.grantee <> {owner} GROUP BY x.grantee, w.name) g), '')"""


def _owner(column: str) -> str:
    return f"'owner ' || coalesce((SELECT w.name FROM who w WHERE w.oid = {column}), 'unknown')"


def _own(catalog: str, alias: str) -> str:
    """Return an SQL condition for objects that were created after the server's initialization and do not
    belong to an extension.
    """
    return f"""{alias}.oid >= 16384 AND NOT EXISTS (SELECT FROM added
        WHERE added.classid = 'pg_catalog.{catalog}'::pg_catalog.regclass AND added.objid = {alias}.oid)"""


SCHEMAS = f"""{WHO} SELECT 'schema', n.nspname, '', {_owner("n.nspowner")} ||
    {_grants("n.nspacl", "'n'", "n.nspowner")}
    FROM space n WHERE nspname !~ '^(pg_|information_schema$)'"""
_ACL_KIND = """(CASE c.relkind WHEN 'S' THEN 's' ELSE 'r' END)::"char\""""
RELATIONS = f"""{WHO} SELECT
    CASE c.relkind WHEN 'r' THEN 'table' WHEN 'p' THEN 'table' WHEN 'v' THEN 'view' WHEN 'S' THEN 'sequence'
        WHEN 'm' THEN 'materialized view' WHEN 'f' THEN 'foreign table' ELSE 'type' END,
    n.nspname || '.' || c.relname, '',
    {_owner("c.relowner")}
    || CASE WHEN c.relpersistence <> 'p' THEN '; not permanent' ELSE '' END
    || CASE WHEN c.relkind IN ('p') THEN '; partitioned by ' || pg_catalog.pg_get_partkeydef(c.oid)
        ELSE '' END
    || CASE WHEN c.relispartition THEN '; ' || pg_catalog.pg_get_expr(c.relpartbound, c.oid) ELSE '' END
    || coalesce((SELECT '; inherits ' || string_agg(i.inhparent::regclass::text, ', ' ORDER BY i.inhseqno)
        FROM pg_catalog.pg_inherits i WHERE i.inhrelid = c.oid), '')
    || coalesce('; ' || array_to_string(c.reloptions, ', '), '')
    || CASE WHEN c.relrowsecurity OR c.relforcerowsecurity THEN '; row security' ELSE '' END
    || CASE WHEN c.relkind IN ('v', 'm') THEN '; ' || pg_catalog.pg_get_viewdef(c.oid) ELSE '' END
    || coalesce((SELECT '; ' || concat_ws(' ', seqtypid::regtype, seqstart, seqincrement, seqmin, seqmax,
        seqcycle)
        FROM pg_catalog.pg_sequence q WHERE q.seqrelid = c.oid), '')
    || {_grants("c.relacl", _ACL_KIND, "c.relowner")}
    FROM pg_catalog.pg_class c JOIN space n ON n.oid = c.relnamespace
    WHERE c.relkind NOT IN ('i', 'I', 't') AND {_own("pg_class", "c")}"""
COLUMNS = f"""{WHO} SELECT 'column', n.nspname || '.' || c.relname, a.attname,
    pg_catalog.format_type(a.atttypid, a.atttypmod)
    || CASE WHEN a.attnotnull THEN ' not null' ELSE '' END
    || CASE WHEN a.attcollation <> t.typcollation THEN ' collate ' || a.attcollation::regcollation::text
        ELSE '' END
    || CASE WHEN a.attidentity <> '' THEN ' identity ' || a.attidentity::text ELSE '' END
    || CASE WHEN a.attgenerated <> '' THEN ' generated ' || a.attgenerated::text ELSE '' END
    || coalesce(' default ' || pg_catalog.pg_get_expr(d.adbin, d.adrelid), '')
    || {_grants("a.attacl", "'c'", "c.relowner")}
    FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c ON c.oid = a.attrelid
    JOIN space n ON n.oid = c.relnamespace JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
    LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE a.attnum > 0 AND NOT a.attisdropped AND c.relkind NOT IN ('i', 'I', 't', 'S')
        AND {_own("pg_class", "c")}"""
CONSTRAINTS = f"""{WHO} SELECT 'constraint',
    coalesce(n.nspname || '.' || c.relname, o.contypid::regtype::text),
    coalesce((SELECT p.conname FROM pg_catalog.pg_constraint p WHERE p.oid = o.conparentid), o.conname),
    pg_catalog.pg_get_constraintdef(o.oid)
    || CASE WHEN o.convalidated THEN '' ELSE '; not validated' END
    || coalesce((SELECT '; triggers ' || string_agg(DISTINCT t.tgenabled::text, '' ORDER BY t.tgenabled::text)
        FROM pg_catalog.pg_trigger t WHERE t.tgconstraint = o.oid HAVING bool_or(t.tgenabled <> 'O')), '')
    FROM pg_catalog.pg_constraint o LEFT JOIN pg_catalog.pg_class c ON c.oid = o.conrelid
    LEFT JOIN space n ON n.oid = c.relnamespace
    WHERE o.contype <> 'n' AND {_own("pg_constraint", "o")}"""
INDEXES = f"""{WHO} SELECT 'index', n.nspname || '.' || c.relname,
    coalesce((SELECT p.relname FROM pg_catalog.pg_inherits h JOIN pg_catalog.pg_class p ON p.oid = h.inhparent
        WHERE h.inhrelid = i.oid), i.relname),
    regexp_replace(pg_catalog.pg_get_indexdef(i.oid), '^(CREATE (UNIQUE )?INDEX) \\S+', '\\1')
    || CASE WHEN x.indisvalid AND x.indisready AND x.indislive THEN '' ELSE '; not valid' END
    FROM pg_catalog.pg_index x JOIN pg_catalog.pg_class i ON i.oid = x.indexrelid
    JOIN pg_catalog.pg_class c ON c.oid = x.indrelid JOIN space n ON n.oid = c.relnamespace
    WHERE {_own("pg_class", "i")}"""
TRIGGERS = f"""{WHO} SELECT 'trigger', n.nspname || '.' || c.relname, t.tgname,
    CASE t.tgenabled WHEN 'O' THEN 'enabled' WHEN 'D' THEN 'disabled' WHEN 'R' THEN 'for replicas only'
        ELSE 'always enabled' END || '; ' || pg_catalog.pg_get_triggerdef(t.oid)
    FROM pg_catalog.pg_trigger t JOIN pg_catalog.pg_class c ON c.oid = t.tgrelid
    JOIN space n ON n.oid = c.relnamespace
    WHERE NOT t.tgisinternal"""
RULES = f"""{WHO} SELECT 'rule', n.nspname || '.' || c.relname, r.rulename,
    pg_catalog.pg_get_ruledef(r.oid) || '; ' || r.ev_enabled::text
    FROM pg_catalog.pg_rewrite r JOIN pg_catalog.pg_class c ON c.oid = r.ev_class
    JOIN space n ON n.oid = c.relnamespace
    WHERE {_own("pg_rewrite", "r")} AND (r.rulename <> '_RETURN' OR c.relkind NOT IN ('v', 'm'))"""
POLICIES = f"""{WHO} SELECT 'policy', n.nspname || '.' || c.relname, p.polname,
    p.polcmd::text || ' ' || coalesce(pg_catalog.pg_get_expr(p.polqual, p.polrelid), '')
    || ' ' || coalesce(pg_catalog.pg_get_expr(p.polwithcheck, p.polrelid), '')
    FROM pg_catalog.pg_policy p JOIN pg_catalog.pg_class c ON c.oid = p.polrelid
    JOIN space n ON n.oid = c.relnamespace"""
FUNCTION = f"""l.lanname || ' ' || p.prokind::text
    || ' returns ' || coalesce(pg_catalog.pg_get_function_result(p.oid), '')
    || CASE WHEN p.prosecdef THEN '; security definer' ELSE '' END
    || CASE WHEN p.proleakproof THEN '; leakproof' ELSE '' END
    || CASE WHEN p.proisstrict THEN '; strict' ELSE '' END
    || '; ' || p.provolatile::text || p.proparallel::text
    || coalesce('; ' || array_to_string(p.proconfig, ', '), '')
    || '; body ' || CASE WHEN l.lanname IN ('internal', 'c') THEN p.prosrc ELSE encode(sha256(convert_to(
        coalesce(pg_catalog.pg_get_function_sqlbody(p.oid), p.prosrc), 'UTF8')), 'hex') END
    || coalesce(' in ' || p.probin, '')
    || '; ' || {_owner("p.proowner")} || {_grants("p.proacl", "'f'", "p.proowner")}"""
_NAMED = (
    """n.nspname || '.' || p.proname || '(' || pg_catalog.pg_get_function_identity_arguments(p.oid) || ')'"""
)
_PROC = """FROM pg_catalog.pg_proc p JOIN space n ON n.oid = p.pronamespace
    JOIN pg_catalog.pg_language l ON l.oid = p.prolang"""
FUNCTIONS = f"""{WHO} SELECT 'function', {_NAMED}, '', {FUNCTION} {_PROC} WHERE {_own("pg_proc", "p")}"""
BUILT_IN = f"""{WHO} SELECT 'built-in function', {_NAMED}, '', {FUNCTION} {_PROC}
    WHERE p.oid < 16384 AND (l.lanname NOT IN ('internal', 'c', 'sql') OR p.prosecdef
        OR p.oid IN ('pg_catalog.sha256(bytea)'::pg_catalog.regprocedure,
            'pg_catalog.int8send(bigint)'::pg_catalog.regprocedure,
            'pg_catalog.md5(text)'::pg_catalog.regprocedure,
            'pg_catalog.clock_timestamp()'::pg_catalog.regprocedure,
            'pg_catalog.convert_from(bytea, name)'::pg_catalog.regprocedure,
            'pg_catalog.starts_with(text, text)'::pg_catalog.regprocedure,
            'pg_catalog.aclexplode(aclitem[])'::pg_catalog.regprocedure))
    UNION ALL SELECT 'built-in view', c.oid::regclass::text, '',
        encode(sha256(convert_to(pg_catalog.pg_get_viewdef(c.oid), 'UTF8')), 'hex')
    FROM pg_catalog.pg_class c WHERE c.oid IN ('pg_catalog.pg_roles'::pg_catalog.regclass,
        'pg_catalog.pg_settings'::pg_catalog.regclass)"""
TYPES = f"""{WHO} SELECT 'type', n.nspname || '.' || t.typname, '', t.typtype::text || '; '
    || {_owner("t.typowner")}
    FROM pg_catalog.pg_type t JOIN space n ON n.oid = t.typnamespace
    WHERE {_own("pg_type", "t")} AND t.typrelid = 0 AND t.typelem = 0"""
OTHER = f"""{WHO} SELECT kind, name, '', 'exists' FROM (
    SELECT 'extension' AS kind, extname::text AS name FROM pg_catalog.pg_extension
    UNION ALL SELECT 'event trigger', evtname || ' on ' || evtevent FROM pg_catalog.pg_event_trigger
    UNION ALL SELECT 'cast', castsource::regtype::text || ' to ' || casttarget::regtype::text
        FROM pg_catalog.pg_cast c
        WHERE {_own("pg_cast", "c")}
    UNION ALL SELECT 'operator', o.oid::regoperator::text FROM pg_catalog.pg_operator o
        WHERE {_own("pg_operator", "o")}
    UNION ALL SELECT 'operator class', opcname FROM pg_catalog.pg_opclass o WHERE {_own("pg_opclass", "o")}
    UNION ALL SELECT 'collation', o.oid::regcollation::text FROM pg_catalog.pg_collation o
        WHERE {_own("pg_collation", "o")}
    UNION ALL SELECT 'conversion', conname FROM pg_catalog.pg_conversion c WHERE {_own("pg_conversion", "c")}
    UNION ALL SELECT 'language', lanname FROM pg_catalog.pg_language l WHERE {_own("pg_language", "l")}
    UNION ALL SELECT 'access method', amname FROM pg_catalog.pg_am a WHERE {_own("pg_am", "a")}
    UNION ALL SELECT 'foreign-data wrapper', fdwname FROM pg_catalog.pg_foreign_data_wrapper
    UNION ALL SELECT 'foreign server', srvname FROM pg_catalog.pg_foreign_server
    UNION ALL SELECT 'publication', pubname FROM pg_catalog.pg_publication WHERE pubname <> 'catwalk_group'
    UNION ALL SELECT 'subscription', subname FROM pg_catalog.pg_subscription
        WHERE subdbid = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database())
    UNION ALL SELECT 'text search configuration', cfgname FROM pg_catalog.pg_ts_config c
        WHERE {_own("pg_ts_config", "c")}
    UNION ALL SELECT 'statistics', stxname FROM pg_catalog.pg_statistic_ext
    UNION ALL SELECT 'transform', trftype::regtype::text FROM pg_catalog.pg_transform t
        WHERE {_own("pg_transform", "t")}
    UNION ALL SELECT 'default privileges', coalesce(w.name, '') || ' ' || defaclobjtype::text || ' '
        || defaclacl::text
        FROM pg_catalog.pg_default_acl d LEFT JOIN who w ON w.oid = d.defaclrole) o"""
DATABASE = f"""{WHO} SELECT 'database', '', '', 'owner ' || CASE WHEN w.name = 'SERVER' THEN 'OWNER'
    ELSE w.name END
    FROM pg_catalog.pg_database d JOIN who w ON w.oid = d.datdba WHERE d.datname = current_database()
    UNION ALL SELECT 'database', 'privilege of ' || coalesce(w.name, 'role '
        || x.grantee), '', x.privilege_type
    FROM pg_catalog.pg_database d CROSS JOIN pg_catalog.aclexplode(d.datacl) x
    LEFT JOIN who w ON w.oid = x.grantee
    WHERE d.datname = current_database() AND x.grantee <> d.datdba AND coalesce(w.name, '') <> ALL (%(roles)s)
        AND (coalesce(w.name, '') NOT IN ('APP', 'PUBLIC', 'OWNER', 'SERVER')
            OR w.name <> 'OWNER' AND (x.privilege_type = 'CREATE' OR x.is_grantable))"""
ROLES = f"""{WHO} SELECT 'role', w.name, '', concat_ws(', ',
        CASE WHEN r.rolsuper THEN 'superuser' END, CASE WHEN r.rolbypassrls THEN 'bypassrls' END,
        CASE WHEN r.rolreplication THEN 'replication' END, CASE WHEN r.rolcreaterole THEN 'createrole' END,
        CASE WHEN r.rolcreatedb AND w.name = 'APP' THEN 'createdb' END)
    FROM pg_catalog.pg_roles r JOIN who w ON w.oid = r.oid WHERE w.name = 'APP'
    UNION ALL SELECT 'membership', w.name || ' in ' || g.name, '',
        CASE WHEN m.admin_option THEN 'admin' ELSE 'member' END
    FROM pg_catalog.pg_auth_members m JOIN who w ON w.oid = m.member JOIN who g ON g.oid = m.roleid
    JOIN pg_catalog.pg_roles r ON r.oid = m.member
    WHERE NOT r.rolsuper AND w.name <> ALL (%(roles)s) AND (m.inherit_option OR m.set_option)
        AND (w.name = 'APP' OR g.name IN ('OWNER', 'APP', 'SERVER', 'pg_write_all_data',
            'pg_execute_server_program', 'pg_write_server_files') AND w.name NOT LIKE 'pg\\_%%')
    UNION ALL SELECT 'parameter', a.parname, '', w.name || ' ' || x.privilege_type
    FROM pg_catalog.pg_parameter_acl a CROSS JOIN pg_catalog.aclexplode(a.paracl) x JOIN who w
        ON w.oid = x.grantee
    WHERE w.name NOT IN ('SERVER') AND w.name <> ALL (%(roles)s)"""
SUPERUSERS = f"""{WHO} SELECT w.name FROM pg_catalog.pg_roles r JOIN who w ON w.oid = r.oid
    WHERE r.rolsuper AND w.name NOT IN ('APP', 'SERVER') AND w.name <> ALL (%(roles)s) ORDER BY 1"""
"""SQL for the roles with unlimited rights, except the role that created the server."""
SETTINGS = f"""{WHO} SELECT 'setting', name, '', reset_val FROM pg_catalog.pg_settings
    WHERE name IN ('search_path', 'session_replication_role', 'row_security', 'zero_damaged_pages',
        'ignore_checksum_failure', 'ignore_system_indexes', 'allow_system_table_mods',
        'default_transaction_isolation', 'default_transaction_read_only', 'lo_compat_privileges',
        'event_triggers',
        'array_nulls', 'backslash_quote', 'standard_conforming_strings', 'transform_null_equals',
        'bytea_output',
        'local_preload_libraries')
    UNION ALL SELECT 'setting', split_part(c, '=', 1) || ' of ' || coalesce(w.name, 'all roles'), '', c
    FROM pg_catalog.pg_db_role_setting s CROSS JOIN unnest(s.setconfig) c
    LEFT JOIN who w ON w.oid = s.setrole AND s.setrole <> 0
    WHERE s.setdatabase IN (0, (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database()))
        AND (s.setrole = 0 OR w.name IN ('OWNER', 'APP'))
        AND lower(split_part(c, '=', 1)) IN ('search_path', 'datestyle', 'bytea_output', 'array_nulls',
            'standard_conforming_strings', 'transform_null_equals', 'backslash_quote',
            'session_replication_role', 'row_security', 'role', 'session_authorization',
            'session_preload_libraries', 'local_preload_libraries', 'event_triggers',
            'default_transaction_isolation', 'default_transaction_read_only', 'allow_system_table_mods')"""
PARTITIONS = """SELECT schema || '.' || name, schema = 'public' AND name =
        'fact_' || left(regexp_replace(lower(property COLLATE "default"), '[^a-z0-9]+', '_', 'g'), 40)
        || '_' || left(md5(property), 12)
    FROM (SELECT n.nspname AS schema, c.relname AS name, replace(substring(
            pg_catalog.pg_get_expr(c.relpartbound, c.oid)
            FROM $p$^FOR VALUES IN \\('((?:[^']|'')*)'\\)$$p$), $$''$$, $$'$$) AS property
        FROM pg_catalog.pg_inherits i JOIN pg_catalog.pg_class c ON c.oid = i.inhrelid
        JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        JOIN pg_catalog.pg_class p ON p.oid = i.inhparent
        JOIN pg_catalog.pg_namespace q ON q.oid = p.relnamespace
        WHERE p.relname = 'fact' AND q.nspname = 'public') partition ORDER BY 1"""
"""SQL for each partition of `fact`, and whether it has the name that `open_ledger` gives to a property's
partition.
"""
QUERIES = (
    SCHEMAS,
    RELATIONS,
    COLUMNS,
    CONSTRAINTS,
    INDEXES,
    TRIGGERS,
    RULES,
    POLICIES,
    FUNCTIONS,
    BUILT_IN,
    TYPES,
    OTHER,
    DATABASE,
    ROLES,
    SETTINGS,
)
"""Queries that each return (kind, object, part of the object, description)."""

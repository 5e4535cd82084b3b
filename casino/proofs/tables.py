"""The tables of this package and of libraries, and how each table is proved."""

from __future__ import annotations

from functools import partial

from audit.proofs.registry import ANCHOR, KEYED, NOT_PROVED, REPLAY, SCHEMA, Proof
from casino.proofs import (
    cases,
    checkpoint_keys,
    events,
    exports,
    libraries,
    logs,
    registers,
    schedules,
    seals,
    slip_series,
)

SEALED = "the latest digest in the journal `seal`, under a key outside the database"
ANCHORED = "the digests of the daily fact `anchored`"

PROOFS = (
    Proof("bi_reader", KEYED, SEALED, seals.prover("bi_reader")),
    Proof("case_file", KEYED, SEALED, seals.prover("case_file")),
    Proof("case_file_piece", KEYED, "SHA-256 and length of case_file", cases.prove_files),
    Proof("case_words", KEYED, SEALED, cases.prove_words),
    Proof(
        "confidential_fact",
        KEYED,
        "the journal `seal`, and its own chain, computed again from the bodies",
        cases.prove_confidential,
    ),
    Proof("confidential_viewing", KEYED, SEALED, seals.prover("confidential_viewing")),
    Proof(
        "checkpoint_key",
        KEYED,
        f"{SEALED}; the journal also has an entry for each checkpoint",
        checkpoint_keys.prove,
    ),
    Proof("casino_entry", REPLAY, "the facts `register-set`", registers.prove_entries),
    Proof("casino_person", KEYED, SEALED, seals.prover("casino_person")),
    Proof("casino_property", REPLAY, "ledgers and the register `property`", registers.prove_properties),
    Proof(
        "casino_standing",
        REPLAY,
        "the facts `register-set`; a role without a fact is a fault",
        registers.prove_standing,
    ),
    Proof("casino_token", KEYED, SEALED, seals.prover("casino_token")),
    Proof("kept_piece", KEYED, "SHA-256 and length of kept_report", exports.prove_pieces),
    Proof(
        "kept_report",
        KEYED,
        "the journal `seal`, its manifest and the chain of the ledger",
        exports.prove_exports,
    ),
    Proof("otp_static_staticdevice", KEYED, SEALED, seals.prover("otp_static_staticdevice")),
    Proof("otp_static_statictoken", KEYED, SEALED, seals.prover("otp_static_statictoken")),
    Proof("otp_totp_totpdevice", KEYED, SEALED, seals.prover("otp_totp_totpdevice")),
    Proof("report_again", KEYED, SEALED, seals.prover("report_again")),
    Proof("report_order", KEYED, SEALED, seals.prover("report_order")),
    Proof("slip_under_way", KEYED, SEALED, seals.prover("slip_under_way")),
    Proof("webhook_secret", KEYED, SEALED, seals.prover("webhook_secret")),
    Proof("alert_contact", KEYED, SEALED, seals.prover("alert_contact")),
    Proof(
        "event",
        REPLAY,
        "numbers without gaps, and the events that facts and findings give; other events, such as a silent"
        " table, cannot be compared",
        events.prove,
    ),
    Proof("event_stream", REPLAY, "positions of the ledger and the number of events", events.prove),
    Proof(
        "alert",
        NOT_PROVED,
        "which rule raised which alert at what time; its event is proved, and no amount depends on it",
    ),
    Proof(
        "alert_seen",
        NOT_PROVED,
        "up to which alert a person has read; after a change, alerts are shown again",
    ),
    Proof(
        "condition",
        NOT_PROVED,
        "conditions of now, such as a silent table; after a change, a condition or its end is announced"
        " again",
    ),
    Proof(
        "delivery",
        NOT_PROVED,
        "the log of deliveries, for reading; what is delivered next depends on webhook_progress",
    ),
    Proof(
        "webhook_progress",
        NOT_PROVED,
        "the last event that a webhook delivered; after a change, events are repeated with the same ids"
        " or left"
        " out, which the receiver sees from their numbers",
    ),
    Proof("anchor", ANCHOR, "the SHA-256 in the facts `anchored`", logs.prove_anchors),
    Proof("free_words", KEYED, SEALED, seals.prover("free_words")),
    Proof("seal", ANCHOR, f"its own codes, and {ANCHORED}", seals.prove_journal),
    Proof("viewing", ANCHOR, ANCHORED, partial(logs.prove_log, "viewing")),
    Proof("slip_series", REPLAY, "the highest number of each series; may be emptied", slip_series.prove),
    Proof("slips_read", REPLAY, "a position of the ledger; may be emptied", slip_series.prove),
    Proof(
        "open_hand",
        NOT_PROVED,
        "who has which hand open now, written every few seconds; it only shows a note at the hand, and"
        " verdicts do not depend on it",
    ),
    Proof(
        "sign",
        NOT_PROVED,
        "the last heartbeat of each kind of process, written every few seconds; only /readyz and metrics use"
        " it",
    ),
)
UNUSED_RIGHTS = "created by Django for each model; rights come from the register of people and not from here"
NEVER_READ = "always empty and never read: the application's role has no right to it"
LIBRARIES = (
    Proof("auth_group", NOT_PROVED, NEVER_READ),
    Proof("auth_group_permissions", NOT_PROVED, NEVER_READ),
    Proof("auth_permission", NOT_PROVED, UNUSED_RIGHTS),
    Proof("django_content_type", SCHEMA, "the models of this release", libraries.prove_models),
    Proof("django_migrations", SCHEMA, "the migrations of this release", libraries.prove_migrations),
    Proof("django_admin_log", ANCHOR, ANCHORED, partial(logs.prove_log, "django_admin_log")),
    Proof(
        "django_celery_beat_clockedschedule",
        SCHEMA,
        "no rows, because Catwalk never writes any",
        partial(schedules.prove_none, "django_celery_beat_clockedschedule"),
    ),
    Proof(
        "django_celery_beat_crontabschedule",
        KEYED,
        SEALED,
        schedules.prove_crontabs,
    ),
    Proof(
        "django_celery_beat_intervalschedule",
        SCHEMA,
        "the tasks that the code defines; an interval that no task uses has no effect",
        schedules.prove_tasks,
    ),
    Proof(
        "django_celery_beat_periodictask",
        KEYED,
        "the journal `seal` for reports, the code for all other tasks",
        schedules.prove_tasks,
    ),
    Proof(
        "django_celery_beat_periodictasks",
        NOT_PROVED,
        "the time of the last change of a schedule; after a change of this row, beat reads the"
        " schedules again",
    ),
    Proof(
        "django_celery_beat_solarschedule",
        SCHEMA,
        "no rows, because Catwalk never writes any",
        partial(schedules.prove_none, "django_celery_beat_solarschedule"),
    ),
    Proof(
        "person_write",
        NOT_PROVED,
        "how far the replica must be before a person reads it; a change only chooses between primary and"
        " replica",
    ),
    Proof("preference", NOT_PROVED, "what a person prefers to see; no amount depends on it"),
    Proof(
        "django_session", NOT_PROVED, "who is signed in now; a signed-in user's rights are read from facts"
    ),
    Proof(
        "axes_accessattempt",
        NOT_PROVED,
        "counts wrong passwords until the lock ends; a change unlocks or locks a name at one address",
    ),
    Proof("axes_accessattemptexpiration", NOT_PROVED, "when a lock of axes_accessattempt ends"),
    Proof(
        "axes_accessfailurelog",
        NOT_PROVED,
        "log of wrong passwords, for reading only; nothing is computed from it",
    ),
    Proof(
        "used_nonce",
        NOT_PROVED,
        "nonces of signed requests of the last minutes; without its nonce, a request could be sent again,"
        " and facts that are posted twice count once",
    ),
    Proof("axes_accesslog", NOT_PROVED, "log of sign-ins, for reading only; nothing is computed from it"),
)

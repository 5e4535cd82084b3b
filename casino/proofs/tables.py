"""The tables of this package and of libraries, and how each is proved."""

from __future__ import annotations

from audit.proofs.registry import NOT_PROVED, PENDING, REPLAY, SCHEMA, Proof
from casino.proofs import slip_series
from casino.proofs.libraries import prove_migrations

PROOFS = (
    Proof("casino_entry", PENDING, "anchors"),
    Proof("casino_person", PENDING, "anchors"),
    Proof("casino_property", PENDING, "anchors"),
    Proof("casino_standing", PENDING, "anchors"),
    Proof("casino_token", PENDING, "anchors"),
    Proof("kept_piece", PENDING, "anchors"),
    Proof("kept_report", PENDING, "anchors"),
    Proof("otp_static_staticdevice", PENDING, "anchors"),
    Proof("otp_static_statictoken", PENDING, "anchors"),
    Proof("otp_totp_totpdevice", PENDING, "anchors"),
    Proof("report_again", PENDING, "anchors"),
    Proof("report_order", PENDING, "anchors"),
    Proof("slip_series", REPLAY, "the highest number of each series; may be emptied", slip_series.prove),
    Proof("slips_read", REPLAY, "a position of the ledger; may be emptied", slip_series.prove),
    Proof("slip_under_way", PENDING, "anchors"),
    Proof(
        "sign",
        NOT_PROVED,
        "the last heartbeat of each kind of process, written every few seconds; only /readyz and metrics use"
        " it",
    ),
)
SCHEDULE = (
    "when exports are ordered; what was ordered is in report_order, and any export can be ordered again as of"
    " any position"
)
UNUSED_RIGHTS = "created by Django for each model; rights come from the register of people and not from here"
NEVER_READ = "always empty and never read: the application's role has no right to it"
LIBRARIES = (
    Proof("auth_group", NOT_PROVED, NEVER_READ),
    Proof("auth_group_permissions", NOT_PROVED, NEVER_READ),
    Proof("auth_permission", NOT_PROVED, UNUSED_RIGHTS),
    Proof("django_content_type", NOT_PROVED, UNUSED_RIGHTS),
    Proof("django_migrations", SCHEMA, "the migrations of this release", prove_migrations),
    Proof(
        "django_admin_log",
        NOT_PROVED,
        "who edited a schedule; the application can add rows and cannot change them",
    ),
    Proof("django_celery_beat_clockedschedule", NOT_PROVED, SCHEDULE),
    Proof("django_celery_beat_crontabschedule", NOT_PROVED, SCHEDULE),
    Proof("django_celery_beat_intervalschedule", NOT_PROVED, SCHEDULE),
    Proof("django_celery_beat_periodictask", NOT_PROVED, SCHEDULE),
    Proof("django_celery_beat_periodictasks", NOT_PROVED, "when a schedule was last edited"),
    Proof("django_celery_beat_solarschedule", NOT_PROVED, SCHEDULE),
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
        "axes_accessfailurelog", NOT_PROVED, "wrong passwords, for reading only; nothing is computed from it"
    ),
    Proof("axes_accesslog", NOT_PROVED, "sign-ins, for reading only; nothing is computed from it"),
)

"""The tables of this package, and how each is proved."""

from __future__ import annotations

from audit.proofs import ledger, schema
from audit.proofs.registry import LEDGER, NOT_PROVED, PENDING, SCHEMA, STRUCTURE, Proof

PROOFS = (
    Proof(
        STRUCTURE,
        SCHEMA,
        "tables, columns, constraints, indexes, triggers, functions, privileges, owners, policies, roles and"
        " settings are those of audit/proofs/schema.txt",
        schema.prove,
    ),
    Proof("fact", LEDGER, "columns, hashes, numbers and chain are computed from the bodies", ledger.prove),
    Proof("head", LEDGER, "position, chain and time are those of the last fact", ledger.prove),
    Proof("stream", LEDGER, "number and seal are those that the facts come to", ledger.prove),
    Proof("cage_tally", PENDING, "derived"),
    Proof("examination", PENDING, "derived"),
    Proof("finding", PENDING, "derived"),
    Proof("ledger_examination", PENDING, "derived"),
    Proof("player_tally", PENDING, "derived"),
    Proof("serial_again", PENDING, "derived"),
    Proof("slip_series", PENDING, "derived"),
    Proof("slip_tally", PENDING, "derived"),
    Proof("slips_read", PENDING, "derived"),
    Proof("summed", PENDING, "derived"),
    Proof("tally", PENDING, "derived"),
    Proof("tray_tally", PENDING, "derived"),
    Proof("void_tally", PENDING, "derived"),
    Proof("withdrawn", PENDING, "derived"),
    Proof("flag", PENDING, "anchors"),
    Proof("followed", PENDING, "anchors"),
    Proof("free_words", PENDING, "anchors"),
    Proof("queued", PENDING, "anchors"),
    Proof("verdict", PENDING, "anchors"),
    Proof("viewing", PENDING, "anchors"),
    Proof(
        "job",
        NOT_PROVED,
        "a request for work that workers change every second; a lost or false job delays an examination, and"
        " the nightly sweep requests what is missing",
    ),
    Proof(
        "job_revival",
        NOT_PROVED,
        "says who made a job due again; no figure depends on it, and a job does the same work however often",
    ),
)

"""The tables of this package, and how each table is proved."""

from __future__ import annotations

from audit.proofs import ledger, schema, tree
from audit.proofs.derived import prove_caches, prove_log, prove_replay, prove_review
from audit.proofs.registry import LEDGER, NOT_PROVED, REPLAY, SCHEMA, STRUCTURE, Proof

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
    Proof("tile", LEDGER, "the Merkle tree over the leaves of the facts", tree.prove),
    Proof("checkpoint", LEDGER, "signature, and the root of the tree of its facts", tree.prove),
    Proof(
        "checkpoint_copy",
        NOT_PROVED,
        "says which copy was written outside; a false row leaves a copy out, and the copies prove themselves",
    ),
    Proof("cage_tally", REPLAY, "sums of cage and count room", prove_replay),
    Proof(
        "examination",
        REPLAY,
        "how far each stream was examined, the rules and the state",
        prove_replay,
    ),
    Proof("finding", REPLAY, "every column of every finding", prove_replay),
    Proof(
        "ledger_examination",
        REPLAY,
        "how far the ledger was examined, the rules and the state",
        prove_replay,
    ),
    Proof("player_tally", REPLAY, "sums of each player", prove_replay),
    Proof(
        "round_tally",
        REPLAY,
        "finished rounds, and what the queue says about each",
        prove_replay,
    ),
    Proof(
        "serial_again",
        REPLAY,
        "no duplicate is missing; readers look at the slips of others",
        prove_replay,
    ),
    Proof("slip_tally", REPLAY, "sums of each slip", prove_replay),
    Proof(
        "summed",
        REPLAY,
        "keyed digests, and the sums that the tallies make",
        prove_caches,
    ),
    Proof("tally", REPLAY, "sums of play", prove_replay),
    Proof("tray_tally", REPLAY, "openers and closers", prove_replay),
    Proof("void_tally", REPLAY, "wagers of void rounds", prove_replay),
    Proof("case_state", REPLAY, "the state of each case, as its facts give it", prove_review),
    Proof("case_part", REPLAY, "what each case joins, as its facts give it", prove_review),
    Proof("case_subject", REPLAY, "the subjects of each case, as its facts give them", prove_review),
    Proof("case_followed", REPLAY, "the position up to which facts of cases were read", prove_review),
    Proof("withdrawn", REPLAY, "findings that the facts `reexamined` lost", prove_review),
    Proof("assigned", REPLAY, "assignments of hands as the facts give them", prove_review),
    Proof("snoozed", REPLAY, "snoozes of hands as the facts give them", prove_review),
    Proof("flag", REPLAY, "flags as the facts give them", prove_review),
    Proof("unpaid_marker", REPLAY, "markers not fully paid, from the sums of slips", prove_replay),
    Proof("finding_tally", REPLAY, "sums of findings and of the verdicts that count", prove_review),
    Proof("followed", REPLAY, "the position up to which verdicts were read", prove_review),
    Proof(
        "queued",
        REPLAY,
        "the rows that findings, flags, verdicts, assignments and snoozes make",
        prove_review,
    ),
    Proof("camera_outage", REPLAY, "when cameras were down, as the facts give it", prove_log),
    Proof("clip_export", REPLAY, "exported recordings as the facts give them", prove_log),
    Proof("log_entry", REPLAY, "entries of the daily log as the facts give them", prove_log),
    Proof("log_followed", REPLAY, "the position up to which the log was read", prove_log),
    Proof("video_hold", REPLAY, "recordings to hold as the facts give them", prove_log),
    Proof("verdict", REPLAY, "verdicts as the facts give them, and which others overturned", prove_review),
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

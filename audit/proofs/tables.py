"""The database tables of this package, and how each of them is proved."""

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
    Proof("stream", LEDGER, "the last number, and if the day is closed, follow from the facts", ledger.prove),
    Proof("tile", LEDGER, "the Merkle tree over the leaves of the facts", tree.prove),
    Proof("checkpoint", LEDGER, "signature, and the root of the tree of its facts", tree.prove),
    Proof(
        "checkpoint_copy",
        NOT_PROVED,
        "says which copies were written outside; a false row only hides a copy, and the signatures prove the"
        " copies",
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
        "no duplicate is missing; readers check the slips, so an additional row does no harm",
        prove_replay,
    ),
    Proof("slip_tally", REPLAY, "sums of each slip", prove_replay),
    Proof(
        "summed",
        REPLAY,
        "keyed digests, and the sums computed from the tallies",
        prove_caches,
    ),
    Proof("tally", REPLAY, "sums of play", prove_replay),
    Proof("tray_tally", REPLAY, "openers and closers", prove_replay),
    Proof("void_tally", REPLAY, "wagers of void rounds", prove_replay),
    Proof("case_state", REPLAY, "the state of each case, from its facts", prove_review),
    Proof("case_part", REPLAY, "the items of each case, from its facts", prove_review),
    Proof("case_subject", REPLAY, "the subjects of each case, from its facts", prove_review),
    Proof("case_followed", REPLAY, "the position up to which facts of cases were read", prove_review),
    Proof("withdrawn", REPLAY, "findings that `reexamined` facts list as lost", prove_review),
    Proof("assigned", REPLAY, "assignments of hands, from the facts", prove_review),
    Proof("snoozed", REPLAY, "snoozes of hands, from the facts", prove_review),
    Proof("flag", REPLAY, "flags, from the facts", prove_review),
    Proof("unpaid_marker", REPLAY, "markers with an open balance, from the sums of slips", prove_replay),
    Proof("finding_tally", REPLAY, "sums of findings and of the verdicts that count", prove_review),
    Proof("followed", REPLAY, "the position up to which verdicts were read", prove_review),
    Proof(
        "queued",
        REPLAY,
        "hands with their findings, flags, verdicts, assignments and snoozes",
        prove_review,
    ),
    Proof("camera_outage", REPLAY, "when cameras were down, from the facts", prove_log),
    Proof("clip_export", REPLAY, "exported recordings, from the facts", prove_log),
    Proof("log_entry", REPLAY, "entries of the daily log, from the facts", prove_log),
    Proof("log_followed", REPLAY, "the position up to which the log was read", prove_log),
    Proof("video_hold", REPLAY, "recordings to hold, from the facts", prove_log),
    Proof("verdict", REPLAY, "verdicts, from the facts, and the verdicts that were overturned", prove_review),
    Proof(
        "job",
        NOT_PROVED,
        "a request for work that workers change every second; a lost or false job delays an examination, and"
        " the nightly sweep requests what is missing",
    ),
    Proof(
        "work_unit",
        NOT_PROVED,
        "units of work of a running command, deleted when it ends; the command uses a result only if its"
        " keyed digest is valid",
    ),
    Proof(
        "job_revival",
        NOT_PROVED,
        "says who made a job due again; no figure depends on it, and repeating a job changes nothing",
    ),
)

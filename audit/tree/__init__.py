"""The Merkle tree of a property's ledger (RFC 6962): tiles, signed notes, checkpoints and proofs."""

"""Proofs of the tables of this package and of libraries: users, tokens, registers, exports, slips."""

"""Proofs that rows of the tables of this package and of libraries are unchanged: users, tokens, registers,
exports, slips.
"""

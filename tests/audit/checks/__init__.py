"""Tests of the internal-control checks that compare several tables or days: each control is kept,
and broken.
"""

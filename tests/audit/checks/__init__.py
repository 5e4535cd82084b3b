"""Tests of the internal-control checks that compare several tables or days. Each control is tested with facts
that comply with it and with facts that violate it.
"""

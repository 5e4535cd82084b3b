"""Tests of the internal-control checks that compare several tables or days. Each control is tested with facts
that keep it and with facts that break it.
"""

"""Slips: their serial numbers, the signatures that they gather, and how they are printed."""

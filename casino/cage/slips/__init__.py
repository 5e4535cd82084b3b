"""Slips: their serial numbers, pending slips with their signatures, and printing."""

"""Faults that can be planted at the sample tables. `casino.sample` imports every file of this folder."""

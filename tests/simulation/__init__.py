"""Whole nights made up by `casino.sample`: nothing found in the honest ones, each planted fault found."""

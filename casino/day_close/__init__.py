"""The close of a gaming day: blockers, closed figures and adjustments."""

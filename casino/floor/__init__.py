"""The floor: tables, staffing, limits, openers and closers."""

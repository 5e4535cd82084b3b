"""The floor: open and close tables, seat staff, set limits, and count openers and closers."""

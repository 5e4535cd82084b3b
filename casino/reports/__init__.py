"""Reports: their definitions, columns and groupings, the expected win, and the statistical review."""

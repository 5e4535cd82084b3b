"""Reports: their definitions, columns, grouping, expected win and the statistical review."""

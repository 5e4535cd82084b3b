"""Record the actions of cage and pit as facts: slips, markers, and chips sold to players."""

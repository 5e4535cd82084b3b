"""What cage and pit do, each act recorded as facts: slips, markers, and chips sold to players."""

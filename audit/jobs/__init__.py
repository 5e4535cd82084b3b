"""Jobs that workers lease, with the database as the source of truth."""

"""Date and time formats of the admin: instants are shown in UTC, with the name of the zone."""

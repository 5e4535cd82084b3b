"""Date and time formats of the admin. Times are shown in UTC, followed by the name of the time zone."""

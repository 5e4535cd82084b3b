"""Formats of the admin: instants are shown with their zone, which is UTC."""

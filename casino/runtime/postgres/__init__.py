"""Django's Postgres backend for an external database (see base.py)."""

"""Django's Postgres backend for the embedded database (see base.py)."""

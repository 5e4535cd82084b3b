"""Django's Postgres backend for a database that is not the embedded one (see base.py)."""

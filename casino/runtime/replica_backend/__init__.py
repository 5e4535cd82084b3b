"""Django's Postgres backend for a replica (see base.py)."""

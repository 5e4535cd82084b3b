"""Django's Postgres backend for the embedded house (see base.py)."""

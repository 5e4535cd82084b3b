"""Archived exports: ordered, built by a worker, and stored in the database with their manifests."""

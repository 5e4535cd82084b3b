"""Archived exports: ordered, built by a worker, stored in blobs with their manifest."""

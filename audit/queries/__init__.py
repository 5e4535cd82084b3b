"""Queries that pages, reports and exports read."""

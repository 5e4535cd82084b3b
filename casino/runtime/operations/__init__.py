"""Operating an installation: heartbeats, health, metrics, logs, backup and restore, and service files."""

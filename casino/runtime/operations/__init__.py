"""Operate an installation: heartbeats, health checks, metrics, logs, backup and restore, and the web
server.
"""

"""Addresses for monitoring (casino/runtime/operations/health_views.py). Their requests are counted but not
logged, and handled before all others.

A module of its own: the web server imports it before the folder for metrics exists.
"""

PROBES = frozenset({"/healthz", "/readyz", "/metrics"})

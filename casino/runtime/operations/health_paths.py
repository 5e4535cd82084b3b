"""The URLs for monitoring (casino/runtime/operations/health_views.py). Requests for them are counted but not
logged, and are handled before all others.

They are in a separate module because the web server imports them before the folder for metrics exists.
"""

PROBES = frozenset({"/healthz", "/readyz", "/metrics"})

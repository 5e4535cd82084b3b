"""The runtime environment: environment variables, embedded database and broker, processes, and operations."""

import casino.runtime.compiled  # noqa: F401 - before any module of `games` and `audit` is imported

"""The runtime environment: environment variables, embedded database and broker, processes, and operations."""

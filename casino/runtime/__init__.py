"""What Catwalk runs on: environment, embedded database and broker, processes and operations."""

"""The ledger of a property: intake, store, verification, and where a stream is open."""

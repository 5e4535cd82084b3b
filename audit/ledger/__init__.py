"""The ledger of a property: record facts, store and verify them, and read the state of open streams."""

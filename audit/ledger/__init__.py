"""The ledger of a property: intake, store, verification, and open streams."""

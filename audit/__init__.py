"""What happened, and what it means under the rules: facts, the ledger, the two readers. No HTTP."""

"""Facts, the ledger, and what facts mean under the rules (replay, findings, review). No HTTP."""

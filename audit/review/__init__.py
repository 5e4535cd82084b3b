"""The review of findings: queue, hands and verdicts."""

"""The boards of surveillance: error rates against chance, verdicts, exposure now, and the live wall."""

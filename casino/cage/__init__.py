"""The cage: fills, credits, markers, and slips with their serial numbers."""

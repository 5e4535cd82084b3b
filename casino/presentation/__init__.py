"""How values are shown and typed: money, dates, labels and descriptions of facts."""

"""Pages that show what a ledger holds."""

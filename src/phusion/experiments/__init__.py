"""Studies: many designs on many data sets by one protocol, kept in a ledger."""

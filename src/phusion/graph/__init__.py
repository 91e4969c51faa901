"""Any graph goes in here, unharmed: the frozen `Graph`, the one door, its sources and file formats."""

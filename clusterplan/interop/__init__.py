"""Files that other programs read: network managers, schedulers, inventories, drawings, labs."""

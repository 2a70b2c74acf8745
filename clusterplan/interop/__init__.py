"""Files that other programs read, written from result objects."""

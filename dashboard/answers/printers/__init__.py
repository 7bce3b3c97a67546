"""Printers of answers, one for each medium; plurals, units and the shortening of names are theirs alone."""

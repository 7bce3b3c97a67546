"""Sessions: statements, steps, and the functions that plugins have."""

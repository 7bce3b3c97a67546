"""The cluster as columns: what plugins read, and the journal through which it changes."""

"""Rules that several plugins of a session need."""

"""Pages of Volcano's own."""

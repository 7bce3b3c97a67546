"""What is read of runs and snapshots for Volcano."""

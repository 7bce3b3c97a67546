"""HAMi as it takes part in a run."""

"""Sessions told: events of the log and explanations."""

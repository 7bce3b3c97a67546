"""What is told of a run: rows of the log, the trust line, why pods wait."""

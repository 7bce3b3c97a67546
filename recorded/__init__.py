"""Recorded cases, answered by the engine in the formats in which the real schedulers were recorded."""

"""From what a run is a function of to its actors, API server and clock."""

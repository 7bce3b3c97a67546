"""What the scheduler knows of the cluster between two sessions, and how a session opens on it."""

"""The scheduler's configuration file, and what of Volcano no run plays."""

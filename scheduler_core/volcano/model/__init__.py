"""Jobs, tasks, queues, nodes and resources as a session sees them."""

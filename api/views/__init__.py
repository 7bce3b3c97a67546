"""REST views: each reads its input, asks a guard, and leaves the rest to a service or a query."""

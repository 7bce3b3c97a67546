"""The pages: each view reads through `dashboard.queries` and writes through `dashboard.services`."""

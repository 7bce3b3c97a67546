"""What an import finds about Volcano's objects."""

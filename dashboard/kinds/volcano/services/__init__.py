"""What is stored of Volcano's objects."""

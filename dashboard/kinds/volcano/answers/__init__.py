"""What is said of Volcano's own objects, as answers."""

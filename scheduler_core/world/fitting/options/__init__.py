"""Changes that may make pods fit, by why they wait; a module for each kind of thing that changes."""

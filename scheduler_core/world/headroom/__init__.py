"""How many more pods of given shapes fit, where, and what stops the next one."""

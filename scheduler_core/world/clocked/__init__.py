"""Runs in virtual time: the clock, what happens at an instant, and the live cluster."""

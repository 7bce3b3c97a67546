"""Runs without a clock: one decision after another."""

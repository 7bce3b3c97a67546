"""Answers kept by class of tasks."""

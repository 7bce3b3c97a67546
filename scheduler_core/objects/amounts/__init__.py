"""Amounts: quantities, and what pods request and are limited to."""

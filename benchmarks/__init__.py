"""Benchmarks: what `make bench` measures. Figures are compared with a baseline, never asserted in a test."""

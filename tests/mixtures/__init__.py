"""Mixtures: recorded cases in which fields are exchanged, made up and deleted at random.

`python -m tests.mixtures` asks a real scheduler about them and compares its answers with the engine's.
"""

"""A scheduler that is only a folder: the first node by name with room.

docs/guides/add-a-scheduler.md goes by it.
"""

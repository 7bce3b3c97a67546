"""A cluster as it is now, read from its API server: get, list and watch only, and Secrets never.

Nothing here knows Django: the command `sandtable` reads with it on the machine of its user.
"""

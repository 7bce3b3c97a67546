"""What a run asks of a scheduler, and which schedulers there are: `kind.py` and `registry.py` come first.

Nothing here knows any of them. A scheduler is a package with a module `kind`; how one is made is said in
docs/guides/add-a-scheduler.md.
"""

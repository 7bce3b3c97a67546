"""The Django project and its app: pages, tasks, the live stream, and everything that is stored."""

import gc

USUAL = gc.get_threshold()
"""How often garbage is collected once all is loaded (`apps`)."""

# What modules hold stays: while they load, each collection would look through more of it in vain.
LOADING = (10_000, 20, 20)
gc.set_threshold(*LOADING)

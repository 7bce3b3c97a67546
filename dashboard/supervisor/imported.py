"""What the fork server imports before it forks: the project with all that web and workers need.

Nothing of it reads the database or the static files: those are made ready later, by a part.
"""

import gc
import os
from importlib import import_module

import django

from dashboard.supervisor.forking import SERVER, SUPERVISOR
from dashboard.supervisor.lifeline import end_with_parent

NAMES = (
    "celery.bin.celery",
    "uvicorn",
    "uvicorn.loops.auto",
    "uvicorn.protocols.http.auto",
    "uvicorn.protocols.websockets.auto",
    "dashboard.consumers",
    "dashboard.routing",
    "dashboard.tasks",
    "dashboard.urls",
)

if SUPERVISOR in os.environ:
    os.setsid()  # the terminal's signals are the supervisor's
    end_with_parent(int(os.environ[SUPERVISOR]))
    os.environ[SERVER] = str(os.getpid())

django.setup()
for name in NAMES:
    import_module(name)
gc.collect()
gc.freeze()  # what all parts share stays shared

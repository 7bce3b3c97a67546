"""What the processes of parts do once they are there, each until it is asked to end."""

import socket
import sys
import warnings


def serve(listener: socket.socket) -> None:
    """Be the web process, on a socket that listens already."""
    from dashboard.supervisor.web import serve  # looks at the static files, which are there by now

    serve(listener)


def work(*arguments: str) -> None:
    """Be a worker of Celery's, with these arguments to its command."""
    from celery.__main__ import main

    warnings.filterwarnings("ignore", "You're running the worker with superuser privileges")  # containers do
    sys.argv = ["celery", *arguments]
    main()


def manage(*arguments: str) -> None:
    """Run a management command to its end."""
    from dashboard.command_line.administration import administer

    administer(["manage.py", *arguments])

"""`sandtable part NAME`: one part of Sandtable in the foreground, for machines and containers of its own."""

import os
import signal
import sys

import click

from dashboard.supervisor import alive
from dashboard.supervisor.parts import REAP_SECONDS, WORKERS, worker_arguments

WEB, REAPER = "web", "reaper"


@click.command()
@click.argument("name", type=click.Choice([WEB, *WORKERS, REAPER]))
def command(name: str) -> None:
    """Start one part, where the others run elsewhere; SIGTERM stops it.

    All parts need the same DATABASE_URL, SANDTABLE_BROKER_URL, SANDTABLE_SECRET_KEY and
    SANDTABLE_CLUSTER_KEY.
    `sandtable manage prepare` comes before the first of them.
    """
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dashboard.settings")
    if name == WEB:
        _serve()
    alive.begin()
    from dashboard.supervisor import entries

    if name == REAPER:
        # A container's first process has no default for it.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
        entries.manage("reap", "--every", str(REAP_SECONDS))
    # Celery's, read at its import: a stop does not wait for long runs.
    os.environ["REMAP_SIGTERM"] = "SIGQUIT"
    entries.work(*worker_arguments(name))


def _serve() -> None:
    import django

    from dashboard import environment
    from dashboard.static_files import collect_static_files
    from dashboard.supervisor.entries import serve
    from dashboard.supervisor.listening import PortUnavailable, is_loopback, take_port

    host = environment.value("HOST")
    if not is_loopback(host) and not os.environ.get("SANDTABLE_ALLOWED_HOSTS"):
        raise click.ClickException(
            "Beyond loopback (HOST) the names served must be set: SANDTABLE_ALLOWED_HOSTS=…"
        )
    django.setup()
    collect_static_files()
    try:
        serve(take_port(host, environment.value("PORT")))
    except PortUnavailable as problem:
        raise click.ClickException(str(problem)) from problem

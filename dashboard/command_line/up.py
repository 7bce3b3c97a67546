"""`sandtable up`: starts everything on this machine, as `manage.py up` does."""

import sys

import click

from dashboard.command_line.administration import administer


@click.command()
@click.option("--no-samples", is_flag=True, help="Do not load the samples.")
def command(no_samples: bool) -> None:
    """Start broker, web server, workers and reaper; Ctrl-C stops them all.

    What is stored lies in DATA_DIR: by default in `data` of a checkout, and in `~/.local/share/sandtable` of
    an installed package.
    """
    administer([sys.argv[0], "up", *(["--no-samples"] if no_samples else [])])

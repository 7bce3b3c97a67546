"""`sandtable manage`: the management commands, where there is no checkout with a `manage.py`."""

import sys

import click

from dashboard.command_line.administration import administer


@click.command(add_help_option=False, context_settings={"ignore_unknown_options": True})
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def command(arguments: tuple[str, ...]) -> None:
    """Run a management command: `sandtable manage add_user NAME --role viewer`."""
    administer([f"{sys.argv[0]} manage", *arguments])

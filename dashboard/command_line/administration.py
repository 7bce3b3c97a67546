"""Django's management commands with Sandtable's settings: `manage.py` of a checkout, and `sandtable up`."""

import os
import sys


def administer(arguments: list[str]) -> None:
    """Run a management command; `arguments` as of a process, its name first."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dashboard.settings")
    if arguments[1:2] == ["up"] and not {"-h", "--help"} & set(arguments):
        _refuse_up_early()
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(arguments)
    except Exception as error:
        _end_without_server(error)
        raise


def _end_without_server(error: Exception) -> None:
    """End here if no database server answered: that is told in a sentence, not by a traceback."""
    from dashboard.database_faults import is_without_server, sentence_without_server

    if is_without_server(error):
        sys.exit(sentence_without_server(error))


def _refuse_up_early() -> None:
    """End here what could not start anyway: the settings, once loaded, leave files behind."""
    from django.core.exceptions import ImproperlyConfigured

    from dashboard.supervisor.listening import PortUnavailable
    from dashboard.supervisor.start import FolderInUse, refuse_early

    try:
        refuse_early()
    except (FolderInUse, ImproperlyConfigured, PortUnavailable) as problem:
        sys.exit(f"{problem}")

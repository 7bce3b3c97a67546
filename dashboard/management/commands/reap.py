"""``manage.py reap``: brings back runs and imports whose worker or message was lost."""

import logging
import time
from argparse import ArgumentParser
from collections.abc import Callable
from functools import partial
from typing import Any

import structlog
from django.core.management.base import BaseCommand
from django.db import connection

from dashboard.database_faults import is_passing
from dashboard.services.background.attendance import REAPER, note_present
from dashboard.services.background.reaping import reap, send_due_runs
from dashboard.supervisor.alive import tell

log = structlog.get_logger(__name__)

DUE_SECONDS = 0.5
"""How late a run that gave its worker back may be sent again."""


class Command(BaseCommand):
    help = "Send abandoned runs and imports to the workers again, once or every so many seconds."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--every", type=float, metavar="SECONDS", help="repeat until stopped")

    def handle(self, *args: Any, **options: Any) -> None:
        pause = options["every"]
        self._try(partial(reap, at_start=True))
        while pause:
            tell()
            self._try(partial(_tell, pause))
            next_round = time.monotonic() + pause
            while (left := next_round - time.monotonic()) > 0:
                time.sleep(min(left, DUE_SECONDS))
                self._try(send_due_runs, logging.DEBUG)
            self._try(reap)

    def _try(self, send: Callable[[], int], level: int = logging.INFO) -> None:
        """A database that does not answer now may answer next time."""
        try:
            sent = send()
        except Exception as error:
            if not is_passing(error):
                raise
            log.warning("reaping failed", error=str(error))
            connection.close()
        else:
            if sent:
                log.log(level, "sent work again", count=sent)


def _tell(pause: float) -> int:
    note_present([REAPER], pause)
    return 0

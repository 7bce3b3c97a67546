"""``manage.py reap``: brings back runs and imports whose worker or message was lost."""

import time
from argparse import ArgumentParser
from typing import Any

import structlog
from django.core.management.base import BaseCommand
from django.db import DatabaseError, connection

from dashboard.services.reaping import reap

log = structlog.get_logger(__name__)


class Command(BaseCommand):
    help = "Send abandoned runs and imports to the workers again, once or every so many seconds."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--every", type=float, metavar="SECONDS", help="repeat until stopped")

    def handle(self, *args: Any, **options: Any) -> None:
        pause = options["every"]
        self._reap(at_start=True)
        while pause:
            time.sleep(pause)
            self._reap(at_start=False)

    def _reap(self, at_start: bool) -> None:
        """A database that does not answer now may answer next time."""
        try:
            sent = reap(at_start=at_start)
        except DatabaseError as error:
            log.warning("reaping failed", error=str(error))
            connection.close()
        else:
            if sent:
                log.info("sent work again", count=sent)

"""``manage.py prepare``: backs up and migrates the database, collects static files, first account."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from dashboard.supervisor.preparation import NotPrepared, prepare


class Command(BaseCommand):
    help = "Bring the data folder up to date: backup, migrations, static files, first administrator, token."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--public", action="store_true", help="the server will listen beyond loopback")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            prepare(options["public"], self.stdout.write)
        except NotPrepared as problem:
            raise CommandError(str(problem)) from problem

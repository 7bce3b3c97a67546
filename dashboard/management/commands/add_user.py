"""``manage.py add_user NAME --role ROLE``: creates a user and prints a token and a sign-in link."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from dashboard import environment
from dashboard.accounts.asker import at_server
from dashboard.accounts.invitations import InvalidInvitation, invite
from dashboard.accounts.links import link_address
from dashboard.accounts.roles import ROLES
from dashboard.accounts.tokens import create_token
from dashboard.services.workspace.audit import note


class Command(BaseCommand):
    help = "Create a user with a role; prints the user's first API token and a sign-in link."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name")
        parser.add_argument("--role", choices=ROLES, help="default: none, an outsider who sees nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            with at_server(), transaction.atomic():
                user, secret = invite(options["name"], options["role"])
                note("user invited", user.get_username(), role=options["role"])
        except InvalidInvitation as problem:
            raise CommandError(str(problem)) from problem
        _, token = create_token(user, "first")
        self.stdout.write(token)
        self.stdout.write(link_address(f"http://127.0.0.1:{environment.value('PORT')}", secret))

"""``manage.py sign_in_link USER``: prints a fresh sign-in link, for whoever forgot the password."""

from argparse import ArgumentParser
from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError

from dashboard import environment
from dashboard.accounts.asker import at_server
from dashboard.accounts.links import create_link, link_address
from dashboard.services.workspace.audit import note


class Command(BaseCommand):
    help = "Print a link that signs the user in once, within ten minutes."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("user", help="the user's name")
        parser.add_argument("--base-url", help="default: http://127.0.0.1 and PORT")

    def handle(self, *args: Any, **options: Any) -> None:
        user = get_user_model().objects.filter(username=options["user"], is_active=True).first()
        if user is None:
            raise CommandError(f"There is no active user {options['user']!r}.")
        with at_server():
            note("sign-in link created", user.get_username())
        base_url = options["base_url"] or f"http://127.0.0.1:{environment.value('PORT')}"
        self.stdout.write(link_address(base_url, create_link(user)))

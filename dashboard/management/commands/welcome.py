"""``manage.py welcome``: prints where Sandtable is, how to sign in, and the token for programs."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from dashboard.accounts.first_admin import first_administrator
from dashboard.accounts.links import create_link, link_address
from dashboard.accounts.tokens import token_in_file


class Command(BaseCommand):
    help = "Print the address, a sign-in link if the first administrator has no password, and the API token."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("base_url", help="for example http://127.0.0.1:8000")

    def handle(self, *args: Any, **options: Any) -> None:
        base_url = options["base_url"]
        user = first_administrator()
        path = settings.DATA_DIR / "token"
        self.stdout.write("")
        if user.has_usable_password():
            self.stdout.write(f"Sandtable is ready: {base_url}/ (sign in as {user.get_username()})")
        else:
            link = link_address(base_url, create_link(user))
            minutes = settings.SIGN_IN_LINK_SECONDS // 60
            self.stdout.write(f"Sandtable is ready. Sign in (once, within {minutes} minutes): {link}")
        self.stdout.write(f"Token for programs: {token_in_file(user, path)} (also in {path})")
        self.stdout.write("Stop with Ctrl-C.")

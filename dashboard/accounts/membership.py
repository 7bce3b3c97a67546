"""Changing a user's role and access, never so that no administrator is left."""

from typing import Any

from django.db import transaction

from dashboard.accounts.first_admin import administrators
from dashboard.accounts.roles import ADMIN, give_role


class LastAdministrator(Exception):
    """The change would leave nobody who can look after the users."""


@transaction.atomic
def change_membership(user: Any, role: str | None, active: bool) -> None:
    """Give the user this role and allow or end their signing in; API tokens stop with the access."""
    remains = role == ADMIN and active
    if not remains and not administrators().exclude(pk=user.pk).exists():
        raise LastAdministrator("This is the last administrator. Make somebody else one first.")
    user.is_superuser = user.is_superuser and role == ADMIN
    user.is_active = active
    user.save(update_fields=["is_superuser", "is_active"])
    give_role(user, role)

"""Inviting people: a user without a password and a sign-in link to hand on."""

from typing import Any

from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.db import transaction

from dashboard.accounts.links import create_link
from dashboard.accounts.roles import give_role


class InvalidInvitation(Exception):
    """The name is taken or not a name; the message says which."""


@transaction.atomic
def invite(name: str, role: str | None) -> tuple[Any, str]:
    """A new user with the role, and the secret of the link that signs them in for the first time."""
    model = get_user_model()
    if model.objects.filter(username__iexact=name).exists():
        raise InvalidInvitation(f"There is already a user {name!r}.")
    user = model(username=name)
    user.set_unusable_password()
    try:
        user.full_clean(exclude=["password"])
    except ValidationError as error:
        raise InvalidInvitation(" ".join(error.messages)) from error
    user.save()
    give_role(user, role)
    return user, create_link(user)

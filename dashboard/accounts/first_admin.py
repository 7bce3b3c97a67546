"""The first account: an administrator without a password, who signs in by a link."""

from typing import Any

from django.contrib.auth import get_user_model
from django.db.models import Q, QuerySet

from dashboard.accounts.roles import ADMIN, give_role

FIRST_NAME = "admin"


def administrators() -> QuerySet[Any]:
    """The active administrators, oldest first."""
    users = get_user_model().objects.filter(is_active=True)
    return users.filter(Q(groups__name=ADMIN) | Q(is_superuser=True)).distinct().order_by("pk")


def first_administrator() -> Any:
    """The oldest active administrator; created if there is none."""
    existing = administrators().first()
    if existing is not None:
        return existing
    user, created = get_user_model().objects.get_or_create(username=FIRST_NAME)
    if created:
        user.set_unusable_password()
        user.save()
    give_role(user, ADMIN)
    return user

"""Roles are Django groups: viewer reads, operator also changes, admin also looks after users and limits.

A user without any role is an outsider: signed in perhaps, but every object answers 404. Superusers count
as admins. The groups are created after each migration (``dashboard.apps``).
"""

from collections.abc import Iterable
from typing import Any

from django.contrib.auth.models import Group

VIEWER, OPERATOR, ADMIN = "viewer", "operator", "admin"
ROLES = (VIEWER, OPERATOR, ADMIN)  # each includes those before it


def role_of(user: Any) -> str | None:
    """The user's highest role, or None for outsiders and people not signed in; asked once a request."""
    if not user.is_authenticated or not user.is_active:
        return None
    if user.is_superuser:
        return ADMIN
    if not hasattr(user, "_role"):
        user._role = highest(user.groups.values_list("name", flat=True))
    role: str | None = user._role
    return role


def highest(groups: Iterable[str | None]) -> str | None:
    """The highest role among the names of a user's groups."""
    names = set(groups)
    return next((role for role in reversed(ROLES) if role in names), None)


def is_viewer(user: Any) -> bool:
    """Whether the user may read (viewers, operators and admins)."""
    return role_of(user) is not None


def is_operator(user: Any) -> bool:
    """Whether the user may import, edit, run, and delete what is theirs (operators and admins)."""
    return role_of(user) in (OPERATOR, ADMIN)


def is_admin(user: Any) -> bool:
    """Whether the user may look after users, tokens, allowed addresses and retention."""
    return role_of(user) == ADMIN


def give_role(user: Any, role: str | None) -> None:
    """Give the user exactly this role (None: no role at all)."""
    groups = Group.objects.filter(name=role) if role else Group.objects.none()
    if role and not groups:
        raise ValueError(f"no such role: {role!r}; roles are {', '.join(ROLES)}")
    user.groups.set(groups)
    user.__dict__.pop("_role", None)


def create_roles(**_: object) -> None:
    """Create the three groups if they are missing; connected to ``post_migrate``."""
    for role in ROLES:
        Group.objects.get_or_create(name=role)

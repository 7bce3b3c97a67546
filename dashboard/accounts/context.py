"""What every template knows of the person who looks: ``role``, ``is_operator`` and ``is_admin``."""

from typing import Any

from dashboard.accounts.roles import ADMIN, OPERATOR, role_of


def roles(request: Any) -> dict[str, Any]:
    """Template variables on the role; an error page may have no user at all."""
    user = getattr(request, "user", None)
    role = role_of(user) if user is not None else None
    return {"role": role, "is_operator": role in (OPERATOR, ADMIN), "is_admin": role == ADMIN}

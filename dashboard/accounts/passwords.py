"""Who may sign in by a password: all users, or those whom an administrator names beside a provider."""

from typing import Any

from django.conf import settings
from django.contrib.auth.forms import AuthenticationForm
from django.core.exceptions import ValidationError

from dashboard.models import Identity


def may_have_password(user: Any) -> bool:
    """Tell whether the user may set a password: nobody whom a provider signs in, and who is allowed one."""
    names = settings.PASSWORD_USERS
    is_named = names is None or user.get_username() in names
    return is_named and not Identity.objects.filter(user=user).exists()


class PasswordForm(AuthenticationForm):
    """Name and password, of those who may sign in so."""

    def confirm_login_allowed(self, user: Any) -> None:
        """Raise ValidationError for others, however right their password is."""
        super().confirm_login_allowed(user)
        if not may_have_password(user):
            raise ValidationError("Signing in by a password is switched off for you.", code="no_password")

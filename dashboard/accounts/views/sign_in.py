"""Signing in: by name and password, or by a single-use link whose page has the button that uses it up."""

from typing import Any

from django.conf import settings
from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from dashboard.accounts.links import open_link, use_link
from dashboard.accounts.passwords import PasswordForm, may_have_password

PASSWORD_BACKEND = "django.contrib.auth.backends.ModelBackend"  # noqa: S105  the name of a class
BY_LINK = "signed_in_by_link"  # session key: this person may set a password without the old one


class SignInView(LoginView):
    """Name and password; django-axes locks a name and address out after five failures."""

    template_name = "accounts/sign_in.html"
    redirect_authenticated_user = True
    authentication_form = PasswordForm

    def get_context_data(self, **context: Any) -> dict[str, Any]:
        """With the provider and with who may use a password."""
        more = {"oidc": settings.OIDC, "password_users": settings.PASSWORD_USERS}
        return super().get_context_data(**context) | more


@login_not_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in_link(request: HttpRequest, secret: str) -> HttpResponse:
    """GET offers the button, so that a preview of the link does not spend it; POST signs in."""
    if request.method != "POST":
        link = open_link(secret)
        return _page(request, {"link": link}, 200 if link else 410)
    user = use_link(secret)
    if user is None:
        return _page(request, {"link": None}, 410)
    login(request, user, backend=PASSWORD_BACKEND)
    if user.has_usable_password() or not may_have_password(user):
        return redirect("/")
    request.session[BY_LINK] = True
    return redirect("set-password")


def _page(request: HttpRequest, context: dict[str, Any], status: int) -> HttpResponse:
    return render(request, "accounts/link.html", context, status=status)

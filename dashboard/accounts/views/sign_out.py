"""Signing out: here, and by a link at the provider who signed somebody in."""

from typing import Any

from django.conf import settings
from django.contrib.auth.views import LogoutView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from dashboard.services.workspace.sealing import sealed, unsealed
from scheduler_core.objects.problems import BadInput

_SIGN_OUT = "sign_out_there"
"""Session key: the provider's address for it, sealed, since it holds an ID token."""


def remember_sign_out(request: HttpRequest, address: str) -> None:
    """Keep in the session where this sign-in is ended at the provider."""
    request.session[_SIGN_OUT] = sealed(address.encode()).decode()


class SignOutView(LogoutView):
    """Signs out here. Whom a provider signed in is offered to sign out there, too.

    That is a link: a redirect of this form to another host is what the policy's `form-action` forbids.
    """

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Sign out."""
        address = _address(request)
        response = super().post(request, *args, **kwargs)
        if address is None or settings.OIDC is None:
            return response
        context = {"address": address, "name": settings.OIDC.name}
        return render(request, "accounts/signed_out.html", context)


def _address(request: HttpRequest) -> str | None:
    kept = request.session.get(_SIGN_OUT)
    if kept is None:
        return None
    try:
        return unsealed(kept.encode()).decode()
    except BadInput:  # the key is another one now
        return None

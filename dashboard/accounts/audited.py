"""Sign-ins and sign-outs in the audit log, by Django's own signals; connected when the project is ready."""

from typing import Any

from axes.signals import user_locked_out
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed

_WAYS = {"sign-in": "password", "sign-in-link": "link", "oidc-callback": "OIDC"}
"""By the name of the address where somebody signed in."""


def connect() -> None:
    """Note from now on who signs in and out."""
    user_logged_in.connect(_signed_in, dispatch_uid="audit")
    user_logged_out.connect(_signed_out, dispatch_uid="audit")
    user_login_failed.connect(_failed, dispatch_uid="audit")
    user_locked_out.connect(_locked, dispatch_uid="audit")


def _signed_in(user: Any, request: Any = None, **_: Any) -> None:
    match = getattr(request, "resolver_match", None)
    way = _WAYS.get(match.url_name, match.url_name) if match else ""
    _note("signed in", user.get_username(), way=way, issuer=settings.OIDC.issuer if way == "OIDC" else "")


def _signed_out(user: Any = None, **_: Any) -> None:
    if user is not None:
        _note("signed out", user.get_username())


def _failed(credentials: dict[str, Any], **_: Any) -> None:
    _note("sign-in failed", _known(credentials.get("username")))


def _locked(username: str = "", **_: Any) -> None:
    _note("sign-in locked", _known(username))


def _known(name: Any) -> str:
    """Return the name of a user; people type passwords into the field for names, which nobody shall read."""
    known = isinstance(name, str) and get_user_model().objects.filter(username=name).exists()
    return str(name) if known else "an unknown name"


def _note(action: str, thing: str, **details: Any) -> None:
    from dashboard.services.workspace.audit import note  # models need Django set up

    note(action, thing, **details)

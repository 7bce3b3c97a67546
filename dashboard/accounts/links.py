"""Sign-in links: valid once and for ten minutes, then spent, whether used or not."""

import datetime
from typing import Any

from django.conf import settings
from django.utils import timezone

from dashboard.accounts.secrets import digest, new_secret
from dashboard.models.accounts import SignInLink

KEPT = datetime.timedelta(days=30)  # spent links stay for a while, as a trace of who was let in


def create_link(user: Any) -> str:
    """The secret of a new link for the user; links of long ago are removed."""
    now = timezone.now()
    SignInLink.objects.filter(expires_at__lt=now - KEPT).delete()
    secret = new_secret()
    expires_at = now + datetime.timedelta(seconds=settings.SIGN_IN_LINK_SECONDS)
    SignInLink.objects.create(user=user, digest=digest(secret), expires_at=expires_at)
    return secret


def link_address(base_url: str, secret: str) -> str:
    """The address of the page with the button; spelt out here, so that commands need not load every page."""
    return f"{base_url.rstrip('/')}/accounts/link/{secret}/"


def open_link(secret: str) -> SignInLink | None:
    """The link, if it can still be used; looking does not use it up."""
    link = SignInLink.objects.select_related("user").filter(digest=digest(secret)).first()
    if link is None or link.used_at or link.expires_at <= timezone.now() or not link.user.is_active:
        return None
    return link


def use_link(secret: str) -> Any | None:
    """The user whom the link signs in, or None; of two that come at once only one succeeds."""
    link = open_link(secret)
    if link is None:
        return None
    now = timezone.now()
    unused = SignInLink.objects.filter(pk=link.pk, used_at=None, expires_at__gt=now)
    return link.user if unused.update(used_at=now) else None

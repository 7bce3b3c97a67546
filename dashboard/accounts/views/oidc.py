"""Signing in by an OpenID Connect provider: the way there, and the way back."""

from typing import TYPE_CHECKING, Any

import structlog
from django.conf import settings
from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from dashboard.accounts.views.sign_in import PASSWORD_BACKEND
from dashboard.accounts.views.sign_out import remember_sign_out
from dashboard.client_address import lockout_address
from dashboard.rates import Buckets
from dashboard.services.workspace.audit import note

if TYPE_CHECKING:
    from dashboard.accounts.oidc.failures import SignInFailed

log = structlog.get_logger(__name__)
BEGUN_A_MINUTE, BEGUN_AT_ONCE = 20.0, 20.0
"""Sign-ins that one address may begin, in each web process."""
LONGEST_NEXT = 2000

begun = Buckets()


@login_not_required
@require_GET
@never_cache
def begin_oidc(request: HttpRequest) -> HttpResponse:
    """Send the browser to the provider; whoever is signed in goes to `next` at once.

    It is a link, not a form: browsers hold redirects of forms to the policy's `form-action`.
    """
    if settings.OIDC is None:
        raise Http404
    from dashboard.accounts.oidc import failures, provider

    then = _local(request, request.GET.get("next", ""))
    if request.user.is_authenticated:
        return redirect(then)
    try:
        if not begun.take(lockout_address(request), BEGUN_A_MINUTE / 60, BEGUN_AT_ONCE):
            raise failures.SignInFailed(failures.TOO_MANY, "too many were begun")
        there = provider.begin(request, request.build_absolute_uri(reverse("oidc-callback")), then)
    except failures.SignInFailed as failed:
        return _failed(request, failed)
    return redirect(there)


@login_not_required
@require_GET
@never_cache
def finish_oidc(request: HttpRequest) -> HttpResponse:
    """Sign in whom the provider vouches for, or say why not; the state is what keeps foreign pages out."""
    if settings.OIDC is None:
        raise Http404
    from dashboard.accounts.oidc import failures, people, provider

    try:
        answer = provider.finish(request, request.build_absolute_uri(reverse("sign-in")))
        user = people.person_of(answer.claims, settings.OIDC)
    except failures.SignInFailed as failed:
        if failed.failure is not failures.STALE:  # anybody can send those, as many as they like
            note(
                "sign-in failed",
                "an unknown name",
                way="OIDC",
                issuer=settings.OIDC.issuer,
                reason=failed.reason,
            )
        return _failed(request, failed)
    login(request, user, backend=PASSWORD_BACKEND)
    request.session.set_expiry(settings.OIDC.session_hours * 3600)
    if answer.sign_out is not None:
        remember_sign_out(request, answer.sign_out)
    return redirect(_local(request, answer.then))


def _local(request: HttpRequest, address: str) -> str:
    """Return the address if it leads to a page of ours, and otherwise Home."""
    is_ours = url_has_allowed_host_and_scheme(
        address, {request.get_host()}, require_https=request.is_secure()
    )
    return address if is_ours and len(address) <= LONGEST_NEXT else settings.LOGIN_REDIRECT_URL


def _failed(request: HttpRequest, failed: "SignInFailed") -> HttpResponse:
    log.warning("sign-in by OIDC failed", issuer=settings.OIDC.issuer, reason=failed.reason)
    failure, name = failed.failure, settings.OIDC.name
    context: dict[str, Any] = {
        "title": failure.title.format(name=name),
        "sentence": failure.sentence.format(name=name),
    }
    return render(request, "accounts/oidc_failed.html", context, status=failure.status)

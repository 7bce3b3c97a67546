"""One's own account: the password, and API tokens, each shown once when it is created."""

from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.forms import PasswordChangeForm, SetPasswordForm
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from dashboard.accounts.forms import TokenForm
from dashboard.accounts.passwords import may_have_password
from dashboard.accounts.tokens import create_token
from dashboard.accounts.views.sign_in import BY_LINK
from dashboard.services.workspace.audit import note


@require_GET
@never_cache
def account(request: HttpRequest) -> HttpResponse:
    """The signed-in person's role, password and tokens."""
    return _account_page(request, TokenForm())


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sensitive_post_parameters()
def set_password(request: HttpRequest) -> HttpResponse:
    """Set a first password (after a sign-in link without the old one), or change it; 404 if none may be."""
    if not may_have_password(request.user):
        raise Http404
    first = not request.user.has_usable_password() or BY_LINK in request.session
    form = (SetPasswordForm if first else PasswordChangeForm)(request.user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        form.save()
        update_session_auth_hash(request, request.user)
        request.session.pop(BY_LINK, None)
        note("password set", request.user.get_username())
        messages.success(request, "Your password is set.")
        return redirect("account")
    return render(request, "accounts/password.html", {"form": form, "first": first})


@require_POST
@never_cache
def add_token(request: HttpRequest) -> HttpResponse:
    """Create a token and show it, this once."""
    form = TokenForm(request.POST)
    if not form.is_valid():
        return _account_page(request, form, status=422)
    with transaction.atomic():
        token, plain = create_token(request.user, form.cleaned_data["name"])
        note("token created", f"{token.name} of {request.user.get_username()}")
    return _account_page(request, TokenForm(), plain=plain)


@require_POST
def withdraw_token(request: HttpRequest, token: int) -> HttpResponse:
    """Delete one of one's own tokens."""
    found = get_object_or_404(request.user.api_tokens, pk=token)
    with transaction.atomic():
        found.delete()
        note("token withdrawn", f"{found.name} of {request.user.get_username()}")
    messages.success(request, f"The token “{found.name}” is withdrawn.")
    return redirect("account")


def _account_page(request: HttpRequest, form: TokenForm, plain: str = "", status: int = 200) -> HttpResponse:
    context = {
        "form": form,
        "plain": plain,
        "tokens": request.user.api_tokens.all(),
        "may_have_password": may_have_password(request.user),
    }
    return render(request, "accounts/account.html", context, status=status)

"""Users and tokens, for administrators: invite, give roles, end access, withdraw tokens. Others get 404."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth import get_user_model
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from dashboard.accounts.forms import InvitationForm, UserForm
from dashboard.accounts.invitations import InvalidInvitation, invite
from dashboard.accounts.links import create_link, link_address
from dashboard.accounts.membership import LastAdministrator, change_membership
from dashboard.accounts.roles import is_admin, role_of
from dashboard.models.accounts import ApiToken
from dashboard.services.workspace.audit import note

View = Callable[..., HttpResponse]


def admin_only(view: View) -> View:
    """Answer 404 to everybody who is no administrator."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not is_admin(request.user):
            raise Http404
        return view(request, *args, **kwargs)

    return guarded


@admin_only
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def users(request: HttpRequest) -> HttpResponse:
    """The list; POST invites a user and shows the link to hand on, this once."""
    form = InvitationForm(request.POST or None)
    if request.method != "POST":
        return _users_page(request, form)
    if form.is_valid():
        try:
            with transaction.atomic():
                user, secret = invite(form.cleaned_data["name"], form.cleaned_data["role"] or None)
                note("user invited", user.get_username(), role=form.cleaned_data["role"] or "none")
        except InvalidInvitation as problem:
            form.add_error("name", str(problem))
        else:
            return _users_page(request, InvitationForm(), invited=user, link=_address(request, secret))
    return _users_page(request, form, status=422)


@admin_only
@require_POST
def change_user(request: HttpRequest, user: int) -> HttpResponse:
    """Change a user's role and whether they may sign in."""
    found = get_object_or_404(get_user_model(), pk=user)
    form = UserForm(request.POST)
    if not form.is_valid():
        messages.error(request, "That is no role.")
        return redirect("users")
    role, active = form.cleaned_data["role"] or None, form.cleaned_data["active"]
    try:
        with transaction.atomic():
            change_membership(found, role, active)
            note("user changed", found.get_username(), role=role or "none", active=active)
    except LastAdministrator as problem:
        messages.error(request, str(problem))
    else:
        messages.success(request, f"{found.get_username()} is changed.")
    return redirect("users")


@admin_only
@require_POST
@never_cache
def new_link(request: HttpRequest, user: int) -> HttpResponse:
    """A fresh sign-in link for a user who lost theirs, shown once."""
    found = get_object_or_404(get_user_model(), pk=user, is_active=True)
    note("sign-in link created", found.get_username())
    return _users_page(request, InvitationForm(), invited=found, link=_address(request, create_link(found)))


@admin_only
@require_POST
def withdraw_any_token(request: HttpRequest, token: int) -> HttpResponse:
    """Delete anybody's token."""
    found = get_object_or_404(ApiToken.objects.select_related("user"), pk=token)
    with transaction.atomic():
        found.delete()
        note("token withdrawn", f"{found.name} of {found.user.get_username()}")
    messages.success(request, f"The token “{found.name}” of {found.user.get_username()} is withdrawn.")
    return redirect("users")


def _users_page(
    request: HttpRequest, form: InvitationForm, invited: Any = None, link: str = "", status: int = 200
) -> HttpResponse:
    people = (
        get_user_model().objects.select_related("identity").prefetch_related("groups").order_by("username")
    )
    rows = [
        {
            "user": person,
            "form": UserForm(
                initial={"role": role_of(person) or "", "active": person.is_active},
                auto_id=f"user-{person.pk}-%s",
            ),
        }
        for person in people
    ]
    context = {
        "form": form,
        "rows": rows,
        "tokens": ApiToken.objects.select_related("user"),
        "invited": invited,
        "link": link,
    }
    return render(request, "accounts/users.html", context, status=status)


def _address(request: HttpRequest, secret: str) -> str:
    return link_address(request.build_absolute_uri("/"), secret)

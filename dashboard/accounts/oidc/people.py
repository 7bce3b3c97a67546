"""The user whom a provider's claims are about: made at the first sign-in, with a role renewed at each."""

from collections.abc import Mapping
from itertools import chain, count
from typing import Any

from django.contrib.auth import get_user_model
from django.db import IntegrityError, transaction

from dashboard.accounts.oidc import failures
from dashboard.accounts.oidc.claims import groups, user_name
from dashboard.accounts.oidc.configuration import Oidc
from dashboard.accounts.oidc.failures import SignInFailed
from dashboard.accounts.oidc.variables import LONGEST
from dashboard.accounts.roles import ADMIN, give_role, role_of
from dashboard.models import Identity
from dashboard.services.workspace.audit import note


def person_of(claims: Mapping[str, Any], oidc: Oidc) -> Any:
    """Return the user with this issuer and subject, and give them the role that their groups have.

    A user whose groups have none loses their role, so that their tokens end, too. Nobody is found by a name
    or an address. Raises SignInFailed.
    """
    subject = claims.get("sub")
    if not isinstance(subject, str) or not 0 < len(subject) <= LONGEST or "\0" in subject:
        raise SignInFailed(failures.UNTRUSTED, "the claim sub")
    role = oidc.role_of(groups(claims, oidc.groups_claim))
    try:
        user = _renewed(subject, claims, role, oidc)
    except IntegrityError:  # somebody took the name, or the same person signed in, at the same moment
        user = _renewed(subject, claims, role, oidc)
    if user is None or role is None:
        name = user_name(claims, oidc.name_claim) if user is None else user.get_username()
        raise SignInFailed(failures.NO_GROUP, f"no group of {name} may sign in")
    if not user.is_active:
        raise SignInFailed(failures.DISABLED, f"the access of {user.get_username()} was ended")
    return user


@transaction.atomic
def _renewed(subject: str, claims: Mapping[str, Any], role: str | None, oidc: Oidc) -> Any | None:
    known = Identity.objects.select_related("user").filter(issuer=oidc.issuer, subject=subject).first()
    if known is not None:
        _renew_role(known.user, role, oidc)
        return known.user
    if role is None:
        return None
    user = get_user_model()(username=_free_name(user_name(claims, oidc.name_claim)))
    user.set_unusable_password()
    user.save()
    Identity.objects.create(user=user, issuer=oidc.issuer, subject=subject)
    give_role(user, role)
    note("user created", user.get_username(), role=role, issuer=oidc.issuer)
    return user


def _renew_role(user: Any, role: str | None, oidc: Oidc) -> None:
    if not user.is_active or role_of(user) == role:
        return
    user.is_superuser = user.is_superuser and role == ADMIN
    user.save(update_fields=["is_superuser"])
    give_role(user, role)
    note("user changed", user.get_username(), role=role or "none", issuer=oidc.issuer)


def _free_name(name: str) -> str:
    """Return the name, or with a number if somebody has it: a user who is there is never taken over."""
    users = get_user_model().objects
    names = chain([name], (f"{name}-{number}" for number in count(2)))
    return next(free for free in names if not users.filter(username__iexact=free).exists())

"""What an administrator has configured of the OpenID Connect provider, checked when the settings are read."""

import ssl
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.core.exceptions import ImproperlyConfigured

ANYBODY = "*"
ADMIN, OPERATOR, VIEWER = "admin", "operator", "viewer"
"""As in `dashboard.accounts.roles`, which needs models, and these need the settings."""


@dataclass(frozen=True)
class Oidc:
    """A provider, and whom it lets in: `groups` by role, the highest first. `ca_file` may be empty."""

    issuer: str
    name: str
    client_id: str
    client_secret: str = field(repr=False)
    scopes: str
    name_claim: str
    groups_claim: str
    groups: dict[str, list[str]]
    ca_file: str
    session_hours: int

    @property
    def discovery_address(self) -> str:
        """Where the provider says what it offers."""
        return f"{self.issuer.rstrip('/')}/.well-known/openid-configuration"

    def role_of(self, groups: set[str]) -> str | None:
        """Return the highest role that one of the groups has; None for who may not sign in."""
        return next(
            (role for role, named in self.groups.items() if groups.intersection(named) or ANYBODY in named),
            None,
        )


def read(value: Callable[[str], Any]) -> Oidc | None:
    """Return what the variables say, None without an issuer. Raises ImproperlyConfigured."""
    if not value("SANDTABLE_OIDC_ISSUER"):
        if value("SANDTABLE_OIDC_CLIENT_ID"):
            raise ImproperlyConfigured("SANDTABLE_OIDC_CLIENT_ID needs SANDTABLE_OIDC_ISSUER, too.")
        return None
    oidc = Oidc(
        issuer=value("SANDTABLE_OIDC_ISSUER"),
        name=value("SANDTABLE_OIDC_NAME"),
        client_id=value("SANDTABLE_OIDC_CLIENT_ID"),
        client_secret=_secret(value),
        scopes=value("SANDTABLE_OIDC_SCOPES"),
        name_claim=value("SANDTABLE_OIDC_NAME_CLAIM"),
        groups_claim=value("SANDTABLE_OIDC_GROUPS_CLAIM"),
        groups={
            ADMIN: value("SANDTABLE_OIDC_ADMIN_GROUPS"),
            OPERATOR: value("SANDTABLE_OIDC_OPERATOR_GROUPS"),
            VIEWER: value("SANDTABLE_OIDC_VIEWER_GROUPS"),
        },
        ca_file=value("SANDTABLE_OIDC_CA_FILE"),
        session_hours=value("SANDTABLE_OIDC_SESSION_HOURS"),
    )
    _check(oidc)
    return oidc


def _check(oidc: Oidc) -> None:
    if not oidc.client_id:
        raise ImproperlyConfigured("SANDTABLE_OIDC_ISSUER needs SANDTABLE_OIDC_CLIENT_ID, too.")
    if not any(oidc.groups.values()):
        raise ImproperlyConfigured(
            "SANDTABLE_OIDC_ISSUER alone lets nobody in: name groups in SANDTABLE_OIDC_ADMIN_GROUPS, "
            "SANDTABLE_OIDC_OPERATOR_GROUPS or SANDTABLE_OIDC_VIEWER_GROUPS."
        )
    if ANYBODY in oidc.groups[ADMIN] + oidc.groups[OPERATOR]:
        raise ImproperlyConfigured("`*` may stand in SANDTABLE_OIDC_VIEWER_GROUPS alone.")
    if oidc.ca_file:
        try:
            ssl.create_default_context(cafile=oidc.ca_file)
        except OSError as error:
            raise ImproperlyConfigured(
                f"SANDTABLE_OIDC_CA_FILE={oidc.ca_file} can't be read: {error}."
            ) from error


def _secret(value: Callable[[str], Any]) -> str:
    secret: str = value("SANDTABLE_OIDC_CLIENT_SECRET")
    path: str = value("SANDTABLE_OIDC_CLIENT_SECRET_FILE")
    if secret and path:
        raise ImproperlyConfigured(
            "Of SANDTABLE_OIDC_CLIENT_SECRET and SANDTABLE_OIDC_CLIENT_SECRET_FILE one must be empty."
        )
    if not path:
        return secret
    try:
        found = Path(path).read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ImproperlyConfigured(
            f"SANDTABLE_OIDC_CLIENT_SECRET_FILE={path} can't be read: {type(error).__name__}."
        ) from None
    if not found:
        raise ImproperlyConfigured(f"SANDTABLE_OIDC_CLIENT_SECRET_FILE={path} is empty.")
    return found

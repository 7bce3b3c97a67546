"""The environment variables of sign-in by OpenID Connect, as rows of `dashboard.environment.VARIABLES`."""

import json
from collections.abc import Callable
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

LONGEST = 255
"""Characters of an issuer and of a subject; the standard bounds subjects so."""


def is_guarded(address: Any) -> bool:
    """Tell whether what goes to this URL is encrypted on its way, or never leaves this machine."""
    if not isinstance(address, str):
        return False
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
    except ValueError:
        return False
    return bool(host) and (parts.scheme == "https" or (parts.scheme == "http" and _is_loopback(host)))


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _issuer(text: str) -> str:
    parts = urlsplit(text)
    if text and (not is_guarded(text) or "@" in parts.netloc or parts.query or parts.fragment):
        raise ValueError("must be an https URL without user, query and fragment")
    if len(text) > LONGEST:
        raise ValueError(f"must have at most {LONGEST} characters")
    return text


def _scopes(text: str) -> str:
    names = text.replace(",", " ").split()
    return " ".join(["openid", *(name for name in names if name != "openid")])


def _groups(text: str) -> list[str]:
    """Read names with commas between; a name that has a comma needs a JSON list."""
    if not text.lstrip().startswith("["):
        return [name.strip() for name in text.split(",") if name.strip()]
    names = json.loads(text)
    if not all(isinstance(name, str) and name for name in names):
        raise ValueError("must be a list of names")
    return list(names)


def _hours(text: str) -> int:
    hours = int(text)
    if not 1 <= hours <= 24 * 365:
        raise ValueError("must be from 1 to 8760")
    return hours


def _password_users(text: str) -> list[str] | None:
    """Return the names, none for `-`, and None for `*`: everybody."""
    if text == "*":
        return None
    return [] if text == "-" else [name.strip() for name in text.split(",") if name.strip()]


ROWS: tuple[tuple[str, str, Callable[[str], Any], str], ...] = (
    (
        "SANDTABLE_OIDC_ISSUER",
        "",
        _issuer,
        "The issuer of an OpenID Connect provider, an https URL; no sign-in by one if empty.",
    ),
    ("SANDTABLE_OIDC_NAME", "single sign-on", str, "What the button calls it: “Sign in with …”."),
    ("SANDTABLE_OIDC_CLIENT_ID", "", str, "The client that Sandtable is at the provider."),
    ("SANDTABLE_OIDC_CLIENT_SECRET", "", str, "Its secret; empty for a public client."),
    ("SANDTABLE_OIDC_CLIENT_SECRET_FILE", "", str, "A file with that secret, instead."),
    (
        "SANDTABLE_OIDC_SCOPES",
        "openid profile email",
        _scopes,
        "What the provider is asked for, with spaces between.",
    ),
    (
        "SANDTABLE_OIDC_NAME_CLAIM",
        "preferred_username",
        str,
        "The claim that names a new user; `a.b` is the claim `b` within `a`.",
    ),
    ("SANDTABLE_OIDC_GROUPS_CLAIM", "groups", str, "The claim that lists a user's groups."),
    (
        "SANDTABLE_OIDC_ADMIN_GROUPS",
        "",
        _groups,
        "Groups of administrators, with commas between, or as a JSON list.",
    ),
    ("SANDTABLE_OIDC_OPERATOR_GROUPS", "", _groups, "Groups of operators."),
    (
        "SANDTABLE_OIDC_VIEWER_GROUPS",
        "",
        _groups,
        "Groups of viewers; `*`: whoever the provider signs in. Nobody else may sign in.",
    ),
    (
        "SANDTABLE_OIDC_CA_FILE",
        "",
        str,
        "Certificates (PEM) by which the provider's is checked; the usual ones if empty.",
    ),
    (
        "SANDTABLE_OIDC_SESSION_HOURS",
        "12",
        _hours,
        "Hours after which somebody signs in anew, and roles are renewed.",
    ),
    (
        "SANDTABLE_PASSWORD_USERS",
        "*",
        _password_users,
        "Names, with commas between, of who may sign in by a password; `*`: everybody, `-`: nobody.",
    ),
)

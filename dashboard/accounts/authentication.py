"""Bearer tokens for REST: ``Authorization: Bearer <token>``. Never in an address: logs keep those."""

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed

from dashboard.accounts.tokens import user_of_token


def bearer_token(header: bytes) -> str | None:
    """The token of an Authorization header's value; None if it is of another kind or not ASCII."""
    kind, _, token = header.partition(b" ")
    if kind.lower() != b"bearer":
        return None
    try:
        return token.strip().decode("ascii")
    except UnicodeDecodeError:
        return ""


class TokenAuthentication(BaseAuthentication):
    """Signs a request in by its bearer token; requests without one are left to the next class."""

    def authenticate(self, request: Any) -> tuple[Any, str] | None:
        plain = bearer_token(get_authorization_header(request))
        if plain is None:
            return None
        user = user_of_token(plain)
        if user is None:
            raise AuthenticationFailed("This token is unknown or was withdrawn.")
        return user, "token"

    def authenticate_header(self, request: Any) -> str:
        return 'Bearer realm="Sandtable"'


class TokenScheme(OpenApiAuthenticationExtension):
    """How the OpenAPI document describes ``TokenAuthentication``."""

    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer"}

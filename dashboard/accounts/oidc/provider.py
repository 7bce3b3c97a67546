"""The provider: found by its discovery document when somebody first signs in, and asked within bounds.

Authlib keeps state, nonce and PKCE's verifier, exchanges the code and checks the ID token. Here stands what
it leaves open: which algorithms and addresses are taken, and how long and how much is read.
"""

import time
from typing import Any, NamedTuple

from authlib.integrations.django_client import DjangoIntegration, DjangoOAuth2App
from authlib.integrations.requests_client import OAuth2Session
from django.conf import settings
from django.http import HttpRequest
from requests import Response
from requests.exceptions import ContentDecodingError, Timeout

from dashboard.accounts.oidc import failures
from dashboard.accounts.oidc.claims import claim
from dashboard.accounts.oidc.configuration import Oidc
from dashboard.accounts.oidc.failures import SignInFailed, telling_failures
from dashboard.accounts.oidc.variables import is_guarded

ALGORITHMS = tuple(f"{kind}{bits}" for kind in ("RS", "ES", "PS") for bits in (256, 384, 512))
"""Signatures by a private key of the provider; with HMAC, whoever knows a public key could sign."""
STATE_SECONDS = 600
KEPT_SECONDS = 3600
"""How long the discovery document and keys are kept; a key that is not known is looked for at once."""
LEEWAY_SECONDS = 60
PATIENCE_SECONDS = 10.0
MOST_BYTES = 1024 * 1024
LONGEST_HINT = 4000
"""Of an ID token in an address; servers bound those."""
_PIECE = 64 * 1024
_ADDRESSES = ("authorization_endpoint", "token_endpoint", "jwks_uri")
_OFFERED = ("userinfo_endpoint", "end_session_endpoint")

_kept: "tuple[float, Provider | None]" = (0.0, None)
"""When by `time.monotonic`, and which."""


class BoundedSession(OAuth2Session):
    """Requests that end in time, read no more than a bound, and follow no redirect."""

    def request(self, method: str, url: str, *arguments: Any, **options: Any) -> Response:
        """Send a request. Raises what Requests raises."""
        oidc = settings.OIDC
        options |= {"timeout": PATIENCE_SECONDS / 2, "allow_redirects": False, "stream": True}
        options["verify"] = oidc.ca_file or options.get("verify")
        until = time.monotonic() + PATIENCE_SECONDS
        response = super().request(method, url, *arguments, **options)
        content = b""
        for piece in response.iter_content(_PIECE):
            content += piece
            if len(content) > MOST_BYTES:
                response.close()
                raise ContentDecodingError(f"more than {MOST_BYTES} bytes")
            if time.monotonic() > until:
                response.close()
                raise Timeout(f"more than {PATIENCE_SECONDS} s")
        response._content = content  # what Requests itself keeps of an answer that was read
        return response


class Provider(DjangoOAuth2App):
    """The configured provider as Authlib's client."""

    client_cls = BoundedSession

    def __init__(self, oidc: Oidc) -> None:
        super().__init__(
            DjangoIntegration("oidc"),
            "oidc",
            client_id=oidc.client_id,
            client_secret=oidc.client_secret or None,
            client_kwargs={"scope": oidc.scopes, "code_challenge_method": "S256", "leeway": 0},
        )
        self.oidc = oidc

    def load_server_metadata(self) -> dict[str, Any]:
        """Return what the provider offers; of its document no more is kept than is needed."""
        if not self.server_metadata:
            with self._get_session() as session:
                answer = session.request("GET", self.oidc.discovery_address, withhold_token=True)
            answer.raise_for_status()
            document = answer.json()
            self.server_metadata = self._checked(document)
            ways = document.get("token_endpoint_auth_methods_supported") or ()
            if self.client_secret and "client_secret_post" in ways and "client_secret_basic" not in ways:
                self.client_kwargs["token_endpoint_auth_method"] = "client_secret_post"  # noqa: S105
        return self.server_metadata

    def _checked(self, document: dict[str, Any]) -> dict[str, Any]:
        if (issuer := document.get("issuer")) != self.oidc.issuer:
            raise SignInFailed(
                failures.MISCONFIGURED,
                f"SANDTABLE_OIDC_ISSUER is {self.oidc.issuer}, but there the issuer is {str(issuer)[:300]}",
            )
        found: dict[str, Any] = {"issuer": issuer}
        for name in (*_ADDRESSES, *_OFFERED):
            address = document.get(name)
            if address is None and name in _OFFERED:
                continue
            if not is_guarded(address):
                raise SignInFailed(failures.MISCONFIGURED, f"{name} is no https URL")
            found[name] = address
        offered = document.get("id_token_signing_alg_values_supported", ["RS256"])
        algorithms = [name for name in ALGORITHMS if name in offered]
        if not algorithms:
            raise SignInFailed(failures.MISCONFIGURED, f"it signs by none of {', '.join(ALGORITHMS)}")
        return {**found, "id_token_signing_alg_values_supported": algorithms}

    def sign_out_address(self, id_token: str, back: str) -> str | None:
        """Return where a browser ends its sign-in at the provider, too; None where that isn't offered."""
        if "end_session_endpoint" not in self.load_server_metadata():
            return None
        hint = id_token if len(id_token) <= LONGEST_HINT else None
        address = self.create_logout_url(
            post_logout_redirect_uri=back, id_token_hint=hint, client_id=self.client_id
        )
        return str(address["url"])


class Answer(NamedTuple):
    """What came of a sign-in: claims, where to go then, where to sign out at the provider if it has that."""

    claims: dict[str, Any]
    then: str
    sign_out: str | None


def provider() -> Provider:
    """Return the configured provider with what this process knows of it, anew after KEPT_SECONDS."""
    global _kept
    since, found = _kept
    if found is None or found.oidc != settings.OIDC or time.monotonic() - since > KEPT_SECONDS:
        found = Provider(settings.OIDC)
        _kept = time.monotonic(), found
    return found


def begin(request: HttpRequest, redirect_uri: str, then: str) -> str:
    """Return the provider's address to send a browser to; `then` is where it goes in the end.

    Raises SignInFailed.
    """
    client = provider()
    with telling_failures():
        asked = client.create_authorization_url(redirect_uri)
    client.save_authorize_data(
        request,
        redirect_uri=redirect_uri,
        then=then,
        until=time.time() + STATE_SECONDS,
        **{name: asked[name] for name in ("state", "nonce", "code_verifier")},
    )
    return str(asked["url"])


def finish(request: HttpRequest, back: str) -> Answer:
    """Return what came of it, once the provider has sent the browser back.

    back: where it shall send the browser after a sign-out. A state is good for one answer, and for the
    browser that began. Raises SignInFailed.
    """
    client, state = provider(), request.GET.get("state", "")
    kept = client.framework.get_state_data(request.session, state)
    try:
        if kept is None or kept["until"] < time.time():
            raise SignInFailed(failures.STALE, "the state is not known here")
        if "error" in request.GET or not request.GET.get("code"):
            raise failures.of_error(request.GET.get("error", "no_code"))
        if request.GET.get("iss", client.oidc.issuer) != client.oidc.issuer:
            raise SignInFailed(failures.UNTRUSTED, "the parameter iss")
        with telling_failures():
            token = _token(client, request)
            claims = _with_user_info(client, token)
            return Answer(claims, kept["then"], client.sign_out_address(token["id_token"], back))
    finally:
        client.framework.clear_state_data(request.session, state)


def _token(client: Provider, request: HttpRequest) -> dict[str, Any]:
    token: dict[str, Any] = client.authorize_access_token(
        request,
        leeway=LEEWAY_SECONDS,
        claims_options={
            "iss": {"essential": True, "value": client.oidc.issuer},
            "aud": {"essential": True, "value": client.client_id},
        },
    )
    if "userinfo" not in token:
        raise SignInFailed(failures.UNTRUSTED, "there is no ID token")
    return token


def _with_user_info(client: Provider, token: dict[str, Any]) -> dict[str, Any]:
    """Return the ID token's claims, with those that it lacks as userinfo has them of the same subject."""
    claims = dict(token["userinfo"])
    wanted = (client.oidc.name_claim, client.oidc.groups_claim)
    if all(claim(claims, name) is not None for name in wanted):
        return claims
    if "userinfo_endpoint" not in client.load_server_metadata() or "access_token" not in token:
        return claims
    told = client.userinfo(token=token)
    if told.get("sub") != claims["sub"]:
        raise SignInFailed(failures.UNTRUSTED, "userinfo is about another subject")
    return {**told, **claims}

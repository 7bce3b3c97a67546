"""An OpenID Connect provider for tests: a real HTTP server on this machine, which a test may make faulty."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from secrets import token_urlsafe
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import ECKey, RSAKey

CLIENT, SECRET = "sandtable", "the secret of the client"
Claims = dict[str, Any]
_RSA_KEY: Any = RSAKey.generate_key(2048, {"kid": "first", "use": "sig", "alg": "RS256"})


class FakeProvider:
    """What it offers and says; a test changes `claims` of who signs in, `document` over what is offered."""

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self.start_over()

    def start_over(self) -> None:
        """Be without faults again."""
        self.claims: Claims = {"sub": "1", "preferred_username": "erin", "groups": ["team"]}
        self.user_info: Claims | None = None
        self.document: dict[str, Any] = {}
        self.error = ""
        self.token_error = ""
        self.id_token: str | None = None
        self.has_id_token = True
        self.asked: list[str] = []
        self.codes: dict[str, dict[str, str]] = {}
        self.redirects = self.floods = False
        self.algorithm, self.key = "RS256", _RSA_KEY

    def sign_by(self, algorithm: str, name: str) -> None:
        """Sign by another key, of elliptic curves, from now on."""
        self.algorithm = algorithm
        self.key = ECKey.generate_key("P-256", {"kid": name, "use": "sig", "alg": algorithm})

    def discovery(self) -> dict[str, Any]:
        return {
            "issuer": self.url,
            "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token",
            "userinfo_endpoint": f"{self.url}/userinfo",
            "jwks_uri": f"{self.url}/keys",
            "end_session_endpoint": f"{self.url}/end",
            "id_token_signing_alg_values_supported": [self.algorithm],
            **self.document,
        }

    def standard_claims(self, nonce: str) -> Claims:
        now = int(time.time())
        return {"iss": self.url, "aud": CLIENT, "iat": now, "exp": now + 300, "nonce": nonce, **self.claims}

    def signed(self, claims: Claims) -> str:
        header = {"alg": self.algorithm, "kid": self.key.kid}
        return jwt.encode(header, claims, self.key, algorithms=[self.algorithm])

    def by_public_key(self, claims: Claims) -> str:
        """Return a token whose HMAC has the public key for its secret."""
        signed = joined({"alg": "HS256", "kid": self.key.kid}, claims)
        digest = hmac.new(self.key.as_pem(private=False), signed.encode(), hashlib.sha256).digest()
        return f"{signed}.{plain(digest)}"

    def authorize(self, query: dict[str, str]) -> str:
        """Return where a browser is sent after it was asked for."""
        back = {"state": query["state"]}
        if self.error:
            return f"{query['redirect_uri']}?{urlencode({**back, 'error': self.error})}"
        code = token_urlsafe(8)
        self.codes[code] = query
        return f"{query['redirect_uri']}?{urlencode({**back, 'code': code})}"

    def token(self, form: dict[str, str], authorization: str) -> tuple[int, dict[str, Any]]:
        """Exchange a code once, of the client that knows its secret and the verifier."""
        if authorization != f"Basic {base64.b64encode(f'{CLIENT}:{SECRET}'.encode()).decode()}":
            return 401, {"error": "invalid_client"}
        asked = self.codes.pop(form.get("code", ""), None)
        challenge = plain(hashlib.sha256(form.get("code_verifier", "").encode()).digest())
        if asked is None or (challenge, "S256") != (asked["code_challenge"], asked["code_challenge_method"]):
            return 400, {"error": "invalid_grant"}
        if self.token_error:
            return 400, {"error": self.token_error}
        claims = self.standard_claims(asked["nonce"])
        answer = {"access_token": "an-access-token", "token_type": "Bearer", "expires_in": 60}
        if self.has_id_token:
            answer["id_token"] = self.id_token or self.signed({k: v for k, v in claims.items() if v != ...})
        return 200, answer


def plain(content: bytes) -> str:
    """The bytes in Base64 for addresses, unpadded."""
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def joined(header: dict[str, Any], claims: Claims) -> str:
    """Header and claims of a token, as they are signed."""
    return ".".join(plain(json.dumps(part).encode()) for part in (header, claims))


def _agreement(query: dict[str, str]) -> str:
    """A page whose button agrees to what was asked."""
    fields = (f'<input type="hidden" name="{escape(k)}" value="{escape(v)}">' for k, v in query.items())
    return f'<!doctype html><form action="/agreed">{"".join(fields)}<button>I am Erin</button></form>'


class _Handler(BaseHTTPRequestHandler):
    provider: FakeProvider

    def do_GET(self) -> None:
        path, query = urlsplit(self.path).path, dict(parse_qsl(urlsplit(self.path).query))
        self.provider.asked.append(path)
        match path:
            case "/.well-known/openid-configuration" if self.provider.floods:
                self._answer(200, b" " * 3_000_000)
            case "/.well-known/openid-configuration" if self.provider.redirects:
                self._redirect(f"{self.provider.url}/keys")
            case "/.well-known/openid-configuration":
                self._json(200, self.provider.discovery())
            case "/keys":
                self._json(200, {"keys": [self.provider.key.as_dict(private=False)]})
            case "/userinfo" if self.headers["Authorization"] == "Bearer an-access-token":
                self._json(200, self.provider.user_info or {"sub": self.provider.claims["sub"]})
            case "/authorize":
                self._answer(200, _agreement(query).encode(), "text/html")
            case "/agreed":
                self._redirect(self.provider.authorize(query))
            case "/end":
                self._redirect(query["post_logout_redirect_uri"])
            case _:
                self._json(404, {})

    def do_POST(self) -> None:
        self.provider.asked.append(self.path)
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        form = {name: values[0] for name, values in parse_qs(body).items()}
        self._json(*self.provider.token(form, self.headers.get("Authorization", "")))

    def _json(self, status: int, content: Any) -> None:
        self._answer(status, json.dumps(content).encode(), "application/json")

    def _redirect(self, address: str) -> None:
        self.send_response(302)
        self.send_header("Location", address)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _answer(self, status: int, content: bytes, media_type: str = "application/json") -> None:
        self.send_response(status)
        self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def running_provider() -> Iterator[FakeProvider]:
    """A provider, until the end of the block."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {}))
    server.RequestHandlerClass.provider = provider = FakeProvider(server.server_port)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield provider
    finally:
        server.shutdown()
        server.server_close()
        thread.join()

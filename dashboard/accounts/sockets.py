"""Who opens a socket: by session cookie from our own pages, or by bearer token from a program.

Browsers send cookies with sockets that foreign pages open and let no page set the Authorization header. So
a cookie counts only with an Origin that is our own host and port, while a bearer token needs no Origin.
"""

from typing import Any
from urllib.parse import urlsplit

from channels.auth import AuthMiddlewareStack
from channels.db import database_sync_to_async
from channels.security.websocket import AllowedHostsOriginValidator, WebsocketDenier
from django.contrib.auth.models import AnonymousUser

from dashboard.accounts.authentication import bearer_token
from dashboard.accounts.tokens import user_of_token


class SocketAccess:
    """ASGI middleware that sets ``scope["user"]`` for the sockets' application, or refuses a foreign page.

    ``scope["token"]`` is the bearer token of a program that has one.
    """

    def __init__(self, application: Any) -> None:
        self.application = application
        self.by_session = AllowedHostsOriginValidator(AuthMiddlewareStack(application))

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        headers = dict(scope["headers"])
        plain = bearer_token(headers.get(b"authorization", b""))
        if plain is not None:
            user = await database_sync_to_async(user_of_token)(plain)
            await self.application({**scope, "user": user or AnonymousUser(), "token": plain}, receive, send)
        elif _is_same_origin(headers):
            await self.by_session(scope, receive, send)
        elif b"origin" not in headers and b"cookie" not in headers:  # a program that forgot its token
            await self.application({**scope, "user": AnonymousUser()}, receive, send)
        else:
            await WebsocketDenier()(scope, receive, send)


def _is_same_origin(headers: dict[bytes, bytes]) -> bool:
    """Whether the page that opens the socket was served by this very host and port."""
    origin = headers.get(b"origin", b"").decode("latin-1")
    host = headers.get(b"host", b"").decode("latin-1")
    return bool(host) and urlsplit(origin).netloc.lower() == host.lower()

"""Addresses of sockets. Unknown ones are accepted and closed with 4404, so that a browser sees why."""

from importlib.util import find_spec

from channels.generic.websocket import AsyncWebsocketConsumer
from django.urls import path, re_path

NOT_FOUND = 4404


class UnknownAddress(AsyncWebsocketConsumer):
    """Closes with 4404; without it, Channels answers an unknown address with a traceback."""

    async def connect(self) -> None:
        await self.accept()
        await self.close(code=NOT_FOUND)


websocket_urlpatterns = [
    re_path(r"", UnknownAddress.as_asgi()),
]

if find_spec("dashboard.consumers"):  # until it is written
    from dashboard.consumers import RunConsumer

    websocket_urlpatterns.insert(0, path("ws/runs/<int:run>/", RunConsumer.as_asgi()))

"""Addresses of sockets. Unknown ones are accepted and closed with 4404, so that a browser sees why."""

from channels.generic.websocket import AsyncWebsocketConsumer
from django.urls import path, re_path

from dashboard.consumers import RunConsumer

NOT_FOUND = 4404


class UnknownAddress(AsyncWebsocketConsumer):
    """Closes with 4404; without it, Channels answers an unknown address with a traceback."""

    async def connect(self) -> None:
        await self.accept()
        await self.close(code=NOT_FOUND)


websocket_urlpatterns = [
    path("ws/runs/<int:run>/", RunConsumer.as_asgi()),
    re_path(r"", UnknownAddress.as_asgi()),
]
